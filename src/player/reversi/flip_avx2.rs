//! Moves and flips with AVX2: four directions side by side in the lanes of a register.
//!
//! Only [`super::flip`] calls this. The idea of one lane a direction is common in the field (Edax has
//! several such routines).

use super::flip::RAYS;
use super::square::{Set, Square};
use crate::isa::Isa;
use core::arch::x86_64::*;

/// Legal moves; see [`super::flip::moves`].
#[inline(always)]
pub fn moves<I: Isa>(isa: I, player: Set, opponent: Set) -> Set {
    assert!(I::AVX2);
    // SAFETY: `Isa::AVX2` is true only for types whose values prove that the processor has AVX2, and
    // `isa` is such a value.
    isa.run(
        #[inline(always)]
        || unsafe { moves_avx2(player, opponent) },
    )
}

/// Flipped discs; see [`super::flip::flips`].
#[inline(always)]
pub fn flips<I: Isa>(isa: I, player: Set, opponent: Set, square: Square) -> Set {
    assert!(I::AVX2);
    // SAFETY: as in `moves`.
    isa.run(
        #[inline(always)]
        || unsafe { flips_avx2(player, opponent, square) },
    )
}

#[inline]
#[target_feature(enable = "avx2")]
fn moves_avx2(player: Set, opponent: Set) -> Set {
    let step = _mm256_set_epi64x(7, 9, 8, 1);
    let two_steps = _mm256_add_epi64(step, step);
    let inner = _mm256_set_epi64x(
        0x7e7e_7e7e_7e7e_7e7e,
        0x7e7e_7e7e_7e7e_7e7e,
        -1,
        0x7e7e_7e7e_7e7e_7e7e,
    );
    let players = _mm256_set1_epi64x(player as i64);
    let between = _mm256_and_si256(_mm256_set1_epi64x(opponent as i64), inner);

    let mut up = _mm256_and_si256(between, _mm256_sllv_epi64(players, step));
    let mut down = _mm256_and_si256(between, _mm256_srlv_epi64(players, step));
    up = _mm256_or_si256(up, _mm256_and_si256(between, _mm256_sllv_epi64(up, step)));
    down = _mm256_or_si256(
        down,
        _mm256_and_si256(between, _mm256_srlv_epi64(down, step)),
    );
    let pairs_up = _mm256_and_si256(between, _mm256_sllv_epi64(between, step));
    let pairs_down = _mm256_srlv_epi64(pairs_up, step);
    for _ in 0..2 {
        let further_up = _mm256_sllv_epi64(up, two_steps);
        let further_down = _mm256_srlv_epi64(down, two_steps);
        up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, further_up));
        down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, further_down));
    }
    let found = _mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step));
    fold(found) & !(player | opponent)
}

#[inline]
#[target_feature(enable = "avx2")]
fn flips_avx2(player: Set, opponent: Set, square: Square) -> Set {
    let rays = &RAYS[square.index()];
    // SAFETY: both arrays are 32 bytes long, and `Rays` is aligned to 64 bytes with `up` first.
    let (ray_up, ray_down) = unsafe {
        (
            _mm256_load_si256(rays.up.as_ptr().cast()),
            _mm256_load_si256(rays.down.as_ptr().cast()),
        )
    };
    let players = _mm256_set1_epi64x(player as i64);
    let opponents = _mm256_set1_epi64x(opponent as i64);
    let none = _mm256_setzero_si256();

    // Upwards the first square that is not the opponent's is the lowest bit: if it is ours, all below flip.
    let stops = _mm256_andnot_si256(opponents, ray_up);
    let first = _mm256_and_si256(stops, _mm256_sub_epi64(none, stops));
    let end = _mm256_and_si256(first, players);
    let below = _mm256_add_epi64(end, _mm256_set1_epi64x(-1));
    let open = _mm256_cmpeq_epi64(end, none);
    let up = _mm256_andnot_si256(open, _mm256_and_si256(below, ray_up));

    // Downwards it is the highest bit: smear all of them along the ray; what stays clear is the run.
    let step = _mm256_set_epi64x(8, 9, 7, 1);
    let mut smeared = _mm256_andnot_si256(opponents, ray_down);
    smeared = _mm256_or_si256(smeared, _mm256_srlv_epi64(smeared, step));
    let two_steps = _mm256_add_epi64(step, step);
    smeared = _mm256_or_si256(smeared, _mm256_srlv_epi64(smeared, two_steps));
    let four_steps = _mm256_add_epi64(two_steps, two_steps);
    smeared = _mm256_or_si256(smeared, _mm256_srlv_epi64(smeared, four_steps));
    let first = _mm256_andnot_si256(_mm256_srlv_epi64(smeared, step), smeared);
    let end = _mm256_and_si256(_mm256_and_si256(first, ray_down), players);
    let open = _mm256_cmpeq_epi64(end, none);
    let down = _mm256_andnot_si256(_mm256_or_si256(open, smeared), ray_down);

    fold(_mm256_or_si256(up, down))
}

/// The four lanes in one word.
#[inline]
#[target_feature(enable = "avx2")]
fn fold(lanes: __m256i) -> u64 {
    let half = _mm_or_si128(
        _mm256_castsi256_si128(lanes),
        _mm256_extracti128_si256::<1>(lanes),
    );
    _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))) as u64
}
