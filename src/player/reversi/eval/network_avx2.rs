//! The network's sums with AVX2: a row in half a register, sixteen units in one.
//!
//! Only [`super::weights`] calls this, and its portable version gives the same numbers.
// Loops by index: several arrays go side by side, and that is what compilers turn into vector code.
#![allow(clippy::needless_range_loop)]

use super::pattern::INSTANCES;
use super::weights::{
    Head, Inputs, Row, BIAS_INPUT, CHANNELS, HIDDEN, HIDDEN_SHIFT, INPUTS, MOST, ROWS,
};
use crate::isa::Isa;
use core::arch::x86_64::*;

const _: () = assert!(CHANNELS == 8 && HIDDEN == 16 && INPUTS == 10);

/// The sums of the rows at these places, and both sides' moves; see [`Inputs`].
#[inline(always)]
pub fn inputs<I: Isa>(
    isa: I,
    rows: &[Row; ROWS],
    at: &[u32; INSTANCES],
    moves: [i16; 2],
) -> Inputs {
    assert!(I::AVX2);
    // SAFETY: `Isa::AVX2` is true only for types whose values prove that the processor has AVX2, and
    // `isa` is such a value.
    isa.run(
        #[inline(always)]
        || unsafe { inputs_avx2(rows, at, moves) },
    )
}

/// A head's sum of products; see [`Head::product_sum`].
#[inline(always)]
pub fn product_sum<I: Isa>(isa: I, head: &Head<i16>, inputs: &Inputs) -> i32 {
    assert!(I::AVX2);
    // SAFETY: as in `inputs`.
    isa.run(
        #[inline(always)]
        || unsafe { product_sum_avx2(head, inputs) },
    )
}

#[inline]
#[target_feature(enable = "avx2")]
fn inputs_avx2(rows: &[Row; ROWS], at: &[u32; INSTANCES], moves: [i16; 2]) -> Inputs {
    let row = |i: usize| {
        let row = &rows[at[i] as usize % ROWS];
        // SAFETY: a row has the size of the register, and unaligned loads are allowed.
        unsafe { _mm_loadu_si128(row.as_ptr().cast()) }
    };
    let mut sums = [_mm_setzero_si128(); 2];
    for i in 0..INSTANCES / 2 {
        sums[0] = _mm_add_epi16(sums[0], row(2 * i));
        sums[1] = _mm_add_epi16(sums[1], row(2 * i + 1));
    }
    let sum = _mm_add_epi16(sums[0], sums[1]);
    let most = _mm_set1_epi16(MOST as i16);
    let sum = _mm_max_epi16(_mm_min_epi16(sum, most), _mm_set1_epi16(-MOST as i16));
    let mut inputs = [0; INPUTS];
    // SAFETY: there are more inputs than numbers in the register.
    unsafe { _mm_storeu_si128(inputs.as_mut_ptr().cast(), sum) };
    inputs[CHANNELS..].copy_from_slice(&moves);
    inputs
}

#[inline]
#[target_feature(enable = "avx2")]
fn product_sum_avx2(head: &Head<i16>, inputs: &Inputs) -> i32 {
    let load = |numbers: &[i16; HIDDEN]| {
        // SAFETY: sixteen numbers fill the register, and unaligned loads are allowed.
        unsafe { _mm256_loadu_si256(numbers.as_ptr().cast()) }
    };
    // Two inputs at a time: their weights side by side, their products added by one instruction. The
    // units' order is that of unpacking, which packing undoes.
    let bias = load(&head.hidden_bias);
    let bias_input = _mm256_set1_epi32(BIAS_INPUT);
    let zero = _mm256_setzero_si256();
    let mut low = _mm256_madd_epi16(_mm256_unpacklo_epi16(bias, zero), bias_input);
    let mut high = _mm256_madd_epi16(_mm256_unpackhi_epi16(bias, zero), bias_input);
    for i in 0..INPUTS / 2 {
        let (even, odd) = (load(&head.hidden[2 * i]), load(&head.hidden[2 * i + 1]));
        let pair = i32::from(inputs[2 * i]) & 0xffff | i32::from(inputs[2 * i + 1]) << 16;
        let pair = _mm256_set1_epi32(pair);
        low = _mm256_add_epi32(
            low,
            _mm256_madd_epi16(_mm256_unpacklo_epi16(even, odd), pair),
        );
        high = _mm256_add_epi32(
            high,
            _mm256_madd_epi16(_mm256_unpackhi_epi16(even, odd), pair),
        );
    }
    let shifted = |sums| _mm256_srai_epi32::<{ HIDDEN_SHIFT as i32 }>(sums);
    let units = _mm256_packs_epi32(shifted(low), shifted(high));
    let units = _mm256_min_epi16(
        _mm256_max_epi16(units, zero),
        _mm256_set1_epi16(MOST as i16),
    );
    let products = _mm256_madd_epi16(units, load(&head.out));
    let products = _mm_add_epi32(
        _mm256_castsi256_si128(products),
        _mm256_extracti128_si256::<1>(products),
    );
    // SAFETY: there are more inputs, and linear weights, than numbers in the register.
    let (channels, linear) = unsafe {
        (
            _mm_loadu_si128(inputs.as_ptr().cast()),
            _mm_loadu_si128(head.linear.as_ptr().cast()),
        )
    };
    let products = _mm_add_epi32(products, _mm_madd_epi16(channels, linear));
    let products = _mm_add_epi32(products, _mm_shuffle_epi32::<0b00_00_11_10>(products));
    let products = _mm_add_epi32(products, _mm_shuffle_epi32::<0b00_00_00_01>(products));
    let mut sum = _mm_cvtsi128_si32(products) + i32::from(head.bias) * BIAS_INPUT;
    for i in CHANNELS..INPUTS {
        sum += i32::from(inputs[i]) * i32::from(head.linear[i]);
    }
    sum
}
