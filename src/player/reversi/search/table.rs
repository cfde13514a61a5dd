//! The transposition table: what earlier searches found out about a position.
//!
//! An entry holds the whole position, so a hit is never false. Entries are handed out as copies. The
//! table knows nothing of how a search uses bounds, beyond which of two entries is worth keeping.

use super::super::board::Position;
use super::super::square::Square;
use super::{Level, MAX_SCORE};
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

/// One slot: both sets of discs, then the packed rest.
type Slot = [u64; 3];

const _: () = assert!(size_of::<Slot>() == 24, "slots must stay small");

/// A slot without a position. Not all zeros, so that the pages of a new table are touched at once by
/// writing: left to the search, each would cost two page faults, one on reading and one on writing.
const EMPTY: Slot = [0, 0, 1];

/// Slots that one position may use.
const WAYS: usize = 4;

/// A hash table of a fixed number of slots.
pub struct Table {
    slots: Vec<Slot>,
    shift: u32,
    generation: u8,
}

const NO_SQUARE: u8 = 64;

impl Entry {
    fn pack(self, generation: u8) -> u64 {
        let best = self.best.map_or(NO_SQUARE, |square| square.index() as u8);
        u64::from_le_bytes([
            self.level.depth,
            self.level.confidence,
            self.lower as u8,
            self.upper as u8,
            best,
            generation,
            0,
            0,
        ])
    }

    fn unpack(word: u64) -> Entry {
        let [depth, confidence, lower, upper, best, ..] = word.to_le_bytes();
        Entry {
            level: Level { depth, confidence },
            lower: lower as i8,
            upper: upper as i8,
            best: (best < NO_SQUARE).then(|| Square::from_index(best.into())),
        }
    }
}

fn generation(word: u64) -> u8 {
    (word >> 40) as u8
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
    /// A table of `1 << bits` slots of 24 bytes.
    pub fn new(bits: u32) -> Table {
        Table {
            slots: vec![EMPTY; 1 << bits],
            shift: 64 - bits,
            generation: 0,
        }
    }

    /// Marks everything stored so far as older than what comes, and so replaced first.
    pub fn age(&mut self) {
        self.generation = self.generation.wrapping_add(1);
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.slots.fill(EMPTY);
        self.generation = 0;
    }

    /// The first slot of a position's bucket.
    #[inline(always)]
    fn bucket(&self, position: &Position) -> usize {
        (hash(position) >> self.shift) as usize & !(WAYS - 1)
    }

    /// Asks the processor to fetch a position's bucket.
    #[inline(always)]
    pub fn prefetch(&self, position: &Position) {
        #[cfg(target_arch = "x86_64")]
        {
            use core::arch::x86_64::{_mm_prefetch, _MM_HINT_T0};
            let slot: *const Slot = &self.slots[self.bucket(position)];
            // SAFETY: prefetching has no effect but on caches, and the address is a live slot's.
            unsafe {
                _mm_prefetch::<_MM_HINT_T0>(slot.cast());
            }
        }
    }

    /// What is known about a position.
    #[inline(always)]
    pub fn get(&self, position: &Position) -> Option<Entry> {
        let at = self.bucket(position);
        self.slots[at..at + WAYS]
            .iter()
            .find(|slot| slot[0] == position.player && slot[1] == position.opponent)
            .map(|slot| Entry::unpack(slot[2]))
    }

    /// Remembers `entry`, in the place of the same position's older or shallower one, or of the entry in
    /// the bucket that is worth least. Bounds of the same level are joined.
    pub fn put(&mut self, position: &Position, entry: Entry) {
        let at = self.bucket(position);
        let generation_now = self.generation;
        let bucket = &mut self.slots[at..at + WAYS];
        let mut worst = 0;
        let mut worst_worth = u32::MAX;
        for (index, slot) in bucket.iter_mut().enumerate() {
            if slot[0] == position.player && slot[1] == position.opponent {
                if let Some(merged) = Entry::unpack(slot[2]).merged(entry) {
                    slot[2] = merged.pack(generation_now);
                }
                return;
            }
            let age = u32::from(generation_now.wrapping_sub(generation(slot[2])));
            let level = Entry::unpack(slot[2]).level;
            let empty = slot[0] | slot[1] == 0;
            let worth = if empty {
                0
            } else {
                1 + level.rank() + ((255 - age) << 16)
            };
            if worth < worst_worth {
                worst = index;
                worst_worth = worth;
            }
        }
        bucket[worst] = [
            position.player,
            position.opponent,
            entry.pack(generation_now),
        ];
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
        let (lower, upper) = (i32::from(self.lower), i32::from(self.upper));
        if !self.level.serves(wanted) {
            None
        } else if lower > alpha {
            Some(lower)
        } else if upper <= alpha {
            Some(upper)
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
        let mut table = Table::new(8);
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
        let mut table = Table::new(8);
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
        let mut table = Table::new(2);
        let position = |n: u64| Position {
            player: 1 << n,
            opponent: 1 << 60,
        };
        for n in 0..4 {
            table.put(&position(n), entry(10 + n as u8, 0, 0));
        }
        table.put(&position(4), entry(3, 0, 0));
        assert_eq!(table.get(&position(0)), None);
        assert!(table.get(&position(1)).is_some());
        table.age();
        table.put(&position(5), entry(1, 0, 0));
        table.put(&position(6), entry(1, 0, 0));
        assert_eq!(table.get(&position(4)), None);
        assert!(table.get(&position(5)).is_some());
    }
}
