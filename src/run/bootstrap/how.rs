//! How a program is to be started, for the loader.

use std::path::Path;

use super::marshal::Value;
use crate::run::request::{Plan, Program, Stdin};

/// What the loader reads, with the guard's configuration where there is a guard.
pub(super) fn to_start(plan: &Plan, guard: Option<Value<'_>>) -> Vec<u8> {
    let mut pairs = match &plan.program {
        Program::Code(_) => vec![
            ("name", Value::Str("<code>".to_owned())),
            ("named", Value::None),
        ],
        Program::Script {
            path,
            named,
            source,
        } => {
            let real = path.canonicalize();
            let directory = real.as_deref().unwrap_or(path).parent().map(Path::to_owned);
            vec![
                ("name", Value::Os(path.as_os_str())),
                ("named", Value::Os(named.as_os_str())),
                (
                    "directory",
                    Value::Owned(directory.unwrap_or_default().into_os_string()),
                ),
                (
                    "reads",
                    Value::Bool(
                        source.is_none() || (cfg!(windows) && plan.stdin == Stdin::Inherit),
                    ),
                ),
                ("kind", Value::Str(kind(path, source.as_deref()).to_owned())),
            ]
        }
    };
    pairs.push(("input", Value::Bool(plan.stdin == Stdin::Inherit)));
    pairs.push(("guard", guard.unwrap_or(Value::None)));
    let mut bytes = Vec::new();
    Value::Dict(pairs).write(&mut bytes);
    bytes
}

/// What `python FILE` takes a file for: by its name compiled code, by its end an archive with a `__main__`.
fn kind(path: &Path, content: Option<&[u8]>) -> &'static str {
    /// The record that ends an archive, and the longest comment behind it.
    const END: &[u8] = b"PK\x05\x06";
    const COMMENT: usize = 22 + 0xffff;
    let content = content.unwrap_or_default();
    let end = &content[content.len().saturating_sub(COMMENT)..];
    if path.extension().is_some_and(|extension| extension == "pyc") {
        "compiled"
    } else if memchr::memmem::find(end, END).is_some() {
        "archive"
    } else {
        "source"
    }
}
