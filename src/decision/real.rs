//! Functions of real numbers that the core library has not. By additions and multiplications alone, so
//! that they give the same on every machine.

/// The natural logarithm of a number above 0, to six digits.
pub fn ln(x: f64) -> f64 {
    let bits = x.to_bits();
    let exponent = (bits >> 52) as i64 - 1023;
    let mantissa = f64::from_bits((bits & ((1 << 52) - 1)) | 1023 << 52);
    let z = (mantissa - 1.0) / (mantissa + 1.0);
    let (mut power, mut sum) = (z, 0.0);
    for odd in [1.0, 3.0, 5.0, 7.0, 9.0, 11.0] {
        sum += power / odd;
        power *= z * z;
    }
    exponent as f64 * core::f64::consts::LN_2 + 2.0 * sum
}

/// e to the power of `x`, which is at most 0: by squaring.
pub fn exp(x: f64) -> f64 {
    const SQUARINGS: u32 = 12;
    let small = x / f64::from(1 << SQUARINGS);
    let mut power = 1.0 + small * (1.0 + small / 2.0 * (1.0 + small / 3.0));
    for _ in 0..SQUARINGS {
        power *= power;
    }
    power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_right() {
        for x in [1e-9, 1e-3, 0.3, 0.5, 0.999, 1.0, 1.5, 2.0, 1e6] {
            assert!((ln(x) - f64::ln(x)).abs() < 1e-5, "{x}");
        }
    }

    #[test]
    fn powers_are_right() {
        for x in [-40.0, -7.5, -1.0, -0.5, -1e-3, -1e-9, 0.0] {
            assert!((exp(x) / f64::exp(x) - 1.0).abs() < 1e-5, "{x}");
        }
    }
}
