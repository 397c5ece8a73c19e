//! What a verification says: lines for people, JSON for machines, and the exit code of both.

use std::io::Write;

use crate::fault::Fault;
use crate::json::{object, Json};

/// A verdict without a fault.
pub struct Report {
    /// The first line for people.
    pub title: String,
    pub rows: Vec<(String, String)>,
    pub json: Vec<(&'static str, Json)>,
    /// What could not be verified; any of them makes the exit code 1.
    pub reservations: Vec<String>,
}

impl Report {
    pub fn row(&mut self, name: &str, value: impl Into<String>) {
        self.rows.push((name.to_string(), value.into()));
    }
}

/// Print a verdict; gives the exit code.
pub fn show(result: Result<Report, Fault>, as_json: bool) -> u8 {
    let mut out = String::new();
    let code = match result {
        Ok(report) if as_json => {
            let code = u8::from(!report.reservations.is_empty());
            let mut pairs = report.json;
            pairs.push(("reservations", report.reservations.into()));
            object(pairs).write(&mut out);
            code
        }
        Ok(report) => {
            out.push_str(&report.title);
            for reservation in &report.reservations {
                out.push('\n');
                out.push_str(reservation);
            }
            let width = report.rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
            for (name, value) in &report.rows {
                out.push_str(&format!("\n{name:width$}  {value}"));
            }
            u8::from(!report.reservations.is_empty())
        }
        Err(fault) => {
            let text = describe(&fault, as_json);
            // A verdict goes to standard output only if there is one; a fault of a chain is said
            // on the error stream, as gameledger does.
            let _unwritable = writeln!(std::io::stderr(), "{text}");
            return fault.exit_code();
        }
    };
    if writeln!(std::io::stdout(), "{out}").is_err() {
        return 141;
    }
    code
}

fn describe(fault: &Fault, as_json: bool) -> String {
    if as_json {
        let mut pairs =
            vec![("error", Json::from(fault.class())), ("text", Json::from(fault.text()))];
        if let Fault::Integrity { position, place, .. } = fault {
            pairs.extend(position.map(|position| ("position", Json::from(position))));
            if !place.is_empty() {
                pairs.push(("place", Json::from(place.as_str())));
            }
        }
        let mut text = String::new();
        object(pairs).write(&mut text);
        return text;
    }
    let kind = match fault {
        Fault::Integrity { position: Some(position), .. } => {
            format!("integrity (position {position})")
        }
        Fault::Integrity { .. } => "integrity".to_string(),
        Fault::Input(_) => "input".to_string(),
        Fault::Availability(_) => "availability".to_string(),
    };
    format!("gameledger-verify: {kind}: {}", fault.text())
}

/// A moment as UTC, such as `2026-11-20 18:30:00.000`.
pub fn moment(microseconds: i64) -> String {
    let (days, rest) =
        (microseconds.div_euclid(86_400_000_000), microseconds.rem_euclid(86_400_000_000));
    // Civil date of a day counted from 1970, in years that begin with March.
    let day = days + 719_468;
    let (era, of_era) = (day.div_euclid(146_097), day.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let (month, year) = if shifted < 10 { (shifted + 3, year) } else { (shifted - 9, year + 1) };
    let milliseconds = rest / 1000;
    format!(
        "{:04}-{month:02}-{:02} {:02}:{:02}:{:02}.{:03}Z",
        year + era * 400,
        of_year - (153 * shifted + 2) / 5 + 1,
        milliseconds / 3_600_000,
        milliseconds / 60_000 % 60,
        milliseconds / 1000 % 60,
        milliseconds % 1000,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_in_utc() {
        assert_eq!(moment(0), "1970-01-01 00:00:00.000Z");
        assert_eq!(moment(1_795_195_800_123_000), "2026-11-20 17:30:00.123Z");
        assert_eq!(moment(1_709_251_199_000_000), "2024-02-29 23:59:59.000Z");
    }
}
