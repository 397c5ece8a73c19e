//! The embedded log: a file `log.sqlite`, read without writing anything beside it if possible.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rusqlite::types::ValueRef;
use rusqlite::{ffi, Connection, OpenFlags};

use crate::avro::{Read, Reader};
use crate::fault::{at, at_row, input, place, unavailable, Fault, Result};
use crate::file;
use crate::message::{MARKER, NUMBERS};
use crate::run::{Block, BlockReader, Source, BLOCK};

const APPLICATION_ID: i64 = 1_196_180_804;
const USER_VERSION: i64 = 1;
const TABLE: &str =
    "CREATE TABLE message (position INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT";

/// A log in SQLite whose form was checked.
pub struct SqliteLog {
    path: PathBuf,
    size: u64,
    next: AtomicU64,
}

impl SqliteLog {
    /// Open a file and check what docs/format.md says of it, and its first and last message.
    pub fn open(path: &Path) -> Result<SqliteLog> {
        let name = path.display();
        let facts = std::fs::metadata(path)
            .map_err(|error| input(format!("there is no log at {name}: {error}")))?;
        if facts.len() == 0 {
            return Err(damaged(format!("{name} is empty, which no log is")));
        }
        check_header(path)?;
        let connection = connect(path)?;
        let explained = |error| explain(&error, path);
        let number = |sql: &str| -> Result<i64> {
            connection.query_row(sql, [], |row| row.get(0)).map_err(explained)
        };
        let marks = (number("PRAGMA application_id")?, number("PRAGMA user_version")?);
        if marks != (APPLICATION_ID, USER_VERSION) {
            return Err(damaged(format!("{name} is no log of layout {USER_VERSION}")));
        }
        check_shape(&connection, path)?;
        let size = check_ends(&connection, path)?;
        Ok(SqliteLog { path: path.to_path_buf(), size, next: AtomicU64::new(0) })
    }
}

impl Source for SqliteLog {
    fn reader(&self) -> Result<Box<dyn BlockReader + '_>> {
        Ok(Box::new(Rows { log: self, connection: connect(&self.path)? }))
    }

    fn size(&self) -> Option<u64> {
        Some(self.size)
    }
}

struct Rows<'a> {
    log: &'a SqliteLog,
    connection: Connection,
}

impl BlockReader for Rows<'_> {
    fn read(&mut self, block: &mut Block) -> Result<bool> {
        let number = self.log.next.fetch_add(1, Ordering::Relaxed);
        let first = number * BLOCK;
        if first >= self.log.size {
            return Ok(false);
        }
        block.begin(number, first);
        let end = self.log.size.min(first + BLOCK);
        block.fault = self.rows(block, first, end).err();
        Ok(true)
    }
}

impl Rows<'_> {
    fn rows(&self, block: &mut Block, first: u64, end: u64) -> Result<()> {
        const RANGE: &str =
            "SELECT position, body FROM message WHERE position BETWEEN ? AND ? ORDER BY position";
        let path = &self.log.path;
        let next = |block: &Block| first + block.ends.len() as u64;
        let unreadable = |error: rusqlite::Error, position| match explain(&error, path) {
            Fault::Integrity { text, .. } => at(position, text),
            other => other,
        };
        let mut statement =
            self.connection.prepare_cached(RANGE).map_err(|error| unreadable(error, first))?;
        let mut rows = statement
            .query((first as i64, end as i64 - 1))
            .map_err(|error| unreadable(error, first))?;
        loop {
            let due = next(block);
            let Some(row) = rows.next().map_err(|error| unreadable(error, due))? else { break };
            let position: i64 = row.get(0).map_err(|error| unreadable(error, due))?;
            if position != due as i64 {
                return Err(missing(due, position));
            }
            match row.get_ref(1).map_err(|error| unreadable(error, due))? {
                ValueRef::Blob(message) => block.add(message),
                _ => return Err(no_bytes(path, position)),
            }
        }
        let due = next(block);
        if due < end {
            let text = format!("message {due} is missing: {} lacks it", path.display());
            return Err(at(due, text));
        }
        Ok(())
    }
}

fn missing(due: u64, position: i64) -> Fault {
    at(due, format!("message {due} is missing: the log goes on at {position}"))
}

fn no_bytes(path: &Path, position: i64) -> Fault {
    at_row(position, format!("message {position} of {} is no bytes", path.display()))
}

/// A fault of the whole file.
fn damaged(text: String) -> Fault {
    place("", text)
}

/// The header of a file names one of two journals, in two bytes that are the same.
fn check_header(path: &Path) -> Result<()> {
    use std::io::Read;
    let unreadable =
        |error: std::io::Error| unavailable(format!("{} can't be read: {error}", path.display()));
    let mut header = Vec::new();
    file::open(path).map_err(unreadable)?.take(100).read_to_end(&mut header).map_err(unreadable)?;
    match header.get(18..20) {
        Some([1, 1] | [2, 2]) | None => Ok(()),
        // What is no SQLite file at all is named as such when it is opened.
        Some(_) if !header.starts_with(b"SQLite format 3\0") => Ok(()),
        Some(_) => Err(damaged(format!("{} has not the header of a log", path.display()))),
    }
}

