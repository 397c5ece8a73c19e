//! `gameledger-verify evidence`: a page or a data part, and what is said of it.

use std::path::Path;

use crate::avro::Value;
use crate::cover::Judges;
use crate::evidence::{verify, Event, Proved};
use crate::fault::{input, place, Result};
use crate::file;
use crate::hash::hex;
use crate::json::{object, Json};
use crate::note::Key;
use crate::origin::Origin;
use crate::report::{moment, Report};
use crate::stamp::Stamp;

const FILE_BYTES_MAX: u64 = 256 * 1024 * 1024;
const BARE: &[u8] = b"{\"evidence\":";
const BEGIN: &[u8] = b"<script type=\"application/json\" id=\"evidence\">";
const END: &[u8] = b"</script>";

/// Clocks may be apart by so many microseconds.
const APART: i64 = 60_000_000;

/// What was asked on the command line.
pub struct Asked {
    pub file: String,
    pub keys: Vec<Key>,
    pub judges: Judges,
    /// Judge the data part alone, whatever the page shows.
    pub data_only: bool,
    /// Show every event that is proved.
    pub events: bool,
}

pub fn run(asked: &Asked) -> Result<Report> {
    let content = read(Path::new(&asked.file))?;
    let (data, is_page) = data_in(&content)?;
    let proved = verify(data, &asked.keys)?;
    let mut reservations: Vec<String> = proved
        .unknown
        .iter()
        .map(|(name, count)| {
            format!("{count} events of {name} were read, and this version does not know that type.")
        })
        .collect();
    if is_page && !asked.data_only {
        reservations.push(
            "Rely on the events that --events shows, not on the page, or let `gameledger evidence \
             verify` compare it. --data-only leaves the page out of the verdict."
                .to_string(),
        );
    }
    reservations.extend(lacking(&proved, &asked.judges)?);
    Ok(report(asked, &proved, is_page, reservations))
}

fn read(path: &Path) -> Result<Vec<u8>> {
    use std::io::Read;
    let name = path.display();
    let mut content = Vec::new();
    file::open(path)
        .and_then(|file| file.take(FILE_BYTES_MAX + 1).read_to_end(&mut content))
        .map_err(|error| input(format!("{name} can't be read: {error}")))?;
    if content.len() as u64 > FILE_BYTES_MAX {
        return Err(input(format!(
            "{name} has over {FILE_BYTES_MAX} bytes: it is no evidence file"
        )));
    }
    Ok(content)
}

/// The data part of a file, and whether a page stands around it.
fn data_in(content: &[u8]) -> Result<(&[u8], bool)> {
    if content.starts_with(BARE) {
        return Ok((content, false));
    }
    if content.starts_with(b"%PDF-") {
        return Err(input("a PDF: take the HTML file that it carries out of it, and verify that"));
    }
    let find = |part: &[u8], wanted: &[u8]| part.windows(wanted.len()).position(|at| at == wanted);
    let none = || input("this is no evidence file: it has no data part, or several");
    let begin = find(content, BEGIN).ok_or_else(none)? + BEGIN.len();
    let rest = &content[begin..];
    if find(rest, BEGIN).is_some() {
        return Err(none());
    }
    let end = find(rest, END).ok_or_else(none)?;
    Ok((&rest[..end], true))
}

/// What of the cover that was asked for is not there.
fn lacking(proved: &Proved, judges: &Judges) -> Result<Vec<String>> {
    let mut said = Vec::new();
    if let Some(policy) = &judges.policy {
        let cosigned =
            policy.cosigned(&proved.note).map_err(|fault| place("checkpoint", fault.text()))?;
        for (name, seconds) in &cosigned {
            let at = i64::try_from(*seconds).ok().and_then(|at| at.checked_mul(1_000_000));
            let at = at.unwrap_or(i64::MAX - APART);
            require_later(proved, "checkpoint", &format!("the cosignature of {name}"), at)?;
        }
        if !policy.is_met(&cosigned) {
            let missing = policy.missing(&cosigned);
            let text = "UNWITNESSED: the policy does not accept the checkpoint";
            said.push(format!("{text}: {missing} did not cosign it."));
        } else if proved.data.completeness.checkpoint.is_none()
            && !policy.is_met(&policy.of_extensions(&cosigned))
        {
            said.push(
                "UNWITNESSED: the witnesses cosigned the tree and not the tag map, so that \
                 nothing was left out rests on the log's signature alone."
                    .to_string(),
            );
        }
    }
    if let Some(roots) = &judges.roots {
        let note = proved.stamped_note();
        for (authority, answer) in &proved.data.stamps {
            let moment = Stamp::read(answer, note.as_bytes())
                .and_then(|stamp| stamp.verify(roots).map(|()| stamp.moment))
                .map_err(|what| place("stamp", format!("the one of {authority}: {what}")))?;
            require_later(proved, "stamp", &format!("the time stamp of {authority}"), moment)?;
        }
        if proved.data.stamps.is_empty() {
            said.push("UNSTAMPED: the checkpoint bears no time stamp.".to_string());
        }
    }
    Ok(said)
}

