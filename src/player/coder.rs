//! An adaptive binary range coder, as in LZMA: each bit costs what it surprises its model.
//!
//! Encoder and decoder share one trait, so that whoever describes the order of the bits describes it once
//! for both directions. Owns bits and whole numbers, not what they mean.

use alloc::vec::Vec;

/// The probability of a zero bit, as the mean of a quick and a slow estimate in units of 2^-16.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    quick: u16,
    slow: u16,
}

const QUICK: u32 = 4;
const SLOW: u32 = 7;

impl Model {
    /// Nothing is known yet.
    pub const NEW: Model = Model {
        quick: 1 << 15,
        slow: 1 << 15,
    };

    /// The probability of a zero, never 0 and never 1.
    #[inline(always)]
    fn zero(self) -> u32 {
        ((u32::from(self.quick) + u32::from(self.slow)) >> 1).clamp(64, 65_535 - 64)
    }

    #[inline(always)]
    fn learn(&mut self, bit: bool) {
        let towards = |estimate: u16, rate: u32| {
            if bit {
                estimate - (estimate >> rate)
            } else {
                estimate + ((65_535 - estimate) >> rate)
            }
        };
        self.quick = towards(self.quick, QUICK);
        self.slow = towards(self.slow, SLOW);
    }
}

/// One direction of coding.
pub trait Coder {
    /// Codes a bit: an encoder writes `bit` and returns it, a decoder ignores it and returns what it reads.
    fn bit(&mut self, model: &mut Model, bit: bool) -> bool;
}

/// A range below this is widened by a byte.
const TOP: u32 = 1 << 24;

/// Writes bits to bytes.
pub struct Encoder {
    low: u64,
    range: u32,
    bytes: Vec<u8>,
}

impl Default for Encoder {
    fn default() -> Encoder {
        Encoder {
            low: 0,
            range: u32::MAX,
            bytes: Vec::new(),
        }
    }
}

impl Encoder {
    /// The coded bytes.
    pub fn finish(mut self) -> Vec<u8> {
        for _ in 0..4 {
            self.shift();
        }
        self.bytes
    }

    /// Moves the top byte out; a carry goes back through the bytes already there.
    fn shift(&mut self) {
        if self.low >> 32 != 0 {
            for byte in self.bytes.iter_mut().rev() {
                *byte = byte.wrapping_add(1);
                if *byte != 0 {
                    break;
                }
            }
        }
        self.bytes.push((self.low >> 24) as u8);
        self.low = (self.low << 8) & 0xffff_ffff;
    }
}

impl Coder for Encoder {
    fn bit(&mut self, model: &mut Model, bit: bool) -> bool {
        let bound = (self.range >> 16) * model.zero();
        if bit {
            self.low += u64::from(bound);
            self.range -= bound;
        } else {
            self.range = bound;
        }
        model.learn(bit);
        while self.range < TOP {
            self.range <<= 8;
            self.shift();
        }
        bit
    }
}

/// Reads bits from bytes. Beyond the end it reads zeros.
pub struct Decoder<'a> {
    code: u32,
    range: u32,
    rest: core::slice::Iter<'a, u8>,
}

impl<'a> Decoder<'a> {
    /// A decoder of what an [`Encoder`] wrote.
    pub fn new(bytes: &'a [u8]) -> Decoder<'a> {
        let mut decoder = Decoder {
            code: 0,
            range: u32::MAX,
            rest: bytes.iter(),
        };
        for _ in 0..4 {
            decoder.shift();
        }
        decoder
    }

    #[inline(always)]
    fn shift(&mut self) {
        self.code = self.code << 8 | u32::from(self.rest.next().copied().unwrap_or(0));
    }
}

impl Coder for Decoder<'_> {
    #[inline(always)]
    fn bit(&mut self, model: &mut Model, _: bool) -> bool {
        let bound = (self.range >> 16) * model.zero();
        let bit = self.code >= bound;
        if bit {
            self.code -= bound;
            self.range -= bound;
        } else {
            self.range = bound;
        }
        model.learn(bit);
        while self.range < TOP {
            self.range <<= 8;
            self.shift();
        }
        bit
    }
}

/// The most binary digits of a magnitude.
const DIGITS: usize = 14;

/// The models of a number in one context: whether it is zero, its sign, how many binary digits it has, and
/// the digits after the first.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    zero: Model,
    negative: Model,
    longer: [Model; DIGITS],
    second: [Model; DIGITS],
    further: [Model; DIGITS],
}

impl Context {
    /// Nothing is known yet.
    pub const NEW: Context = Context {
        zero: Model::NEW,
        negative: Model::NEW,
        longer: [Model::NEW; DIGITS],
        second: [Model::NEW; DIGITS],
        further: [Model::NEW; DIGITS],
    };

    /// Codes a number of at most [`DIGITS`] binary digits. (Not inlined: its code is long.)
    #[inline(never)]
    pub fn number<C: Coder>(&mut self, coder: &mut C, value: i32) -> i32 {
        if !coder.bit(&mut self.zero, value != 0) {
            return 0;
        }
        let negative = coder.bit(&mut self.negative, value < 0);
        let size = value.unsigned_abs();
        let mut length = 1;
        while length < DIGITS && coder.bit(&mut self.longer[length], size >> length != 0) {
            length += 1;
        }
        let mut coded = 1;
        for place in (0..length - 1).rev() {
            let model = if place + 2 == length {
                &mut self.second[length - 1]
            } else {
                &mut self.further[place]
            };
            coded = coded << 1 | i32::from(coder.bit(model, size >> place & 1 != 0));
        }
        if negative {
            -coded
        } else {
            coded
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_come_back_and_likely_ones_cost_little() {
        let bits: Vec<bool> = (0..40_000u32)
            .map(|i| i.wrapping_mul(i) % 29 == 3)
            .collect();
        let mut encoder = Encoder::default();
        let mut model = Model::NEW;
        for &bit in &bits {
            encoder.bit(&mut model, bit);
        }
        let bytes = encoder.finish();
        assert!(bytes.len() < 40_000 / 8 / 2, "{}", bytes.len());
        let mut decoder = Decoder::new(&bytes);
        let mut model = Model::NEW;
        for &bit in &bits {
            assert_eq!(decoder.bit(&mut model, false), bit);
        }
    }

    #[test]
    fn carries_reach_back_through_full_bytes() {
        for seed in 1..200u64 {
            let mut state = seed;
            let mut bit = || {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                state >> 60 != 0
            };
            let bits: Vec<bool> = (0..300).map(|_| bit()).collect();
            let mut encoder = Encoder::default();
            let mut model = Model::NEW;
            for &bit in &bits {
                encoder.bit(&mut model, bit);
            }
            let bytes = encoder.finish();
            let mut decoder = Decoder::new(&bytes);
            let mut model = Model::NEW;
            assert!(bits
                .iter()
                .all(|&bit| decoder.bit(&mut model, false) == bit));
        }
    }
}
