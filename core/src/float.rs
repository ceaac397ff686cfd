//! Elementary functions from additions, multiplications and divisions only, so that all platforms get the same bits. Those of the standard
//! library differ between platforms.

use std::f64::consts::{LN_2, LOG2_E, SQRT_2};

/// The exponential of a number from -700 to 700, to nearly the precision of f64.
pub(crate) fn exp(x: f64) -> f64 {
    let halvings = (x * LOG2_E).round();
    let rest = x - halvings * LN_2;
    let mut sum = 1.0;
    for n in (1..=10).rev() {
        sum = 1.0 + sum * rest / f64::from(n);
    }
    sum * f64::from_bits(((1023 + halvings as i64) as u64) << 52)
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
}
