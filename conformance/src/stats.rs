//! Statistical tests of the suite. Seeds are fixed, so results never change between two runs. Over all seeds, a correct game exceeds the
//! thresholds with a probability below one in a hundred thousand.

/// Allowed deviation, in standard deviations.
const Z: f64 = 4.5;

/// The value that chi-square with this many degrees of freedom does not exceed by chance (Wilson and Hilferty).
pub(crate) fn chi_square_limit(degrees: usize) -> f64 {
    let k = degrees.max(1) as f64;
    let a = 2.0 / (9.0 * k);
    k * (1.0 - a + Z * a.sqrt()).powi(3)
}

/// Whether counts fit probabilities; cells with an expectation below 5 are put together. `Err` holds
/// chi-square and its limit.
pub(crate) fn fits(counts: &[u64], probabilities: &[f64]) -> Result<(), (f64, f64)> {
    let total: u64 = counts.iter().sum();
    let (mut chi, mut cells, mut rest) = (0.0, 0, (0.0, 0.0));
    for (&count, &p) in counts.iter().zip(probabilities) {
        let expected = p * total as f64;
        if expected < 5.0 {
            rest = (rest.0 + count as f64, rest.1 + expected);
            continue;
        }
        chi += (count as f64 - expected).powi(2) / expected;
        cells += 1;
    }
    if rest.1 > 0.5 {
        chi += (rest.0 - rest.1).powi(2) / rest.1;
        cells += 1;
    } else if rest.0 > 0.0 && rest.1 == 0.0 {
        return Err((f64::INFINITY, 0.0));
    }
    let limit = chi_square_limit(if cells > 1 { cells - 1 } else { return Ok(()) });
    if chi <= limit { Ok(()) } else { Err((chi, limit)) }
}

/// Whether two samples of equal size can come from the same distribution; rare values are put together.
pub(crate) fn same_distribution(a: &[u64], b: &[u64]) -> Result<(), (f64, f64)> {
    let (mut chi, mut cells, mut rest) = (0.0, 0, (0.0, 0.0));
    for (&x, &y) in a.iter().zip(b) {
        let (x, y) = (x as f64, y as f64);
        if x + y < 10.0 {
            rest = (rest.0 + x, rest.1 + y);
            continue;
        }
        chi += (x - y).powi(2) / (x + y);
        cells += 1;
    }
    if rest.0 + rest.1 >= 10.0 {
        chi += (rest.0 - rest.1).powi(2) / (rest.0 + rest.1);
        cells += 1;
    }
    let limit = chi_square_limit(if cells > 1 { cells - 1 } else { return Ok(()) });
    if chi <= limit { Ok(()) } else { Err((chi, limit)) }
}

/// Whether the number of agreements between two independent draws is what their frequencies make likely.
/// `Err` holds the number of agreements and the number expected.
pub(crate) fn independent(pairs: &[(u64, u64)]) -> Result<(), (usize, f64)> {
    let n = pairs.len() as f64;
    let mut values: Vec<u64> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
    values.sort_unstable();
    values.dedup();
    let share = |which: fn(&(u64, u64)) -> u64, value: u64| {
        pairs.iter().filter(|pair| which(pair) == value).count() as f64 / n
    };
    let p: f64 = values.iter().map(|&v| share(|pair| pair.0, v) * share(|pair| pair.1, v)).sum();
    let agreed = pairs.iter().filter(|(a, b)| a == b).count();
    let deviation = (n * p * (1.0 - p)).sqrt();
    if (agreed as f64 - n * p).abs() <= Z * deviation.max(1.0) { Ok(()) } else { Err((agreed, n * p)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_near_tabulated_values() {
        // 99.9997 % points: 22.2 for 1 degree of freedom (the approximation is a little off there), 67.3 for 23.
        assert!((chi_square_limit(23) - 67.3).abs() < 3.0, "{}", chi_square_limit(23));
        assert!((18.0..26.0).contains(&chi_square_limit(1)), "{}", chi_square_limit(1));
    }

    #[test]
    fn wrong_frequencies_are_found() {
        assert!(fits(&[250, 250, 500], &[0.25, 0.25, 0.5]).is_ok());
        assert!(fits(&[400, 100, 500], &[0.25, 0.25, 0.5]).is_err());
        assert!(fits(&[990, 0, 10], &[0.5, 0.5, 0.0]).is_err());
        assert!(same_distribution(&[500, 500], &[480, 520]).is_ok());
        assert!(same_distribution(&[500, 500], &[0, 1000]).is_err());
    }

    #[test]
    fn foresight_is_found() {
        let honest: Vec<(u64, u64)> = (0..400).map(|i| (i % 6, (i / 6) % 6)).collect();
        let cheat: Vec<(u64, u64)> = (0..400).map(|i| (i % 6, i % 6)).collect();
        assert!(independent(&honest).is_ok());
        assert!(independent(&cheat).is_err());
        assert!(independent(&[(1, 1); 100]).is_ok());
    }
}
