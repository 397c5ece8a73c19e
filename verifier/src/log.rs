//! `gameledger-verify log`: a log of any form, from its first message to its last.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::chain::{Chain, Found, Trust};
use crate::cover::{of_chain, of_note, Cover, Judges};
use crate::export::Export;
use crate::fault::{input, place, Result};
use crate::file;
use crate::hash::hex;
use crate::index_keys::IndexKeys;
use crate::json::{object, Json};
use crate::note::{Checkpoint, Key, Note, OF_LOGS};
use crate::report::{moment, Report};
use crate::run::{verify, Source};
use crate::sqlite::SqliteLog;
use crate::tiles::{is_web, TiledLog};

/// What was asked on the command line.
pub struct Asked {
    pub place: String,
    pub since: Option<PathBuf>,
    pub keys: Vec<Key>,
    pub judges: Judges,
    pub links: bool,
    pub jobs: usize,
    pub index: Option<IndexKeys>,
}

enum Log {
    Rows(SqliteLog),
    Tiles(Box<TiledLog>),
    Messages(Export),
}

impl Log {
    fn open(place: &str) -> Result<Log> {
        if is_web(place) {
            return TiledLog::open(place).map(|log| Log::Tiles(Box::new(log)));
        }
        let path = Path::new(place);
        if path.is_dir() {
            if path.join("log.sqlite").exists() {
                return SqliteLog::open(&path.join("log.sqlite")).map(Log::Rows);
            }
            return TiledLog::open(place).map(|log| Log::Tiles(Box::new(log)));
        }
        let is_sqlite = path.extension().is_some_and(|end| end == "sqlite")
            || begin_of(path)?.starts_with(b"SQLite format 3\0");
        if is_sqlite {
            return SqliteLog::open(path).map(Log::Rows);
        }
        Export::open(path).map(Log::Messages)
    }

    fn source(&self) -> &dyn Source {
        match self {
            Log::Rows(log) => log,
            Log::Tiles(log) => &**log,
            Log::Messages(log) => log,
        }
    }
}

fn begin_of(path: &Path) -> Result<Vec<u8>> {
    use std::io::Read;
    let mut begin = Vec::new();
    file::open(path)
        .and_then(|file| file.take(16).read_to_end(&mut begin))
        .map_err(|error| input(format!("there is no log at {}: {error}", path.display())))?;
    Ok(begin)
}

pub fn run(mut asked: Asked) -> Result<Report> {
    let since = match &asked.since {
        Some(path) => Some(remembered(path, &asked.keys)?),
        None => None,
    };
    let log = Log::open(&asked.place)?;
    if let Log::Tiles(tiled) = &log {
        for (name, given) in [
            ("stamp-roots", asked.judges.roots.is_some()),
            ("seal-ca", asked.judges.authorities.is_some()),
        ] {
            if given {
                let text = "time stamps and seals are verified in a log, not in tiles";
                return Err(input(format!("{text}: leave --{name} out")));
            }
        }
        if asked.links {
            return Err(input("--links is for a log that is no log in tiles"));
        }
        if !asked.keys.is_empty() {
            verify_note(&tiled.note, &asked.keys)?;
        }
    }
    let (keys, reads_facts) = (asked.keys.clone(), !asked.links);
    let chain = Chain::new(Trust {
        keys,
        since: since.clone(),
        reads_facts,
        index: asked.index.take().map(Arc::new),
    });
    let (found, statements) = verify(log.source(), chain, asked.jobs, reads_facts)?;
    let mut covered = found.covered;
    if let (Some(note), false) = (&since, asked.keys.is_empty()) {
        covered = covered.max(note.size);
    }
    let cover = if let Log::Tiles(tiled) = &log {
        compare_checkpoint(&found, tiled, &asked.keys)?;
        covered = found.size;
        of_note(&tiled.note, asked.judges.policy.as_ref())?
    } else {
        of_chain(&found, &statements, &asked.judges)?
    };
    Ok(report(&found, &asked, covered, since.as_ref(), cover))
}

/// Read a note whose signature is of one of the keys, if any are given.
fn remembered(path: &Path, keys: &[Key]) -> Result<Checkpoint> {
    let note = read_note(path)?;
    if !keys.is_empty() {
        verify_note(&note, keys)?;
    }
    Ok(note.checkpoint)
}

pub fn read_note(path: &Path) -> Result<Note> {
    let wrong = |what: String| input(format!("{}: {what}", path.display()));
    let text = file::text(path).map_err(|error| wrong(error.to_string()))?;
    Note::parse(&text).map_err(wrong)
}

