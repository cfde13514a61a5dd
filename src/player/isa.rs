//! Which instructions the processor has, and how hot code is compiled for them.
//!
//! A search is generic over [`Isa`] and compiled twice: once for any x86-64 (or any other) processor and
//! once for x86-64-v3 (AVX2, BMI, POPCNT). [`Level::detect`] decides at run time; whoever starts a search
//! matches on the level once, and [`Isa::run`] carries the wider instruction set through the recursion.
//! This module owns that choice and must not know about games.

/// The instruction sets that the player distinguishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// What every processor has.
    Portable,
    /// x86-64-v3: AVX2, BMI1, BMI2, LZCNT, POPCNT. Only ever made by [`Level::detect`].
    V3(V3),
}

impl Level {
    /// The best level of this processor.
    pub fn detect() -> Level {
        match V3::detect() {
            Some(v3) => Level::V3(v3),
            None => Level::Portable,
        }
    }
}

/// An instruction set as a type. Values are proofs: holding a [`V3`] means the processor has it.
pub trait Isa: Copy + 'static {
    /// Whether AVX2 code may run.
    const AVX2: bool;

    /// Runs `f` compiled with this instruction set. Mark the closure `#[inline(always)]`, and what it
    /// calls `#[inline]`, or the compiler may leave them at the baseline.
    fn run<R>(self, f: impl FnOnce() -> R) -> R;
}

/// Asks the processor to fetch the cache line in which `of` begins, if it knows how.
#[inline(always)]
pub fn prefetch<T>(of: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_mm_prefetch, _MM_HINT_T0};
        let of: *const T = of;
        // SAFETY: prefetching has no effect but on caches, and the address is a live value's.
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(of.cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = of;
}

/// Code for any processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Portable;

impl Isa for Portable {
    const AVX2: bool = false;

    #[inline(always)]
    fn run<R>(self, f: impl FnOnce() -> R) -> R {
        f()
    }
}

/// Proof that the processor has x86-64-v3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct V3(());

#[cfg(target_arch = "x86_64")]
impl V3 {
    /// Asks the processor, and the operating system whether it saves the wide registers.
    pub fn detect() -> Option<V3> {
        use core::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};

        #[target_feature(enable = "xsave")]
        fn enabled_state() -> u64 {
            // SAFETY: the caller has seen OSXSAVE, so XGETBV is allowed; register 0 always exists.
            unsafe { _xgetbv(0) }
        }
        const FMA_MOVBE_POPCNT_OSXSAVE_AVX: u32 = 1 << 12 | 1 << 22 | 1 << 23 | 1 << 27 | 1 << 28;
        const BMI1_AVX2_BMI2: u32 = 1 << 3 | 1 << 5 | 1 << 8;
        const LZCNT: u32 = 1 << 5;
        const XMM_AND_YMM: u64 = 0b110;

        if __cpuid(0).eax < 7 || __cpuid(0x8000_0000).eax < 0x8000_0001 {
            return None;
        }
        let has = |register: u32, bits: u32| register & bits == bits;
        if !has(__cpuid(1).ecx, FMA_MOVBE_POPCNT_OSXSAVE_AVX)
            || !has(__cpuid_count(7, 0).ebx, BMI1_AVX2_BMI2)
            || !has(__cpuid(0x8000_0001).ecx, LZCNT)
        {
            return None;
        }
        // SAFETY: OSXSAVE, seen above, means that XSAVE is there and switched on.
        let state = unsafe { enabled_state() };
        (state & XMM_AND_YMM == XMM_AND_YMM).then_some(V3(()))
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl V3 {
    /// Never there on other architectures.
    pub fn detect() -> Option<V3> {
        None
    }
}

impl Isa for V3 {
    const AVX2: bool = cfg!(target_arch = "x86_64");

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn run<R>(self, f: impl FnOnce() -> R) -> R {
        #[target_feature(enable = "avx,avx2,bmi1,bmi2,fma,lzcnt,movbe,popcnt")]
        fn wide<R>(f: impl FnOnce() -> R) -> R {
            f()
        }
        // SAFETY: a `V3` is only made after the processor said that it has all of these.
        unsafe { wide(f) }
    }

    #[cfg(not(target_arch = "x86_64"))]
    #[inline(always)]
    fn run<R>(self, f: impl FnOnce() -> R) -> R {
        f()
    }
}
