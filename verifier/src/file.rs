//! Files from outside: regular ones only, because a pipe or a device may never begin or end.

use std::fs::File;
use std::io::{Error, Read, Result};
use std::path::Path;

const TEXT_BYTES_MAX: u64 = 16 << 20;

/// Open a regular file.
pub fn open(path: &Path) -> Result<File> {
    if std::fs::metadata(path)?.is_file() {
        return File::open(path);
    }
    Err(Error::other("it is no regular file: save what it gives to a file, and name that"))
}

/// Read a note, a list of keys or a policy.
pub fn text(path: &Path) -> Result<String> {
    String::from_utf8(bytes(path)?).map_err(|_| Error::other("it is no text in UTF-8"))
}

/// Read a small file.
pub fn bytes(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(TEXT_BYTES_MAX + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > TEXT_BYTES_MAX {
        return Err(Error::other(format!("it has over {TEXT_BYTES_MAX} bytes")));
    }
    Ok(bytes)
}