/// It was made after all that is shown was recorded, as far as clocks agree.
fn require_later(proved: &Proved, at: &str, what: &str, moment: i64) -> Result<()> {
    for (event, _) in &proved.events {
        if moment + APART < event.recorded_at {
            let position = event.position;
            let text = format!("{what} is older than message {position}, which it should cover");
            return Err(place(at, text));
        }
    }
    Ok(())
}

fn report(asked: &Asked, proved: &Proved, is_page: bool, reservations: Vec<String>) -> Report {
    let (data, checkpoint) = (&proved.data, &proved.note.checkpoint);
    let page = match (is_page, asked.data_only) {
        (false, _) => "none: this is the data part alone",
        (true, true) => "not compared, as was asked",
        (true, false) => "not compared",
    };
    let witnesses = proved
        .witnessed
        .iter()
        .map(|(key, at)| object(vec![("key", key.line().into()), ("at", (*at).into())]));
    let stamps = proved.stamped.iter().map(|(authority, at)| {
        object(vec![("authority", authority.as_str().into()), ("at", (*at).into())])
    });
    let lines: Vec<String> = proved.signers.iter().map(Key::line).collect();
    let mut json = vec![
        ("subject", data.tag.as_str().into()),
        ("meant_for", data.account.as_str().into()),
        ("first", data.first.into()),
        ("end", data.end.into()),
        ("chain", checkpoint.origin.as_str().into()),
        ("size", checkpoint.size.into()),
        ("root", hex(&checkpoint.root).into()),
        ("complete_to", proved.complete_to.into()),
        ("signed_by", lines.clone().into()),
        ("origins", Json::List(proved.origins.iter().map(json_of_origin).collect())),
        ("witnesses", Json::List(witnesses.collect())),
        ("stamps", Json::List(stamps.collect())),
        ("events", (proved.shown() as u64).into()),
        ("withheld", (data.withheld.len() as u64).into()),
        ("messages", (data.messages.len() as u64).into()),
        ("page", page.into()),
        ("sealed_by", Json::List(Vec::new())),
        ("made_by", data.made_by.as_str().into()),
    ];
    if asked.events {
        json.push((
            "proved",
            Json::List(proved.events.iter().map(|(one, _)| shown(one)).collect()),
        ));
    }
    let mut report = Report {
        title: title(asked, is_page, reservations.is_empty()),
        rows: Vec::new(),
        json,
        reservations,
    };
    let count = data.completeness.value.as_ref().map_or(0, |value| value.count);
    report.row("subject", data.tag.as_str());
    if data.tag.starts_with("account:") {
        let first = data.first.map_or("the first event".to_string(), moment);
        let end = data.end.map_or("the end of the checkpoint".to_string(), moment);
        report.row("period", format!("from {first}, before {end}"));
    }
    report.row(
        "events",
        format!("{} shown, {} withheld, of {count}", proved.shown(), data.withheld.len()),
    );
    report.row("rests on", format!("{} messages", proved.events.len() - proved.shown()));
    report.row("chain", checkpoint.origin.as_str());
    report.row("checkpoint", format!("the first {} messages", checkpoint.size));
    report.row("complete", format!("of the first {} messages", proved.complete_to));
    for line in &lines {
        let is_given = asked.keys.iter().any(|key| key.line() == *line);
        report.row("signed by", format!("{line}{}", if is_given { ", as given" } else { "" }));
    }
    for (key, at) in &proved.witnessed {
        report.row("witness", format!("{}, {}", key.short_line(), moment(*at)));
    }
    for (authority, at) in &proved.stamped {
        report.row("time stamp", format!("{authority}, {}", moment(*at)));
    }
    origin_rows(&mut report, &proved.origins);
    report.row("page", page);
    if asked.events {
        for (event, is_of_subject) in &proved.events {
            if *is_of_subject {
                let mut facts = String::new();
                facts_of(event).write(&mut facts);
                let at = moment(event.recorded_at);
                report.row(&event.position.to_string(), format!("{at}  {}  {facts}", event.name));
            }
        }
    }
    report
}

