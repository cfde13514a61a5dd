//! ProbCut's numbers: how far a shallow search is from a deep one (Buro 1995, 1997).
//!
//! Owns the thresholds and hands out the fitted errors of [`super::probcut_errors`]; [`super::midgame`]
//! decides when to use them.

use super::probcut_errors::{MIDDLE, TO_THE_END};

/// Thresholds in units of 1/256 standard deviation. A confidence is an index here: 0 prunes most.
pub const THRESHOLDS: [i32; 5] = [282, 384, 512, 666, 845];

/// Searches shallower than this are not verified but done.
pub const MIN_DEPTH: u32 = 3;

/// How many verifications may be under way, one within the other.
pub const NESTED: u32 = 2;

/// Errors are known for depths below this.
pub const DEPTHS: usize = 41;

/// Errors of middle-game searches are told apart by groups of this many empty squares.
pub const GROUP: usize = 4;

/// The number of those groups.
pub const GROUPS: usize = 16;

/// The depth of the search that stands in for one of `depth` plies: about half, of the same parity.
#[inline(always)]
pub const fn verification_depth(depth: u32) -> u32 {
    if depth < 3 {
        0
    } else {
        2 * (depth / 4) + (depth & 1)
    }
}

/// The standard deviation, in 1/256 disc, of the difference between a search of `depth` plies (to the
/// end, if there are as many empty squares) and one of [`verification_depth`].
#[inline(always)]
pub fn error(empties: u32, depth: u32) -> i32 {
    let depth_index = (depth as usize).min(DEPTHS - 1);
    let errors = if depth >= empties {
        &TO_THE_END
    } else {
        &MIDDLE[(empties as usize / GROUP).min(GROUPS - 1)]
    };
    i32::from(errors[depth_index])
}
