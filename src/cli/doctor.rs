//! `pi doctor` and `pi update`: a report, and exit code 0 or 1.

use std::fmt::Write;
use std::process::ExitCode;

use super::args::{Doctor, Update};
use super::provision::apply;
use super::{print, print_json, progress, report};
use crate::doctor::{self, Repair, Report, Status};
use crate::provision;
use crate::settings::Settings;

pub(crate) fn examine(args: &Doctor, mut settings: Settings, quiet: bool) -> ExitCode {
    apply(&args.fetch, &mut settings);
    let repair = if args.no_install {
        Repair::No
    } else {
        Repair::Yes
    };
    conclude(&settings, repair, args.json, quiet)
}

pub(crate) fn update(args: &Update, mut settings: Settings, quiet: bool) -> ExitCode {
    apply(&args.fetch, &mut settings);
    let listener = progress::listener(quiet);
    let updated = provision::update(&settings, listener.as_ref());
    drop(listener);
    if let Err(error) = updated {
        report::error(&error, &error.hints());
    }
    conclude(&settings, Repair::Yes, args.json, quiet)
}

fn conclude(settings: &Settings, repair: Repair, json: bool, quiet: bool) -> ExitCode {
    let listener = progress::listener(quiet || json);
    let report = doctor::examine(settings, listener.as_ref(), repair);
    drop(listener);
    let printed = if json {
        print_json(&report)
    } else {
        print(text(&report).as_bytes())
    };
    if printed == ExitCode::SUCCESS && !report.ok {
        ExitCode::FAILURE
    } else {
        printed
    }
}

fn text(report: &Report) -> String {
    let mut text = String::new();
    for check in &report.checks {
        let mark = match check.status {
            Status::Ok => "ok      ",
            Status::Repaired => "repaired",
            Status::Missing => "missing ",
            Status::Warning => "warning ",
        };
        let _ = writeln!(text, "{mark}  {}: {}", check.label, check.detail);
        for step in &check.guide {
            let _ = writeln!(text, "          - {step}");
        }
    }
    text
}
