//! `gameledger-verify checkpoint`: a signed note by itself, and who signed and cosigned it.

use std::path::Path;

use rustls::pki_types::CertificateDer;

use crate::cover::of_note;
use crate::fault::{input, place, Result};
use crate::hash::hex;
use crate::json::{object, Json};
use crate::log::{read_note, verify_note};
use crate::note::Key;
use crate::policy::Policy;
use crate::report::{moment, Report};
use crate::seal::Seal;

/// A seal over the note, and authorities that may have issued its certificate.
pub struct Sealed {
    pub seal: Vec<u8>,
    pub authorities: Option<Vec<CertificateDer<'static>>>,
}

pub fn run(
    file: &str, keys: &[Key], policy: Option<&Policy>, sealed: Option<&Sealed>,
) -> Result<Report> {
    let note = read_note(Path::new(file))?;
    let seal = sealed.map(|sealed| verify_seal(file, sealed)).transpose()?;
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
    if let Some((at, digest)) = seal {
        report.row("sealed", moment(at));
        report.row("sealed by", format!("the certificate with SHA-256 {digest}"));
        if sealed.is_some_and(|one| one.authorities.is_none()) {
            let text = "Who issued the certificate of the seal was not checked: name its authority with --seal-ca.";
            report.reservations.push(text.to_string());
        }
        report.json.push(("sealed_at", at.into()));
        report.json.push(("seal_certificate", digest.into()));
    }
    Ok(report)
}

/// Verify a seal at the moment that it states; gives that and the digest of its certificate.
fn verify_seal(file: &str, sealed: &Sealed) -> Result<(i64, String)> {
    let text = crate::file::text(Path::new(file))
        .map_err(|error| input(format!("{file} can't be read: {error}")))?;
    let false_seal = |what| place("seal", format!("the seal of {file}: {what}"));
    let seal = Seal::read(&sealed.seal, text.as_bytes()).map_err(false_seal)?;
    if let Some(authorities) = &sealed.authorities {
        seal.verify(authorities, seal.moment).map_err(false_seal)?;
    }
    Ok((seal.moment, hex(&seal.digest())))
}
