//! DER, in its one form, as far as stamps, seals and certificates need it.

pub const INTEGER: u8 = 0x02;
pub const OCTETS: u8 = 0x04;
pub const OBJECT: u8 = 0x06;
pub const BOOLEAN: u8 = 0x01;
pub const TIME: u8 = 0x18;
pub const SEQUENCE: u8 = 0x30;
pub const SET: u8 = 0x31;
pub const FIRST: u8 = 0xa0;

pub type Read<T> = Result<T, String>;

/// A DER value: its tag, its content, and all of its bytes.
#[derive(Clone, Copy)]
pub struct Value<'a> {
    pub tag: u8,
    pub content: &'a [u8],
    pub whole: &'a [u8],
}

/// Reads DER values that stand one behind the other.
pub struct Der<'a>(pub &'a [u8]);

impl<'a> Der<'a> {
    pub fn next(&mut self) -> Read<Value<'a>> {
        let cut = || "its DER is cut off".to_string();
        let (&tag, rest) = self.0.split_first().ok_or_else(cut)?;
        let (&first, rest) = rest.split_first().ok_or_else(cut)?;
        let (length, rest) = if first < 0x80 {
            (usize::from(first), rest)
        } else {
            let count = usize::from(first & 0x7f);
            if !(1..=4).contains(&count) || rest.len() < count || tag & 0x1f == 0x1f {
                return Err("its DER has a length or tag that is not read here".into());
            }
            let (digits, rest) = rest.split_at(count);
            let length = digits.iter().fold(0, |sum, digit| sum << 8 | usize::from(*digit));
            if length < 0x80 || digits[0] == 0 {
                return Err("its DER has a length that is not the shortest".into());
            }
            (length, rest)
        };
        if rest.len() < length {
            return Err(cut());
        }
        let (content, behind) = rest.split_at(length);
        let whole = &self.0[..self.0.len() - behind.len()];
        self.0 = behind;
        Ok(Value { tag, content, whole })
    }

    pub fn expect(&mut self, tag: u8) -> Read<Value<'a>> {
        let value = self.next()?;
        if value.tag != tag {
            return Err(format!("its DER has {:02x} where {tag:02x} is due", value.tag));
        }
        Ok(value)
    }

    pub fn optional(&mut self, tag: u8) -> Read<Option<Value<'a>>> {
        if self.0.first() == Some(&tag) {
            self.next().map(Some)
        } else {
            Ok(None)
        }
    }

    pub fn expect_end(&self) -> Read<()> {
        if self.0.is_empty() {
            Ok(())
        } else {
            Err("something stands behind its DER".into())
        }
    }
}

impl<'a> Value<'a> {
    pub fn inside(&self) -> Der<'a> {
        Der(self.content)
    }
}

/// The part of a certificate that is signed, without its optional version.
pub fn to_be_signed(certificate: &[u8]) -> Read<Der<'_>> {
    let mut inner = Der(certificate).expect(SEQUENCE)?.inside().expect(SEQUENCE)?.inside();
    inner.optional(FIRST)?;
    Ok(inner)
}

pub fn issuer_and_serial(certificate: &[u8]) -> Read<(&[u8], &[u8])> {
    let mut inner = to_be_signed(certificate)?;
    let serial = inner.expect(INTEGER)?.content;
    inner.expect(SEQUENCE)?;
    Ok((inner.expect(SEQUENCE)?.whole, serial))
}

/// Microseconds of a GeneralizedTime such as `20260101120000.25Z`.
pub fn read_time(text: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(text).ok()?.strip_suffix('Z')?;
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let are_digits = |part: &str| part.bytes().all(|sign| sign.is_ascii_digit());
    if whole.len() != 14 || !are_digits(whole) || !are_digits(fraction) {
        return None;
    }
    let number = |from: usize, to: usize| whole[from..to].parse::<i64>().ok();
    let (year, month, day) = (number(0, 4)?, number(4, 6)?, number(6, 8)?);
    let (hour, minute, second) = (number(8, 10)?, number(10, 12)?, number(12, 14)?);
    if !(1..=12).contains(&month)
        || !(1..=days_of(year, month)).contains(&day)
        || hour > 23
        || minute > 59
        || second > 59
    {
        return None;
    }
    let micros: i64 = format!("{fraction:0<6}")[..6].parse().ok()?;
    // Days from 1970-01-01 in the Gregorian calendar, counted from March of the year 0.
    let (years, months) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = 365 * years + years / 4 - years / 100 + years / 400 + (153 * months + 2) / 5 + day
        - 719_469;
    Some((((days * 24 + hour) * 60 + minute) * 60 + second) * 1_000_000 + micros)
}

fn days_of(year: i64, month: i64) -> i64 {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 => 28 + i64::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// An extension of a certificate: whether it is critical, and its value.
pub fn extension<'a>(certificate: &'a [u8], wanted: &[u8]) -> Read<Option<(bool, &'a [u8])>> {
    let mut inner = to_be_signed(certificate)?;
    for _ in 0..6 {
        inner.next()?;
    }
    while !inner.0.is_empty() {
        let part = inner.next()?;
        if part.tag != 0xa3 {
            continue;
        }
        let mut extensions = part.inside().expect(SEQUENCE)?.inside();
        while !extensions.0.is_empty() {
            let mut extension = extensions.expect(SEQUENCE)?.inside();
            let name = extension.expect(OBJECT)?.content;
            let is_critical =
                extension.optional(BOOLEAN)?.is_some_and(|value| value.content == [0xff]);
            if name == wanted {
                return Ok(Some((is_critical, extension.expect(OCTETS)?.content)));
            }
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_counted_from_1970() {
        assert_eq!(read_time(b"19700101000000Z"), Some(0));
        assert_eq!(read_time(b"20260101000000Z"), Some(1_767_225_600_000_000));
        assert_eq!(read_time(b"20240229235959.5Z"), Some(1_709_251_199_500_000));
        for text in [
            &b"2026010100000Z"[..],
            b"20260101000000",
            b"20261301000000Z",
            b"20250229000000Z",
            b"2026010100000aZ",
        ] {
            assert_eq!(read_time(text), None);
        }
    }

    #[test]
    fn der_is_read_in_its_one_form() {
        assert!(Der(&[0x30, 0x81, 0x01, 0x00]).next().is_err());
        assert!(Der(&[0x30, 0x02, 0x00]).next().is_err());
        assert!(Der(&[0x30, 0x80]).next().is_err());
        assert_eq!(Der(&[0x04, 0x01, 0x07, 0x09]).next().unwrap().content, [7]);
    }
}
