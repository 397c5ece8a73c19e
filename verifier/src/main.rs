//! Verifies gameledger chains and evidence files, written from docs/format.md and docs/evidence.md.

mod avro;
mod balance;
mod buckets;
mod chain;
mod checkpoint;
mod cover;
mod data_part;
mod der;
mod evidence;
mod evidence_file;
mod export;
mod fault;
mod file;
mod hash;
mod index_keys;
mod json;
mod log;
mod merkle;
mod message;
mod note;
mod origin;
mod policy;
mod repeats;
mod report;
mod run;
mod schema;
mod seal;
mod source_seal;
mod sqlite;
mod stamp;
mod tag_map;
mod tiles;
mod web;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{value_parser, Arg, ArgAction, ArgMatches, Command};

use cover::Judges;
use fault::{input, Fault, Result};
use index_keys::IndexKeys;
use note::{Key, OF_LOGS};
use policy::Policy;
use report::Report;

const CODES: &str = "Exit codes: 0 nothing is wrong, 1 nothing is wrong and yet not all could be \
verified, 2 input, 3 integrity, 4 a file or server could not be read (a repeat is safe).";

fn command() -> Command {
    let file = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name("FILE").value_parser(value_parser!(PathBuf)).help(help)
    };
    let key = file("key", "Public keys that you trust, one a line");
    let policy = file(
        "witness-policy",
        "Which witnesses have to cosign: a policy, as C2SP tlog-policy has it",
    );
    let roots = file("stamp-roots", "Certificates in PEM that vouch for time stamps");
    let authorities =
        file("seal-ca", "Certificates in PEM of who issued the certificates of seals");
    Command::new("gameledger-verify")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Verifies gameledger chains and evidence files without gameledger.")
        .after_help(CODES)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .arg(
            Arg::new("json")
                .long("json")
                .global(true)
                .action(ArgAction::SetTrue)
                .help("Answer in JSON, for machines"),
        )
        .subcommand(
            Command::new("log")
                .about("Verify a log from its first message to its last")
                .long_about(
                    "Verify a log from its first message to its last: links, decisions, schemas, \
                     every fact, the tree, the tag map, keys and checkpoints. The first fault is \
                     named with its position.",
                )
                .arg(Arg::new("place").value_name("PLACE").required(true).help(
                    "A folder with log.sqlite, that file, a log in tiles (folder or URL), or \
                     exported messages (JSON lines or raw)",
                ))
                .arg(file(
                    "since",
                    "A note of the log that you kept: finds history that was replaced",
                ))
                .arg(key.clone())
                .arg(policy.clone())
                .arg(roots.clone())
                .arg(authorities.clone())
                .arg(
                    Arg::new("links")
                        .long("links")
                        .action(ArgAction::SetTrue)
                        .help("Read no facts: hashes, links, tree and signatures"),
                )
                .arg(
                    Arg::new("jobs")
                        .long("jobs")
                        .value_name("NUMBER")
                        .value_parser(value_parser!(u16))
                        .default_value("0")
                        .help("Threads; 0: one for each core"),
                )
                .arg(
                    Arg::new("index-keys")
                        .long("index-keys")
                        .value_name("SECRET:SIZE")
                        .conflicts_with("links")
                        .hide(true)
                        .help("Sum the keys of an index of the first messages, for gameledger"),
                ),
        )
        .subcommand(
            Command::new("evidence")
                .about("Verify an evidence file: hashes, proofs, signatures, completeness")
                .arg(
                    Arg::new("file")
                        .value_name("FILE")
                        .required(true)
                        .help("HTML file or data part (JSON)"),
                )
                .arg(key.clone())
                .arg(policy.clone())
                .arg(roots)
                .arg(
                    Arg::new("data-only")
                        .long("data-only")
                        .action(ArgAction::SetTrue)
                        .help("Judge the data part alone, whatever the page around it shows"),
                )
                .arg(
                    Arg::new("events")
                        .long("events")
                        .action(ArgAction::SetTrue)
                        .help("Show every event that is proved"),
                ),
        )
        .subcommand(
            Command::new("balance")
                .about("Verify the balance of an account at the close of a period")
                .arg(Arg::new("file").value_name("FILE").required(true).help("The balance"))
                .arg(key.clone().required(false))
                .arg(policy.clone()),
        )
        .subcommand(
            Command::new("checkpoint")
                .about("Verify a signed checkpoint (a note): who signed and cosigned it")
                .arg(Arg::new("file").value_name("FILE").required(true).help("The note"))
                .arg(key.required(false))
                .arg(policy)
                .arg(file("seal", "A seal over the note, as `log export-seal` writes it"))
                .arg(authorities.requires("seal")),
        )
}