fn connect(path: &Path) -> Result<Connection> {
    let absolute = std::path::absolute(path)
        .map_err(|error| unavailable(format!("{}: {error}", path.display())))?;
    let beside = |end: &str| {
        let mut name = absolute.clone().into_os_string();
        name.push(end);
        std::fs::metadata(name).ok().map(|facts| facts.len())
    };
    // Without a journal all is in the file, and SQLite need not make one in order to read it.
    let is_alone = beside("-wal").unwrap_or(0) == 0 && beside("-shm").is_none();
    let mut uri = String::from("file:");
    for byte in absolute.as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' => uri.push(*byte as char),
            byte if byte.is_ascii_alphanumeric() => uri.push(*byte as char),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri.push_str(if is_alone { "?mode=ro&immutable=1" } else { "?mode=ro" });
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection =
        Connection::open_with_flags(uri, flags).map_err(|error| explain(&error, path))?;
    connection
        .busy_timeout(std::time::Duration::from_secs(30))
        .map_err(|error| explain(&error, path))?;
    Ok(connection)
}

/// The file holds one table of messages and nothing else.
fn check_shape(connection: &Connection, path: &Path) -> Result<()> {
    let explained = |error| explain(&error, path);
    let mut statement = connection
        .prepare("SELECT sql FROM sqlite_schema WHERE substr(name, 1, 7) <> 'sqlite_'")
        .map_err(explained)?;
    let mut rows = statement.query([]).map_err(explained)?;
    let mut tables = Vec::new();
    while let Some(row) = rows.next().map_err(explained)? {
        let sql = row.get_ref(0).map_err(explained)?;
        tables.push(sql.as_bytes().map(<[u8]>::to_vec).unwrap_or_default());
    }
    if tables != [TABLE.as_bytes()] {
        let text = format!("{} is not one table of messages and nothing else", path.display());
        return Err(damaged(text));
    }
    Ok(())
}

/// Look at the first message and the last; gives the number of messages.
fn check_ends(connection: &Connection, path: &Path) -> Result<u64> {
    let explained = |error| explain(&error, path);
    let mut statement = connection
        .prepare("SELECT position, body FROM message ORDER BY position DESC LIMIT 1")
        .map_err(explained)?;
    let mut rows = statement.query([]).map_err(explained)?;
    let Some(row) = rows.next().map_err(explained)? else { return Ok(0) };
    let first: i64 = connection
        .query_row("SELECT position FROM message ORDER BY position LIMIT 1", [], |row| row.get(0))
        .map_err(explained)?;
    if first != 0 {
        let text =
            format!("{} begins with message {first}, and a log begins with 0", path.display());
        return Err(at_row(first.min(0), text));
    }
    let last: i64 = row.get(0).map_err(explained)?;
    let ValueRef::Blob(body) = row.get_ref(1).map_err(explained)? else {
        return Err(no_bytes(path, last));
    };
    let numbers = ends_of(body);
    let last_of = format!("message {last}, the last of {},", path.display());
    match numbers {
        Err(what) => Err(at_row(last, format!("{last_of} can't be read: {what}"))),
        Ok((place, _, _)) if place != last => {
            Err(at_row(last, format!("{last_of} says that it is message {place}")))
        }
        Ok((_, index, size)) if index.checked_add(1) != Some(size) => {
            Err(at_row(last, format!("{last_of} is not the last of its decision, which is torn")))
        }
        Ok(_) => Ok(last as u64 + 1),
    }
}

/// Position, index and size of the decision in an envelope that can be read to its end.
fn ends_of(body: &[u8]) -> Read<(i64, i64, i64)> {
    if !body.starts_with(&MARKER) {
        return Err("it does not begin with C3 01");
    }
    let mut reader = Reader::new(body);
    reader.at = NUMBERS;
    let found = (reader.long()?, reader.long()?, reader.long()?);
    reader.long()?;
    reader.long()?;
    reader.text()?;
    reader.text()?;
    Ok(found)
}

/// Say what an error of SQLite means: the file is damaged, or it can't be used now.
fn explain(error: &rusqlite::Error, path: &Path) -> Fault {
    let name = path.display();
    let rusqlite::Error::SqliteFailure(cause, _) = error else {
        return damaged(format!("{name} is damaged ({error}): keep it, and use a copy"));
    };
    let is_away = matches!(
        cause.extended_code & 0xff,
        ffi::SQLITE_ABORT
            | ffi::SQLITE_AUTH
            | ffi::SQLITE_BUSY
            | ffi::SQLITE_CANTOPEN
            | ffi::SQLITE_FULL
            | ffi::SQLITE_INTERRUPT
            | ffi::SQLITE_IOERR
            | ffi::SQLITE_LOCKED
            | ffi::SQLITE_MISUSE
            | ffi::SQLITE_NOLFS
            | ffi::SQLITE_NOMEM
            | ffi::SQLITE_PERM
            | ffi::SQLITE_PROTOCOL
            | ffi::SQLITE_READONLY
            | ffi::SQLITE_SCHEMA
    );
    let is_damage =
        matches!(cause.extended_code, ffi::SQLITE_IOERR_SHORT_READ | ffi::SQLITE_IOERR_CORRUPTFS);
    if is_away && !is_damage {
        return unavailable(format!(
            "{name} can't be used ({error}): if its journal log.sqlite-wal can't be read here, \
             verify a copy of the folder"
        ));
    }
    damaged(format!("{name} is damaged ({error}): keep it, and use a copy"))
}
