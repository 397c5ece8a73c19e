//! Avro binary encoding in the one way that docs/format.md allows.

/// A type of a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    Boolean,
    Int,
    Long,
    Bytes,
    Text,
    Texts,
    Longs,
    Optional(Plain),
}

/// A type that a union with `null` may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plain {
    Boolean,
    Int,
    Long,
    Bytes,
    Text,
}

/// A decoded value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Null,
    Boolean(bool),
    Number(i64),
    Bytes(Vec<u8>),
    Text(String),
    Texts(Vec<String>),
    Numbers(Vec<i64>),
}

/// Reads a message from its first byte to its last.
pub struct Reader<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
}

pub type Read<T> = Result<T, &'static str>;

const ENDS: &str = "it ends too early";

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Reader { bytes, at: 0 }
    }

    #[inline]
    pub fn long(&mut self) -> Read<i64> {
        let first = *self.bytes.get(self.at).ok_or(ENDS)?;
        self.at += 1;
        if first < 0x80 {
            return Ok(i64::from(first >> 1) ^ -i64::from(first & 1));
        }
        let mut number = u64::from(first & 0x7f);
        let mut shift = 7;
        loop {
            let byte = *self.bytes.get(self.at).ok_or(ENDS)?;
            self.at += 1;
            if shift == 63 && byte > 1 {
                return Err("a number has more than 64 bits");
            }
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                if byte == 0 {
                    return Err("a number is padded");
                }
                return Ok((number >> 1) as i64 ^ -((number & 1) as i64));
            }
            shift += 7;
        }
    }

    #[inline]
    pub fn int(&mut self) -> Read<i32> {
        i32::try_from(self.long()?).map_err(|_| "an int has more than 32 bits")
    }

    #[inline]
    pub fn part(&mut self) -> Read<&'a [u8]> {
        let length = usize::try_from(self.long()?).map_err(|_| "a length is negative")?;
        let rest = self.bytes.len().saturating_sub(self.at);
        if length > rest {
            return Err(ENDS);
        }
        let part = &self.bytes[self.at..self.at + length];
        self.at += length;
        Ok(part)
    }

    #[inline]
    pub fn text(&mut self) -> Read<&'a str> {
        std::str::from_utf8(self.part()?).map_err(|_| "a text is not UTF-8")
    }

    pub fn boolean(&mut self) -> Read<bool> {
        let byte = *self.bytes.get(self.at).ok_or(ENDS)?;
        self.at += 1;
        match byte {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err("a boolean is neither 00 nor 01"),
        }
    }

    /// The count of an array's one block; zero for an empty array, which has no end of its own.
    pub fn count(&mut self) -> Read<usize> {
        let count = self.long()?;
        // Each item takes at least one byte, and the end of the block one more.
        if count < 0 || count as u64 > (self.bytes.len() - self.at) as u64 {
            return Err("the count of an array is negative or too large");
        }
        Ok(count as usize)
    }

    pub fn end_of_array(&mut self) -> Read<()> {
        match self.bytes.get(self.at) {
            Some(0) => {
                self.at += 1;
                Ok(())
            }
            Some(_) => Err("an array has more than one block"),
            None => Err(ENDS),
        }
    }

    /// Whether a union with `null` holds a value.
    pub fn holds_value(&mut self) -> Read<bool> {
        match self.bytes.get(self.at) {
            Some(0) => {
                self.at += 1;
                Ok(false)
            }
            Some(2) => {
                self.at += 1;
                Ok(true)
            }
            Some(_) => Err("a union has no such branch"),
            None => Err(ENDS),
        }
    }

    pub fn value(&mut self, kind: Type) -> Read<Value> {
        Ok(match kind {
            Type::Boolean => Value::Boolean(self.boolean()?),
            Type::Int => Value::Number(self.int()?.into()),
            Type::Long => Value::Number(self.long()?),
            Type::Bytes => Value::Bytes(self.part()?.to_vec()),
            Type::Text => Value::Text(self.text()?.to_string()),
            Type::Texts => {
                let count = self.count()?;
                let mut items = Vec::with_capacity(count);
                for _ in 0..count {
                    items.push(self.text()?.to_string());
                }
                if count > 0 {
                    self.end_of_array()?;
                }
                Value::Texts(items)
            }
            Type::Longs => {
                let count = self.count()?;
                let mut items = Vec::with_capacity(count);
                for _ in 0..count {
                    items.push(self.long()?);
                }
                if count > 0 {
                    self.end_of_array()?;
                }
                Value::Numbers(items)
            }
            Type::Optional(plain) => {
                if self.holds_value()? {
                    self.value(plain.into())?
                } else {
                    Value::Null
                }
            }
        })
    }
}

impl From<Plain> for Type {
    fn from(plain: Plain) -> Type {
        match plain {
            Plain::Boolean => Type::Boolean,
            Plain::Int => Type::Int,
            Plain::Long => Type::Long,
            Plain::Bytes => Type::Bytes,
            Plain::Text => Type::Text,
        }
    }
}

/// Write a long or int.
pub fn write_long(number: i64, out: &mut Vec<u8>) {
    let mut rest = ((number << 1) ^ (number >> 63)) as u64;
    while rest >= 0x80 {
        out.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
}

/// Write a text or bytes.
pub fn write_part(part: &[u8], out: &mut Vec<u8>) {
    write_long(part.len() as i64, out);
    out.extend_from_slice(part);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn long(bytes: &[u8]) -> Read<i64> {
        let mut reader = Reader::new(bytes);
        let found = reader.long()?;
        assert_eq!(reader.at, bytes.len());
        Ok(found)
    }

    #[test]
    fn every_long_is_read_as_it_was_written() {
        for number in [0, 1, -1, 63, -64, 64, 300, i64::MAX, i64::MIN, 1 << 40, -(1 << 33)] {
            let mut out = Vec::new();
            write_long(number, &mut out);
            assert_eq!(long(&out), Ok(number));
        }
    }

    #[test]
    fn other_forms_of_a_long_are_refused() {
        for bytes in [&b"\x80\x00"[..], b"\x80", b"", b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"] {
            assert!(long(bytes).is_err(), "{bytes:?}");
        }
        assert_eq!(long(b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), Ok(i64::MIN));
        assert!(Reader::new(b"\x80\x80\x80\x80\x20").int().is_err());
    }

    #[test]
    fn arrays_and_unions_have_one_form() {
        let read = |bytes: &'static [u8], kind| Reader::new(bytes).value(kind);
        assert_eq!(read(b"\x00", Type::Texts), Ok(Value::Texts(vec![])));
        assert_eq!(read(b"\x02\x02a\x00", Type::Texts), Ok(Value::Texts(vec!["a".into()])));
        for bytes in [&b"\x01\x04\x02a\x00"[..], b"\x02\x02a\x02\x02b\x00", b"\x02\x02a", b"\x7e"] {
            assert!(read(bytes, Type::Texts).is_err());
        }
        assert_eq!(read(b"\x00", Type::Optional(Plain::Long)), Ok(Value::Null));
        assert_eq!(read(b"\x02\x02", Type::Optional(Plain::Long)), Ok(Value::Number(1)));
        assert!(read(b"\x04\x02", Type::Optional(Plain::Long)).is_err());
        assert!(read(b"\x02", Type::Boolean).is_err());
        assert!(read(b"\x02\xff", Type::Text).is_err());
    }
}
