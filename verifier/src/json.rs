//! JSON as RFC 8259 has it, read strictly: no key twice in an object, no number beyond what is asked.

/// A JSON value; numbers keep their digits, objects the order of their keys.
#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

const DEPTH_MAX: usize = 64;

impl Json {
    /// Read a text that is one JSON value and nothing else.
    pub fn parse(text: &str) -> Result<Json, String> {
        let mut reader = Reader { text, bytes: text.as_bytes(), at: 0 };
        reader.space();
        let value = reader.value(0)?;
        reader.space();
        if reader.at != text.len() {
            return Err(format!("something stands behind the JSON, at byte {}", reader.at));
        }
        Ok(value)
    }

    pub fn get(&self, key: &str) -> Option<&Json> {
        match self {
            Json::Object(pairs) => pairs.iter().find(|(name, _)| name == key).map(|(_, v)| v),
            _ => None,
        }
    }

    pub fn text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn list(&self) -> Option<&[Json]> {
        match self {
            Json::List(items) => Some(items),
            _ => None,
        }
    }

    /// The whole number that this is; `None` for fractions, exponents and what 64 bits do not hold.
    pub fn whole(&self) -> Option<i64> {
        match self {
            Json::Number(digits) if !digits.contains(['.', 'e', 'E']) => digits.parse().ok(),
            _ => None,
        }
    }

