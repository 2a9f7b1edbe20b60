//! What the guard's hook is told: a policy, as its Python side reads it.

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use super::compiled::Compiled;
use super::marshal::Value;
use crate::approval::credentials;
use crate::approval::guard::Policy;
use crate::run::request::{Plan, Program};

/// The hook's configuration.
pub(super) fn config<'a>(policy: &'a Policy, plan: &'a Plan, compiled: &'a Compiled) -> Value<'a> {
    let workspace = &policy.workspace;
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let home = workspace.home.as_ref();
    let executable = policy.executables.first();
    Value::Dict(vec![
        ("roots", paths(&workspace.roots)),
        ("temporary", paths(&workspace.temporary)),
        ("caches", paths(&workspace.caches)),
        ("agent", Value::Os(workspace.agent.as_os_str())),
        ("protected", paths(&workspace.protected)),
        (
            "home",
            home.map_or(Value::None, |home| Value::Os(home.as_os_str())),
        ),
        ("cwd", Value::Os(plan.cwd.as_os_str())),
        (
            "granted",
            Value::List(
                policy
                    .granted
                    .iter()
                    .map(|one| Value::Str(one.name().to_owned()))
                    .collect(),
            ),
        ),
        ("bound", Value::Bool(policy.is_bound)),
        ("readonly", Value::Bool(policy.is_read_only())),
        (
            "executable",
            executable.map_or(Value::None, |path| {
                Value::Owned(
                    path.canonicalize()
                        .unwrap_or_else(|_| path.clone())
                        .into_os_string(),
                )
            }),
        ),
        ("kernel", Value::Bool(policy.is_supervised())),
        (
            "credentials",
            Value::List(
                credentials::lines()
                    .map(|line| Value::Str(line.to_owned()))
                    .collect(),
            ),
        ),
        ("report", Value::Int(report())),
        (
            "program",
            match &plan.program {
                Program::Code(_) => Value::Str("<code>".to_owned()),
                Program::Script { path, .. } => Value::Os(path.as_os_str()),
            },
        ),
        // More than an `int` of this format holds.
        (
            "started",
            Value::Str(now.unwrap_or_default().as_nanos().to_string()),
        ),
        (
            "child",
            match compiled.guard() {
                Some(file) => Value::Owned(file.into_os_string()),
                None => Value::None,
            },
        ),
    ])
}

fn report() -> i32 {
    #[cfg(unix)]
    return super::REPORT;
    #[cfg(not(unix))]
    -1
}

fn paths(paths: &[PathBuf]) -> Value<'_> {
    Value::List(
        paths
            .iter()
            .map(|path| Value::Os(path.as_os_str()))
            .collect(),
    )
}
