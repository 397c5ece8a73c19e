//! Why a verification ends without a verdict of "whole", and the exit code of each cause.

/// A cause of failure, with the exit code of docs/verify.md.
#[derive(Debug, Clone)]
pub enum Fault {
    /// What was verified is not what it should be (exit code 3).
    Integrity { position: Option<i64>, place: String, text: String },
    /// What was given on the command line cannot be used (exit code 2).
    Input(String),
    /// A file or server could not be read (exit code 4); a repeat is safe.
    Availability(String),
}

pub type Result<T> = std::result::Result<T, Fault>;

/// A fault of the message at a position.
pub fn at(position: u64, text: impl Into<String>) -> Fault {
    at_row(position as i64, text)
}

/// A fault of a row, whose position a damaged file may give as a negative number.
pub fn at_row(position: i64, text: impl Into<String>) -> Fault {
    Fault::Integrity { position: Some(position), place: String::new(), text: text.into() }
}

/// A fault at a place of an evidence file, or of something that has no positions.
pub fn place(place: &str, text: impl Into<String>) -> Fault {
    Fault::Integrity { position: None, place: place.to_string(), text: text.into() }
}

pub fn input(text: impl Into<String>) -> Fault {
    Fault::Input(text.into())
}

pub fn unavailable(text: impl Into<String>) -> Fault {
    Fault::Availability(text.into())
}

impl Fault {
    pub fn exit_code(&self) -> u8 {
        match self {
            Fault::Integrity { .. } => 3,
            Fault::Input(_) => 2,
            Fault::Availability(_) => 4,
        }
    }

    /// The name of the class of the error, as `gameledger --json` has it.
    pub fn class(&self) -> &'static str {
        match self {
            Fault::Integrity { place, .. } if !place.is_empty() => "EvidenceError",
            Fault::Integrity { .. } => "IntegrityError",
            Fault::Input(_) => "InputError",
            Fault::Availability(_) => "AvailabilityError",
        }
    }

    pub fn text(&self) -> String {
        match self {
            Fault::Integrity { place, text, .. } if !place.is_empty() => format!("{place}: {text}"),
            Fault::Integrity { text, .. } | Fault::Input(text) | Fault::Availability(text) => {
                text.clone()
            }
        }
    }
}