/// One of the keys signed a note, and none of its signatures under them is false.
pub fn verify_note(note: &Note, keys: &[Key]) -> Result<()> {
    let mut is_signed = false;
    for key in keys.iter().filter(|key| OF_LOGS.contains(&key.kind)) {
        for is_good in note.signed_by(key) {
            if !is_good {
                let size = note.checkpoint.size;
                let text =
                    format!("the note of size {size} bears a false signature of {}", key.name);
                return Err(place("", format!("{text}: do not rely on it")));
            }
            is_signed = true;
        }
    }
    if is_signed {
        return Ok(());
    }
    let names: Vec<String> = note
        .signatures
        .iter()
        .map(|signature| format!("{} ({})", signature.name, hex(&signature.id)))
        .collect();
    Err(input(format!("the note is signed by {}, and by none of the keys given", names.join(", "))))
}

fn compare_checkpoint(found: &Found, tiled: &TiledLog, keys: &[Key]) -> Result<()> {
    let said = &tiled.note.checkpoint;
    if (&found.chain, found.size, found.root) != (&said.origin, said.size, said.root) {
        return Err(place("", "the messages do not give the root of the checkpoint"));
    }
    if keys.is_empty() {
        verify_note(&tiled.note, &found.keys)?;
    }
    Ok(())
}

fn report(
    found: &Found, asked: &Asked, covered: u64, since: Option<&Checkpoint>, cover: Cover,
) -> Report {
    let mut reservations = Vec::new();
    if !asked.keys.is_empty() && covered == 0 {
        reservations.push(
            "No checkpoint of the keys given covers any of it: whoever can write the log could \
             have written all of it again."
                .to_string(),
        );
    }
    let events: u64 = found.unknown.iter().map(|(_, _, count)| count).sum();
    if events > 0 {
        let names: Vec<String> = found
            .unknown
            .iter()
            .map(|(name, version, count)| format!("{name} v{version} ({count})"))
            .collect();
        reservations.push(format!(
            "{events} events are of types that this version does not know: {}. Verify with a newer \
             version.",
            names.join(", ")
        ));
    }
    reservations.extend(cover.lacking);
    let unknown: Vec<Json> = found
        .unknown
        .iter()
        .map(|(name, version, events)| {
            object(vec![
                ("name", name.as_str().into()),
                ("version", i64::from(*version).into()),
                ("events", (*events).into()),
            ])
        })
        .collect();
    let keys: Vec<Json> = found.keys.iter().map(|key| key.line().into()).collect();
    let index = object(vec![
        ("number", found.index.number.into()),
        ("total", hex(&found.index.total.to_be_bytes()).into()),
        ("foreign", found.index.foreign.into()),
    ]);
    let mut report = Report {
        title: format!("The chain {} is whole.", found.chain),
        rows: Vec::new(),
        json: vec![
            ("chain", found.chain.as_str().into()),
            ("size", found.size.into()),
            ("head", hex(&found.head).into()),
            ("root", hex(&found.root).into()),
            ("decisions", found.decisions.into()),
            ("checkpoints", found.checkpoints.into()),
            ("covered", covered.into()),
            ("first_recorded_at", found.first_recorded_at.into()),
            ("last_recorded_at", found.last_recorded_at.into()),
            ("since", since.map(|note| note.size).into()),
            ("verified_from", Json::Null),
            ("facts", (!asked.links).into()),
            ("indexed", 0u64.into()),
            ("tag_map", (!asked.links).into()),
            ("witnessed", cover.witnessed.into()),
            ("stamped", cover.stamped.into()),
            ("sealed", cover.sealed.into()),
            ("seal_certificate", cover.seal_certificate.clone().into()),
            ("unknown", Json::List(unknown)),
            ("keys", Json::List(keys)),
            ("index", index),
        ],
        reservations,
    };
    let size = found.size;
    report.row("messages", size.to_string());
    report.row("decisions", found.decisions.to_string());
    report.row("from", moment(found.first_recorded_at));
    report.row("to", moment(found.last_recorded_at));
    report.row("checkpoints", found.checkpoints.to_string());
    report.row(
        "covered",
        match covered {
            0 => "nothing".to_string(),
            covered => format!("the first {covered} of {size} messages"),
        },
    );
    report.row("head", hex(&found.head));
    report.row("root", hex(&found.root));
    for key in &found.keys {
        let is_given = asked.keys.iter().any(|given| given == key);
        report.row("key", format!("{}{}", key.line(), if is_given { ", as given" } else { "" }));
    }
    if let Some(note) = since {
        report.row("note", format!("the first {} are those of the note", note.size));
    }
    for (name, size) in
        [("witnessed", cover.witnessed), ("stamped", cover.stamped), ("sealed", cover.sealed)]
    {
        match size {
            None => {}
            Some(0) => report.row(name, "nothing"),
            Some(size) => report.row(name, format!("the first {size} messages")),
        }
    }
    if let Some(digest) = cover.seal_certificate {
        let issuer = match asked.judges.authorities {
            Some(_) => "",
            None => "; who issued it was not checked: name its authority with --seal-ca",
        };
        report.row("sealed by", format!("the certificate with SHA-256 {digest}{issuer}"));
    }
    if asked.links {
        report.row("facts", "not read, and the tag map not computed");
    }
    report
}
