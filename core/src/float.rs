//! Elementary functions from additions, multiplications and divisions only, so that all platforms get the same bits. Those of the standard
//! library differ between platforms.

use std::f64::consts::{LN_2, LOG2_E, SQRT_2};

/// The exponential of a number from -700 to 700, to nearly the precision of f64.
///
/// Without a branch, a call or a division, so that the compiler makes vectors of loops over it.
#[inline]
pub(crate) fn exp(x: f64) -> f64 {
    /// 1 / n!
    const BY_POWER: [f64; 11] = {
        let mut factors = [1.0; 11];
        let mut n = 1;
        while n < 11 {
            factors[n] = factors[n - 1] / n as f64;
            n += 1;
        }
        factors
    };
    // Numbers of this size have no fraction, so the sum is rounded to a whole number, whose last bits are the last of its own.
    const WHOLE: f64 = 6_755_399_441_055_744.0; // 1.5 * 2^52
    let shifted = x * LOG2_E + WHOLE;
    let rest = x - (shifted - WHOLE) * LN_2;
    let mut sum = 0.0;
    for factor in BY_POWER.into_iter().rev() {
        sum = sum * rest + factor;
    }
    sum * f64::from_bits((shifted.to_bits() << 52).wrapping_add(1023 << 52))
}

/// The natural logarithm of a normal number above 0, to nearly the precision of f64.
pub(crate) fn ln(x: f64) -> f64 {
    let bits = x.to_bits();
    let mut exponent = (bits >> 52) as i64 - 1023;
    let mut fraction = f64::from_bits((bits & !(0x7ff << 52)) | (1023 << 52));
    if fraction > SQRT_2 {
        fraction /= 2.0;
        exponent += 1;
    }
    // ln f = 2 artanh((f - 1) / (f + 1))
    let s = (fraction - 1.0) / (fraction + 1.0);
    let mut sum = 0.0;
    for n in (0..11).rev() {
        sum = sum * s * s + 1.0 / f64::from(2 * n + 1);
    }
    exponent as f64 * LN_2 + 2.0 * s * sum
}

/// The error function, to 3e-10.
///
/// For x >= 0, e^(x²) (1 - erf x) is nearly a polynomial of t = 1 / (1 + x / 2). These coefficients, by powers of t, are a fit by least squares from
/// 0 to 4.2, where the error function is 1 to the precision of f32.
#[inline]
pub(crate) fn erf(x: f64) -> f64 {
    const BY_POWER: [f64; 9] = [
        -0.000_407_284_5,
        0.289_680_206_6,
        0.224_200_519,
        0.490_162_697_7,
        -0.447_203_052_6,
        1.079_964_813_5,
        -0.947_260_129_6,
        0.366_159_961_9,
        -0.055_297_732,
    ];
    let size = x.abs().clamp(0.0, 4.2);
    let t = 1.0 / (1.0 + 0.5 * size);
    let mut sum = 0.0;
    for factor in BY_POWER.into_iter().rev() {
        sum = sum * t + factor;
    }
    (1.0 - exp(-size * size) * sum).copysign(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_agree_with_the_standard_library() {
        for step in -6_000..=6_000 {
            let x = f64::from(step) / 10.0;
            let (got, wanted) = (exp(x), x.exp());
            assert!((got / wanted - 1.0).abs() < 1e-12, "exp {x}: {got}, {wanted}");
            let (got, wanted) = (ln(wanted), x);
            assert!((got - wanted).abs() < 1e-12 * wanted.abs().max(1.0), "ln e^{x}: {got}");
        }
        assert_eq!((exp(0.0), ln(1.0), ln(2.0)), (1.0, 0.0, LN_2));
    }

    #[test]
    fn the_error_function_is_its_series() {
        // erf x = 2 / sqrt(pi) * e^(-x²) * (x + 2 x³ / 3 + 4 x⁵ / 15 + ...), whose parts are all positive.
        for step in 0..=500 {
            let x = f64::from(step) / 100.0;
            let (mut part, mut sum) = (x, x);
            for n in 1..200 {
                part *= 2.0 * x * x / f64::from(2 * n + 1);
                sum += part;
            }
            let wanted = std::f64::consts::FRAC_2_SQRT_PI * (-x * x).exp() * sum;
            assert!((erf(x) - wanted).abs() < 1e-8, "{x}: {} for {wanted}", erf(x));
            assert!(x > 4.2 || (erf(x) - wanted).abs() < 3e-10, "{x}: {} for {wanted}", erf(x));
            assert_eq!(erf(-x), -erf(x));
        }
        assert!(erf(f64::NAN).is_nan());
    }
}
