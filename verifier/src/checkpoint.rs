//! `gameledger-verify checkpoint`: a signed note by itself, and who signed and cosigned it.

use std::path::Path;

use crate::cover::of_note;
use crate::fault::Result;
use crate::hash::hex;
use crate::json::{object, Json};
use crate::log::{read_note, verify_note};
use crate::note::Key;
use crate::policy::Policy;
use crate::report::{moment, Report};

pub fn run(file: &str, keys: &[Key], policy: Option<&Policy>) -> Result<Report> {
    let note = read_note(Path::new(file))?;
    let mut reservations = Vec::new();
    let mut signers: Vec<String> = Vec::new();
    if keys.is_empty() {
        let text =
            "No key was given, so no signature of the log was checked: name keys with --key.";
        reservations.push(text.to_string());
    } else {
        verify_note(&note, keys)?;
        let signed = keys.iter().filter(|key| note.signed_by(key).contains(&true));
        signers.extend(signed.map(Key::line));
    }
    let cover = of_note(&note, policy)?;
    reservations.extend(cover.lacking);
    let mut witnesses: Vec<(String, i64)> = Vec::new();
    for (name, key) in policy.iter().flat_map(|policy| &policy.witnesses) {
        for seconds in note.cosigned_by(key).into_iter().flatten() {
            let at = i64::try_from(seconds).unwrap_or(i64::MAX).saturating_mul(1_000_000);
            witnesses.push((name.clone(), at));
        }
    }
    let checkpoint = &note.checkpoint;
    let cosigned = witnesses
        .iter()
        .map(|(name, at)| object(vec![("name", name.as_str().into()), ("at", (*at).into())]));
    let mut report = Report {
        title: format!("{file} is a checkpoint of {}.", checkpoint.origin),
        rows: Vec::new(),
        json: vec![
            ("chain", checkpoint.origin.as_str().into()),
            ("size", checkpoint.size.into()),
            ("root", hex(&checkpoint.root).into()),
            ("map_root", checkpoint.map_root.map(|root| hex(&root)).into()),
            ("signed_by", signers.clone().into()),
            ("witnesses", Json::List(cosigned.collect())),
            ("witnessed", cover.witnessed.into()),
        ],
        reservations,
    };
    report.row("size", checkpoint.size.to_string());
    report.row("root", hex(&checkpoint.root));
    for signer in signers {
        report.row("signed by", signer);
    }
    for (name, at) in witnesses {
        report.row("witness", format!("{name}, {}", moment(at)));
    }
    Ok(report)
}