fn main() -> ExitCode {
    let asked = match command().try_get_matches() {
        Ok(asked) => asked,
        Err(error) => {
            let _unwritable = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    let as_json = asked.get_flag("json");
    let result = match asked.subcommand() {
        Some(("log", asked)) => verify_log(asked),
        Some(("evidence", asked)) => verify_evidence(asked),
        Some(("checkpoint", asked)) => verify_checkpoint(asked),
        Some(("balance", asked)) => verify_balance(asked),
        _ => Err(input("no such command")),
    };
    ExitCode::from(report::show(result, as_json))
}

fn verify_log(asked: &ArgMatches) -> Result<Report> {
    let policy = policy_of(asked)?;
    let jobs = asked.get_one::<u16>("jobs").copied().unwrap_or(0);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    log::run(log::Asked {
        place: asked.get_one::<String>("place").cloned().unwrap_or_default(),
        since: asked.get_one::<PathBuf>("since").cloned(),
        keys: keys_of(asked, policy.as_ref())?,
        judges: Judges {
            policy,
            roots: certificates_of(asked, "stamp-roots")?,
            authorities: certificates_of(asked, "seal-ca")?,
        },
        links: asked.get_flag("links"),
        jobs: if jobs == 0 { cores } else { jobs.into() },
        index: asked
            .get_one::<String>("index-keys")
            .map(|text| IndexKeys::parse(text).ok_or_else(|| input("no keys of an index")))
            .transpose()?,
    })
}

fn verify_evidence(asked: &ArgMatches) -> Result<Report> {
    let policy = policy_of(asked)?;
    evidence_file::run(&evidence_file::Asked {
        file: asked.get_one::<String>("file").cloned().unwrap_or_default(),
        keys: keys_of(asked, policy.as_ref())?,
        judges: Judges { policy, roots: certificates_of(asked, "stamp-roots")?, authorities: None },
        data_only: asked.get_flag("data-only"),
        events: asked.get_flag("events"),
    })
}

fn verify_checkpoint(asked: &ArgMatches) -> Result<Report> {
    let policy = policy_of(asked)?;
    let file = asked.get_one::<String>("file").cloned().unwrap_or_default();
    let authorities = certificates_of(asked, "seal-ca")?;
    let sealed = match asked.get_one::<PathBuf>("seal") {
        Some(path) => Some(checkpoint::Sealed {
            seal: file::bytes(path)
                .map_err(|error| input(format!("{} can't be read: {error}", path.display())))?,
            authorities,
        }),
        None => None,
    };
    checkpoint::run(&file, &keys_of(asked, policy.as_ref())?, policy.as_ref(), sealed.as_ref())
}

fn verify_balance(asked: &ArgMatches) -> Result<Report> {
    let policy = policy_of(asked)?;
    let file = asked.get_one::<String>("file").cloned().unwrap_or_default();
    balance::run(&file, &keys_of(asked, policy.as_ref())?, policy.as_ref())
}

fn read(asked: &ArgMatches, name: &str) -> Result<Option<(String, String)>> {
    let Some(path) = asked.get_one::<PathBuf>(name) else { return Ok(None) };
    match file::text(path) {
        Ok(text) => Ok(Some((path.display().to_string(), text))),
        Err(error) => Err(input(format!("{} can't be read: {error}", path.display()))),
    }
}

fn policy_of(asked: &ArgMatches) -> Result<Option<Policy>> {
    let Some((path, text)) = read(asked, "witness-policy")? else { return Ok(None) };
    Policy::parse(&text).map(Some).map_err(|what| input(format!("{path}: {what}")))
}

fn certificates_of(
    asked: &ArgMatches, name: &str,
) -> Result<Option<Vec<rustls::pki_types::CertificateDer<'static>>>> {
    let Some((path, text)) = read(asked, name)? else { return Ok(None) };
    stamp::read_roots(&text).map(Some).map_err(|what| input(format!("{path}: {what}")))
}

/// Keys of a file, or those of the logs that a policy names.
fn keys_of(asked: &ArgMatches, policy: Option<&Policy>) -> Result<Vec<Key>> {
    let Some((path, text)) = read(asked, "key")? else {
        return Ok(policy.map_or_else(Vec::new, |policy| policy.logs.clone()));
    };
    let mut keys = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.strip_prefix("public key: ").unwrap_or(line).trim();
        if line.is_empty() {
            continue;
        }
        let wrong =
            |what: String| -> Fault { input(format!("{path}, line {}: {what}", number + 1)) };
        let key = Key::parse(line).map_err(wrong)?;
        if !OF_LOGS.contains(&key.kind) {
            return Err(wrong("it is no key of a log".into()));
        }
        keys.push(key);
    }
    if keys.is_empty() {
        return Err(input(format!("{path} holds no key")));
    }
    Ok(keys)
}
