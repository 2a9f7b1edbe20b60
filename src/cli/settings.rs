//! `pi settings`: every setting with its value and where that comes from.

use std::fmt::Write;
use std::process::ExitCode;

use serde::Serialize;

use super::{print, print_json};
use crate::provision::without_login;
use crate::settings::{Origin, Settings, Value};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry<'a> {
    key: &'a str,
    value: Value,
    origin: Origin,
    variable: Option<&'a str>,
    help: &'a str,
}

/// A setting's value without the login that an address may hold.
fn shown(key: &str, value: &Value) -> Value {
    match value {
        Value::Text(text) if key == "uv.mirror" => Value::Text(without_login(text)),
        _ => value.clone(),
    }
}

pub(crate) fn main(settings: &Settings, json: bool) -> ExitCode {
    let entries: Vec<Entry<'_>> = settings
        .rows()
        .map(|(row, value, origin)| Entry {
            key: row.key,
            value: shown(row.key, value),
            origin,
            variable: row.variable,
            help: row.help,
        })
        .collect();
    if json {
        return print_json(&entries);
    }
    let mut text = format!(
        "# agent directory: {}\n# user settings: {}\n",
        settings.home.root().display(),
        settings.home.settings_file().display()
    );
    for entry in &entries {
        let value = serde_json::to_string(&entry.value).expect("a setting's value is JSON");
        let origin = match entry.origin {
            Origin::Default => "default",
            Origin::User => "user settings",
            Origin::Environment => "environment",
            Origin::Project => "project",
        };
        let variable = entry
            .variable
            .map(|name| format!(", {name}"))
            .unwrap_or_default();
        let _ = write!(
            text,
            "\n# {} ({origin}{variable})\n{} = {value}\n",
            entry.help, entry.key
        );
    }
    print(text.as_bytes())
}
