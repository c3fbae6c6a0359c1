//! Numbers and bars for people.

/// A number of bytes, with three digits.
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 7] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let (mut value, mut unit) = (bytes as f64, 0);
    while value >= 999.5 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    let digits = match value {
        _ if unit == 0 => 0,
        value if value < 9.995 => 2,
        value if value < 99.95 => 1,
        _ => 0,
    };
    format!("{value:.digits$} {}", UNITS[unit])
}

/// A bar for each count, as high as its share of the highest; none for 0.
pub fn bars(counts: &[u64]) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let highest = counts.iter().copied().max().unwrap_or(0).max(1);
    let bar = |&count: &u64| match count {
        0 => '·',
        count => BARS[((u128::from(count) * 8).div_ceil(u128::from(highest)) - 1) as usize],
    };
    counts.iter().map(bar).collect()
}

/// A word for one or for another number of things.
pub fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// How many of so many lines to show, if 0 stands for all.
pub fn shown(top: usize, lines: usize) -> usize {
    if top == 0 { lines } else { top.min(lines) }
}

/// What to say of the lines that are not shown.
pub fn more(lines: usize, shown: usize) -> String {
    match lines - shown {
        0 => String::new(),
        more => format!("… and {more} more: -n 0 shows all\n"),
    }
}

/// A share of a whole in percent.
pub fn percent(part: u64, whole: u64) -> u64 {
    (u128::from(part) * 100 / u128::from(whole.max(1))) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_three_digits() {
        let sizes = [
            (0, "0 B"),
            (999, "999 B"),
            (1000, "0.98 KiB"),
            (1 << 20, "1.00 MiB"),
            (1023 << 20, "1.00 GiB"),
            (150 << 30, "150 GiB"),
            (u64::MAX, "16.0 EiB"),
        ];
        for (bytes, said) in sizes {
            assert_eq!(size(bytes), said);
        }
    }

    #[test]
    fn bars_are_shares_of_the_highest() {
        assert_eq!(bars(&[0, 1, 4, 8]), "·▁▄█");
        assert_eq!(bars(&[0, 0]), "··");
        assert_eq!(bars(&[u64::MAX, 1]), "█▁");
    }
}
