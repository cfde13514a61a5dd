//! The transposition table: what earlier searches found out about a position.
//!
//! An entry holds the whole position, so a hit is never false. Entries are handed out as copies. The
//! table knows nothing of how a search uses bounds, beyond which of two entries is worth keeping.

use super::super::board::Position;
use super::super::square::Square;
use super::{Level, MAX_SCORE};
use crate::isa;
use alloc::vec;
use alloc::vec::Vec;

/// What is known about a position. Scores are in discs for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// How deep and how sure the search was.
    pub level: Level,
    /// The score is at least this.
    pub lower: i8,
    /// The score is at most this.
    pub upper: i8,
    /// The best move known, if any.
    pub best: Option<Square>,
}

/// Entries that one bucket holds.
const WAYS: usize = 3;

/// The entries that one hash value may use: one cache line.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Bucket {
    /// Discs of both sides.
    positions: [[u64; 2]; WAYS],
    /// Depth in the low six bits, confidence in three, best square in seven.
    packed: [u16; WAYS],
    lower: [i8; WAYS],
    upper: [i8; WAYS],
    generation: [u8; WAYS],
}

const _: () = assert!(size_of::<Bucket>() == 64, "a bucket must be a cache line");

/// A bucket without positions. Not all zeros, so that the pages of a new table are touched at once by
/// writing: left to the search, each would cost two page faults, one on reading and one on writing.
const EMPTY: Bucket = Bucket {
    positions: [[0; 2]; WAYS],
    packed: [0; WAYS],
    lower: [-MAX_SCORE as i8; WAYS],
    upper: [MAX_SCORE as i8; WAYS],
    generation: [0; WAYS],
};

/// A hash table of a fixed size.
pub struct Table {
    buckets: Vec<Bucket>,
    generation: u8,
}

const NO_SQUARE: u16 = 64;

impl Bucket {
    /// Where a position is.
    #[inline(always)]
    fn find(&self, position: &Position) -> Option<usize> {
        (0..WAYS).find(|&way| self.positions[way] == [position.player, position.opponent])
    }

    #[inline(always)]
    fn level(&self, way: usize) -> Level {
        Level {
            depth: (self.packed[way] & 63) as u8,
            confidence: (self.packed[way] >> 6 & 7) as u8,
        }
    }

    #[inline(always)]
    fn entry(&self, way: usize) -> Entry {
        let best = self.packed[way] >> 9;
        Entry {
            level: self.level(way),
            lower: self.lower[way],
            upper: self.upper[way],
            best: (best < NO_SQUARE).then(|| Square::from_index(best.into())),
        }
    }

    #[inline(always)]
    fn set(&mut self, way: usize, entry: Entry, generation: u8) {
        let best = entry.best.map_or(NO_SQUARE, |square| square.index() as u16);
        let Level { depth, confidence } = entry.level;
        self.packed[way] = u16::from(depth & 63) | u16::from(confidence & 7) << 6 | best << 9;
        self.lower[way] = entry.lower;
        self.upper[way] = entry.upper;
        self.generation[way] = generation;
    }

    /// How much it is worth to keep what is there: deep, sure and recent is worth most.
    #[inline(always)]
    fn worth(&self, way: usize, generation: u8) -> u32 {
        if self.positions[way] == [0; 2] {
            return 0;
        }
        let age = u32::from(generation.wrapping_sub(self.generation[way]));
        1 + self.level(way).rank() + ((255 - age) << 16)
    }
}

/// Whichever of two bounds settles the null window above `alpha`, if one does.
#[inline(always)]
pub(super) fn settled(lower: i8, upper: i8, alpha: i32) -> Option<i32> {
    let (lower, upper) = (i32::from(lower), i32::from(upper));
    if lower > alpha {
        Some(lower)
    } else if upper <= alpha {
        Some(upper)
    } else {
        None
    }
}