/// The first line for people: it covers what was compared, and nothing else.
fn title(asked: &Asked, is_page: bool, is_complete: bool) -> String {
    let file = &asked.file;
    match (is_page, asked.data_only, is_complete) {
        (true, false, _) => {
            format!("The facts recorded in {file} are proved; its page was NOT compared with them.")
        }
        (_, _, false) => format!("The facts recorded in {file} are proved, with reservations."),
        (true, true, true) => format!("The data part of {file} proves what it says."),
        (false, _, true) => format!("{file} proves what it says."),
    }
}

fn json_of_origin(origin: &Origin) -> Json {
    let seal = origin.seal.as_ref();
    object(vec![
        ("position", origin.position.into()),
        ("state", origin.state().into()),
        ("source", origin.system.as_str().into()),
        ("certificate", origin.certificate.as_deref().unwrap_or_default().into()),
        ("seal", seal.map_or(Json::Null, |seal| seal.position.into())),
        ("number", seal.map_or(Json::Null, |seal| seal.number.into())),
        ("is_whole", seal.is_some_and(|seal| seal.is_whole).into()),
    ])
}

/// A row for each seal with the positions of its facts, for those without one, and certificates.
fn origin_rows(report: &mut Report, origins: &[Origin]) {
    let mut rows: Vec<(&str, String, Vec<String>)> = Vec::new();
    let mut certificates: Vec<String> = Vec::new();
    for origin in origins {
        let system = &origin.system;
        let (name, by) = match (&origin.seal, &origin.certificate) {
            (Some(seal), _) => {
                let how =
                    if seal.is_whole { "its digest computed again" } else { "by marks alone" };
                ("sealed by", format!("{system}, seal at position {}, {how}", seal.position))
            }
            (None, Some(_)) => ("not sealed", format!("{system}, no seal in this file")),
            (None, None) if origin.is_registered => ("not sealed", format!("{system} cannot seal")),
            (None, None) => {
                let system = if system.is_empty() { "-" } else { system };
                ("not sealed", format!("{system}, not registered in this file"))
            }
        };
        let position = origin.position.to_string();
        match rows.iter_mut().find(|row| row.0 == name && row.1 == by) {
            Some(row) => row.2.push(position),
            None => rows.push((name, by, vec![position])),
        }
        let named = origin.certificate.as_ref().filter(|_| origin.seal.is_some());
        let named = named.map(|one| format!("{system} {one}"));
        certificates.extend(named.filter(|one| !certificates.contains(one)));
    }
    for (name, by, positions) in rows {
        report.row(name, format!("{by}: {}", positions.join(", ")));
    }
    for certificate in certificates {
        report.row("certificate", certificate);
    }
}

fn shown(event: &Event) -> Json {
    object(vec![
        ("position", event.position.into()),
        ("type", event.name.as_str().into()),
        ("hash", hex(&event.hash).into()),
        ("recorded_at", event.recorded_at.into()),
        ("facts", facts_of(event)),
    ])
}

fn facts_of(event: &Event) -> Json {
    let facts = event.facts.iter().map(|(name, value)| {
        let value = match value {
            Value::Null => Json::Null,
            Value::Boolean(value) => (*value).into(),
            Value::Number(number) => (*number).into(),
            Value::Bytes(bytes) => hex(bytes).into(),
            Value::Text(text) => text.as_str().into(),
            Value::Texts(texts) => texts.clone().into(),
            Value::Numbers(numbers) => numbers.clone().into(),
        };
        (name.clone(), value)
    });
    Json::Object(facts.collect())
}