    /// Write in the one form of docs/evidence.md: ASCII, no spaces, `<`, `>` and `&` escaped.
    pub fn write(&self, out: &mut String) {
        match self {
            Json::Null => out.push_str("null"),
            Json::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Json::Number(digits) if digits == "-0" => out.push('0'),
            Json::Number(digits) => out.push_str(digits),
            Json::Text(text) => write_text(text, out),
            Json::List(items) => {
                out.push('[');
                for (number, item) in items.iter().enumerate() {
                    if number > 0 {
                        out.push(',');
                    }
                    item.write(out);
                }
                out.push(']');
            }
            Json::Object(pairs) => {
                out.push('{');
                for (number, (key, value)) in pairs.iter().enumerate() {
                    if number > 0 {
                        out.push(',');
                    }
                    write_text(key, out);
                    out.push(':');
                    value.write(out);
                }
                out.push('}');
            }
        }
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Json {
        Json::Text(text.to_string())
    }
}

impl From<String> for Json {
    fn from(text: String) -> Json {
        Json::Text(text)
    }
}

impl From<u64> for Json {
    fn from(number: u64) -> Json {
        Json::Number(number.to_string())
    }
}

impl From<i64> for Json {
    fn from(number: i64) -> Json {
        Json::Number(number.to_string())
    }
}

impl From<bool> for Json {
    fn from(value: bool) -> Json {
        Json::Bool(value)
    }
}

impl<T: Into<Json>> From<Option<T>> for Json {
    fn from(value: Option<T>) -> Json {
        value.map_or(Json::Null, Into::into)
    }
}

impl<T: Into<Json>> From<Vec<T>> for Json {
    fn from(items: Vec<T>) -> Json {
        Json::List(items.into_iter().map(Into::into).collect())
    }
}

pub fn object(pairs: Vec<(&str, Json)>) -> Json {
    Json::Object(pairs.into_iter().map(|(key, value)| (key.to_string(), value)).collect())
}

fn write_text(text: &str, out: &mut String) {
    out.push('"');
    for sign in text.chars() {
        match sign {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '<' | '>' | '&' => out.push_str(&format!("\\u{:04x}", sign as u32)),
            ' '..='~' => out.push(sign),
            _ => {
                for unit in sign.encode_utf16(&mut [0; 2]) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
    }
    out.push('"');
}

struct Reader<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn space(&mut self) {
        while matches!(self.bytes.get(self.at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn wrong<T>(&self, what: &str) -> Result<T, String> {
        Err(format!("{what} at byte {} of the JSON", self.at))
    }

    fn literal(&mut self, word: &str, value: Json) -> Result<Json, String> {
        if self.bytes[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            return Ok(value);
        }
        self.wrong("no value")
    }

    fn value(&mut self, depth: usize) -> Result<Json, String> {
        if depth > DEPTH_MAX {
            return self.wrong("too deep");
        }
        match self.bytes.get(self.at) {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.list(depth),
            Some(b'"') => Ok(Json::Text(self.string()?)),
            Some(b't') => self.literal("true", Json::Bool(true)),
            Some(b'f') => self.literal("false", Json::Bool(false)),
            Some(b'n') => self.literal("null", Json::Null),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => self.wrong("no value"),
        }
    }

    fn list(&mut self, depth: usize) -> Result<Json, String> {
        let mut items = Vec::new();
        self.at += 1;
        self.space();
        if self.bytes.get(self.at) == Some(&b']') {
            self.at += 1;
            return Ok(Json::List(items));
        }
        loop {
            self.space();
            items.push(self.value(depth + 1)?);
            self.space();
            match self.bytes.get(self.at) {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(Json::List(items));
                }
                _ => return self.wrong("no comma or end of a list"),
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Json, String> {
        let mut pairs: Vec<(String, Json)> = Vec::new();
        self.at += 1;
        self.space();
        if self.bytes.get(self.at) == Some(&b'}') {
            self.at += 1;
            return Ok(Json::Object(pairs));
        }
        loop {
            self.space();
            if self.bytes.get(self.at) != Some(&b'"') {
                return self.wrong("no key");
            }
            let key = self.string()?;
            if pairs.iter().any(|(name, _)| *name == key) {
                return self.wrong("a key for the second time");
            }
            self.space();
            if self.bytes.get(self.at) != Some(&b':') {
                return self.wrong("no colon");
            }
            self.at += 1;
            self.space();
            let value = self.value(depth + 1)?;
            pairs.push((key, value));
            self.space();
            match self.bytes.get(self.at) {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok(Json::Object(pairs));
                }
                _ => return self.wrong("no comma or end of an object"),
            }
        }
    }

    fn number(&mut self) -> Result<Json, String> {
        let begin = self.at;
        let digits = |reader: &mut Self| {
            let first = reader.at;
            while matches!(reader.bytes.get(reader.at), Some(b'0'..=b'9')) {
                reader.at += 1;
            }
            reader.at - first
        };
        if self.bytes[self.at] == b'-' {
            self.at += 1;
        }
        let leads_with_zero = self.bytes.get(self.at) == Some(&b'0');
        let count = digits(self);
        if count == 0 || (leads_with_zero && count > 1) {
            return self.wrong("no number");
        }
        if self.bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            if digits(self) == 0 {
                return self.wrong("no number");
            }
        }
        if matches!(self.bytes.get(self.at), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.bytes.get(self.at), Some(b'+' | b'-')) {
                self.at += 1;
            }
            if digits(self) == 0 {
                return self.wrong("no number");
            }
        }
        Ok(Json::Number(self.text[begin..self.at].to_string()))
    }

    fn string(&mut self) -> Result<String, String> {
        let mut found = String::new();
        self.at += 1;
        loop {
            let begin = self.at;
            while !matches!(self.bytes.get(self.at), None | Some(b'"' | b'\\' | 0..=0x1f)) {
                self.at += 1;
            }
            found.push_str(&self.text[begin..self.at]);
            match self.bytes.get(self.at) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(found);
                }
                Some(b'\\') => {
                    self.at += 1;
                    found.push(self.escaped()?);
                }
                _ => return self.wrong("no end of a text"),
            }
        }
    }

    fn escaped(&mut self) -> Result<char, String> {
        let sign = self.bytes.get(self.at).copied();
        self.at += 1;
        Ok(match sign {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let mut units = vec![self.unit()?];
                if (0xd800..0xdc00).contains(&units[0]) && self.bytes[self.at..].starts_with(b"\\u")
                {
                    self.at += 2;
                    units.push(self.unit()?);
                }
                match char::decode_utf16(units).collect::<Result<Vec<char>, _>>().as_deref() {
                    Ok(&[sign]) => sign,
                    _ => return self.wrong("half a sign"),
                }
            }
            _ => return self.wrong("an unknown escape"),
        })
    }

    fn unit(&mut self) -> Result<u16, String> {
        let digits = self
            .text
            .get(self.at..self.at + 4)
            .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let Some(digits) = digits else { return self.wrong("no four hexadecimal digits") };
        self.at += 4;
        Ok(u16::from_str_radix(digits, 16).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let text = r#"{"a":[1,-2,null,true],"b":"\u003c\"\\\n\u00e1\ud83d\ude00"}"#;
        let mut written = String::new();
        Json::parse(text).unwrap().write(&mut written);
        assert_eq!(written, text);
    }

    #[test]
    fn what_is_no_json_is_refused() {
        for text in [
            "",
            "{",
            "[1,]",
            "{\"a\":1,\"a\":2}",
            "01",
            "1.",
            "nul",
            "\"\\ud800\"",
            "\"\\x\"",
            "1 2",
            "{\"a\" 1}",
            "\"\n\"",
            "-",
            "[1 2]",
            "NaN",
            "\"\\u12\"",
        ] {
            assert!(Json::parse(text).is_err(), "{text}");
        }
        assert!(Json::parse(&"[".repeat(1000)).is_err());
    }
}