/// Mixes a position into a number whose high bits depend on every disc.
#[inline(always)]
pub(super) fn hash(position: &Position) -> u64 {
    let mixed = position.player.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ position
            .opponent
            .rotate_left(32)
            .wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
    (mixed ^ (mixed >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

impl Table {
    /// A table of that many MiB, at least one.
    pub fn new(mib: usize) -> Table {
        Table {
            buckets: vec![EMPTY; (mib.max(1) << 20) / size_of::<Bucket>()],
            generation: 0,
        }
    }

    /// Marks everything stored so far as older than what comes, and so replaced first.
    pub fn age(&mut self) {
        self.generation = self.generation.wrapping_add(1);
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.buckets.fill(EMPTY);
        self.generation = 0;
    }

    /// The number of a position's bucket.
    #[inline(always)]
    fn index(&self, position: &Position) -> usize {
        // A multiplication spreads 32 bits of hash over any number of buckets.
        (((hash(position) >> 32) * self.buckets.len() as u64) >> 32) as usize
    }

    /// Asks the processor to fetch a position's bucket.
    #[inline(always)]
    pub fn prefetch(&self, position: &Position) {
        isa::prefetch(&self.buckets[self.index(position)]);
    }

    /// What is known about a position.
    #[inline(always)]
    pub fn get(&self, position: &Position) -> Option<Entry> {
        let bucket = &self.buckets[self.index(position)];
        bucket.find(position).map(|way| bucket.entry(way))
    }

    /// Remembers `entry`, in the place of the same position's older or shallower one, or of the entry in
    /// the bucket that is worth least. Bounds of the same level are joined.
    pub fn put(&mut self, position: &Position, entry: Entry) {
        let generation = self.generation;
        let index = self.index(position);
        let bucket = &mut self.buckets[index];
        if let Some(way) = bucket.find(position) {
            if let Some(merged) = bucket.entry(way).merged(entry) {
                bucket.set(way, merged, generation);
            }
            return;
        }
        let worst = (0..WAYS).min_by_key(|&way| bucket.worth(way, generation));
        let way = worst.unwrap_or(0);
        bucket.positions[way] = [position.player, position.opponent];
        bucket.set(way, entry, generation);
    }
}

impl Entry {
    /// What a null-window search found: `score` bounds from below if it is above `alpha`, else from above.
    #[inline(always)]
    pub fn bound(level: Level, alpha: i32, score: i32, best: Option<Square>) -> Entry {
        Entry::window(level, alpha, alpha + 1, score, best)
    }

    /// What a search with the window `(alpha, beta)` found.
    #[inline(always)]
    pub fn window(level: Level, alpha: i32, beta: i32, score: i32, best: Option<Square>) -> Entry {
        let lower = if score > alpha { score } else { -MAX_SCORE };
        let upper = if score < beta { score } else { MAX_SCORE };
        Entry {
            level,
            lower: lower as i8,
            upper: upper as i8,
            best,
        }
    }

    /// The bound that settles the null window above `alpha` at a level of at least `wanted`, if any.
    #[inline(always)]
    pub fn cutoff(self, wanted: Level, alpha: i32) -> Option<i32> {
        if self.level.serves(wanted) {
            settled(self.lower, self.upper, alpha)
        } else {
            None
        }
    }

    /// What to keep when `new` is found for the same position; `None` to leave the old one alone.
    fn merged(self, new: Entry) -> Option<Entry> {
        if new.level == self.level {
            let (lower, upper) = (self.lower.max(new.lower), self.upper.min(new.upper));
            // Selective searches may contradict each other: then the newer one is right.
            let (lower, upper) = if lower <= upper {
                (lower, upper)
            } else {
                (new.lower, new.upper)
            };
            return Some(Entry {
                lower,
                upper,
                best: new.best.or(self.best),
                ..new
            });
        }
        (new.level.rank() > self.level.rank()).then(|| Entry {
            best: new.best.or(self.best),
            ..new
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: u8, lower: i8, upper: i8) -> Entry {
        Entry {
            level: Level {
                depth,
                confidence: 0,
            },
            lower,
            upper,
            best: None,
        }
    }

    #[test]
    fn what_is_put_is_got() {
        let mut table = Table::new(1);
        let stored = Entry {
            best: Square::parse("f5"),
            ..entry(7, -3, 12)
        };
        table.put(&Position::START, stored);
        assert_eq!(table.get(&Position::START), Some(stored));
        assert_eq!(table.get(&Position::START.pass()), None);
        table.clear();
        assert_eq!(table.get(&Position::START), None);
    }

    #[test]
    fn bounds_of_one_level_are_joined_and_shallow_ones_do_not_replace_deep_ones() {
        let mut table = Table::new(1);
        table.put(&Position::START, entry(5, -64, 10));
        table.put(&Position::START, entry(5, 2, 64));
        assert_eq!(table.get(&Position::START), Some(entry(5, 2, 10)));
        table.put(&Position::START, entry(4, 3, 3));
        assert_eq!(table.get(&Position::START), Some(entry(5, 2, 10)));
        table.put(&Position::START, entry(6, 3, 3));
        assert_eq!(table.get(&Position::START), Some(entry(6, 3, 3)));
    }

    #[test]
    fn a_full_bucket_loses_its_shallowest_entry_and_old_ones_first() {
        let mut table = Table::new(1);
        table.buckets.truncate(1);
        let position = |n: u64| Position {
            player: 1 << n,
            opponent: 1 << 60,
        };
        for n in 0..3 {
            table.put(&position(n), entry(10 + n as u8, 0, 0));
        }
        table.put(&position(3), entry(3, 0, 0));
        assert_eq!(table.get(&position(0)), None);
        assert!(table.get(&position(1)).is_some());
        table.age();
        table.put(&position(4), entry(1, 0, 0));
        table.put(&position(5), entry(1, 0, 0));
        assert_eq!(table.get(&position(3)), None);
        assert!(table.get(&position(4)).is_some());
    }
}
