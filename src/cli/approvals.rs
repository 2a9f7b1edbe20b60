//! `pi approvals`: questions and answers, from another terminal or another day.

use std::fmt::Write;
use std::process::ExitCode;
use std::time::{Duration, UNIX_EPOCH};

use super::args::ApprovalsCommand;
use super::{ask, exit, frame, print, print_json, report};
use crate::approval::remember::{Error, Given, Known, Standing, Store};
use crate::approval::within;
use crate::approval::{By, Category};
use crate::settings::Settings;

pub(crate) fn main(command: ApprovalsCommand, settings: &Settings, quiet: bool) -> ExitCode {
    let store = Store::of(&settings.home);
    let answered = match command {
        ApprovalsCommand::List(args) => Ok(list(&store, args.json, quiet)),
        ApprovalsCommand::Show { id, json } => show(&store, &id, json),
        ApprovalsCommand::Grant { .. } if within::is_within_run(settings) => {
            report::error_text(
                "`pi approvals grant` is not taken from a program that pi runs: a program can't approve itself",
                &[],
            );
            return exit::APPROVAL.into();
        }
        ApprovalsCommand::Grant { id, always } => grant(&store, &id, always, quiet),
        ApprovalsCommand::Revoke { id } => revoke(&store, &id, quiet),
    };
    answered.unwrap_or_else(|error| {
        let hints = match &error {
            Error::Store(_) => Vec::new(),
            Error::Unknown { .. } | Error::Ambiguous { .. } => {
                vec!["`pi approvals list` names them".to_owned()]
            }
        };
        report::error(&error, &hints);
        exit::INTERNAL.into()
    })
}

fn list(store: &Store, json: bool, quiet: bool) -> ExitCode {
    let found = store.all();
    if !quiet {
        found.warnings.iter().for_each(|text| report::warning(text));
    }
    if json {
        return print_json(&found.known);
    }
    let text: String = found.known.iter().map(row).collect();
    print(text.as_bytes())
}

fn row(known: &Known) -> String {
    let question = &known.question;
    let categories: Vec<&str> = question.categories().iter().map(Category::name).collect();
    let program = question.script.as_deref().unwrap_or("code");
    format!(
        "{}  {:7}  {}  {}  {}  in {}\n",
        question.id,
        known.status.name(),
        time(question.asked_unix_ms),
        categories.join(","),
        frame::visible(program),
        frame::visible(&question.cwd),
    )
}

fn show(store: &Store, id: &str, json: bool) -> Result<ExitCode, Error> {
    let known = store.find(id)?;
    if json {
        return Ok(print_json(&known));
    }
    let question = &known.question;
    let mut text = String::new();
    for excerpt in &question.excerpts {
        let name = match &excerpt.file {
            Some(file) => file.to_string_lossy(),
            None => question.script.as_deref().unwrap_or("<code>").into(),
        };
        let _ = writeln!(text, "{}:", frame::visible(&name));
        text.push_str(&frame::source(excerpt));
        text.push('\n');
    }
    let program = question.script.as_deref().unwrap_or("<code>");
    text.push_str(&frame::findings(
        program,
        &question.excerpts,
        &question.findings,
    ));
    text.push('\n');
    text.push_str(&ask::run(question, ask::Rows::All));
    let _ = writeln!(text, "{:>10}  {}", "asked", time(question.asked_unix_ms));
    let _ = writeln!(text, "{:>10}  {}", "status", status(&known));
    Ok(print(text.as_bytes()))
}

fn status(known: &Known) -> String {
    let meaning = match known.status {
        Standing::Pending => "pending: nobody has answered",
        Standing::Once => "once: the next run may go ahead",
        Standing::Always => "always: every run of this exact content may go ahead",
        Standing::Refused => "refused",
        Standing::Used => "used: it was allowed once, and has run",
    };
    match known.answer {
        Some(Given { by, at_unix_ms }) => {
            format!("{meaning} (answered {} {})", time(at_unix_ms), by.words())
        }
        None => meaning.to_owned(),
    }
}

fn grant(store: &Store, id: &str, always: bool, quiet: bool) -> Result<ExitCode, Error> {
    let question = store.find(id)?.question;
    let standing = if always {
        Standing::Always
    } else {
        Standing::Once
    };
    store
        .answer(&question, standing, By::Command)
        .map_err(Error::Store)?;
    let meaning = if always {
        "every run of this exact content may go ahead"
    } else {
        "the next run of this exact content may go ahead"
    };
    say(&format!("{}: {meaning}", question.id), quiet);
    Ok(ExitCode::SUCCESS)
}

fn revoke(store: &Store, id: &str, quiet: bool) -> Result<ExitCode, Error> {
    let question = store.find(id)?.question;
    store.forget(&question).map_err(Error::Store)?;
    say(
        &format!("{}: taken back; such a run asks anew", question.id),
        quiet,
    );
    Ok(ExitCode::SUCCESS)
}

fn say(text: &str, quiet: bool) {
    if !quiet {
        report::note(text);
    }
}

fn time(unix_ms: u64) -> String {
    let time = UNIX_EPOCH.checked_add(Duration::from_millis(unix_ms));
    // A time that no calendar holds is in a file that somebody else wrote.
    time.filter(|_| unix_ms < 253_402_300_800_000).map_or_else(
        || "?".to_owned(),
        |time| humantime::format_rfc3339_seconds(time).to_string(),
    )
}
