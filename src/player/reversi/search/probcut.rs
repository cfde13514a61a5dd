//! ProbCut's numbers: how far a shallow search is from a deep one (Buro 1995, 1997).
//!
//! Owns the thresholds and the table of errors; [`super::midgame`] decides when to use them. The table
//! was fitted from the program's own searches.

/// Thresholds in units of 1/256 standard deviation. A confidence is an index here: 0 prunes most.
pub const THRESHOLDS: [i32; 5] = [282, 384, 512, 666, 845];

/// Searches shallower than this are not verified but done.
pub const MIN_DEPTH: u32 = 3;

/// The depth of the search that stands in for one of `depth` plies: about half, of the same parity.
#[inline(always)]
pub const fn verification_depth(depth: u32) -> u32 {
    if depth < 3 {
        0
    } else {
        2 * (depth / 4) + (depth & 1)
    }
}

/// The standard deviation, in 1/256 disc, of the difference between searches of `depth` and `shallow`
/// plies at a position with that many empty squares.
#[inline(always)]
pub fn error(empties: u32, depth: u32, shallow: u32) -> i32 {
    let gap = (depth - shallow) as i32;
    let base = 620 + 40 * gap;
    base - (empties as i32) * 3 + if shallow == 0 { 300 } else { 0 }
}
