//! What pi needs, looked at piece by piece, and put right where pi can.
//!
//! [`examine`] builds a report and prints nothing. A check fails the report only when it is [`Status::Missing`]:
//! a run can't work without it. What is merely worth knowing is a warning.

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::approval::guard::Layers;
use crate::home::{create_private_dir, set_aside};
use crate::progress::Progress;
use crate::provision::look::{self, Look, UvState, Volume};
use crate::provision::{self, CacheState, Error, Force, Interpreter};
use crate::settings::Settings;

mod permissions;

/// Less free space than this is said: a Python with its download and unpacking takes about half of it.
const LITTLE_SPACE: u64 = 512 * 1024 * 1024;
/// An interpreter that takes longer to start than this makes every run slow.
const SLOW_START_MS: u128 = 1_000;

/// Whether what is found wrong is put right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repair {
    /// What is missing is installed, and what is wrong in the agent directory is mended.
    Yes,
    /// Everything is left as it is.
    No,
}

/// The outcome of all checks.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Whether a run can work: nothing is missing.
    pub ok: bool,
    /// The checks, in the order in which a person would read them.
    pub checks: Vec<Check>,
}

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Check {
    /// A name that does not change, for programs.
    pub id: &'static str,
    /// A name for people.
    pub label: &'static str,
    /// Whose it is.
    pub kind: Kind,
    /// How it stands.
    pub status: Status,
    /// What was found, in a sentence without a full stop.
    pub detail: String,
    /// What a person can do, a line each.
    pub guide: Vec<String>,
}

/// Whose a thing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Pi's own: it makes and mends it.
    Managed,
    /// The machine's or the user's: pi only looks.
    System,
}

/// How a thing stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// As it should be.
    Ok,
    /// It was not, and now is.
    Repaired,
    /// It is not there, and no run works without it.
    Missing,
    /// Worth knowing; runs work.
    Warning,
}

impl Check {
    fn new(id: &'static str, label: &'static str, kind: Kind) -> Self {
        Self {
            id,
            label,
            kind,
            status: Status::Ok,
            detail: String::new(),
            guide: Vec::new(),
        }
    }

    fn ok(self, detail: impl Into<String>) -> Self {
        self.with(Status::Ok, detail)
    }

    fn with(mut self, status: Status, detail: impl Into<String>) -> Self {
        self.status = status;
        self.detail = detail.into();
        self
    }

    fn guide(mut self, lines: impl IntoIterator<Item = String>) -> Self {
        self.guide.extend(lines);
        self
    }
}

/// Looks at everything, repairs what it may, and says how it stands then.
pub fn examine(settings: &Settings, progress: &dyn Progress, repair: Repair) -> Report {
    let agent_directory = agent_directory(settings, repair);
    let misplaced = misplaced(settings, repair);
    let before = look::look(settings, progress);
    let installed = match repair {
        Repair::Yes if is_incomplete(&before) => {
            Some(provision::provision(settings, progress, Force::Yes).err())
        }
        _ => None,
    };
    let after = installed.as_ref().map(|_| look::look(settings, progress));
    let failure = installed.flatten();
    let now = after.as_ref().unwrap_or(&before);
    let volume = look::volume(nearest(settings.home.root()));
    let mut checks = vec![
        agent_directory,
        misplaced,
        uv(settings, &before, now),
        python(settings, &before, now, failure.as_ref()),
        cache(&before, now),
    ];
    checks.extend(
        now.interpreter
            .as_ref()
            .ok()
            .map(|python| start_time(settings, python)),
    );
    checks.extend([
        guard(),
        disk(&volume),
        noexec(settings, &volume),
        proxy(settings),
        certificates(settings),
        offline(settings),
    ]);
    checks.extend(termux(settings));
    checks.extend([
        leftovers(settings, progress, repair),
        unknown_files(settings),
        settings_files(settings),
    ]);
    let ok = checks.iter().all(|check| check.status != Status::Missing);
    Report { ok, checks }
}

/// Whether there is something for provisioning to do.
fn is_incomplete(look: &Look) -> bool {
    !matches!(look.uv, UvState::OnPath(_) | UvState::Managed(_))
        || look.interpreter.is_err()
        || !matches!(look.cache, CacheState::Fits(_))
}

/// The directory itself, or the nearest above it that exists.
fn nearest(path: &Path) -> &Path {
    path.ancestors().find(|dir| dir.is_dir()).unwrap_or(path)
}

fn agent_directory(settings: &Settings, repair: Repair) -> Check {
    let check = Check::new("agent-dir", "agent directory", Kind::Managed);
    let home = &settings.home;
    let root = home.root();
    let shown = format!("`{}`", root.display());
    if !root.exists() && repair == Repair::No {
        return check.ok(format!("{shown} is not made yet"));
    }
    if root.exists() && !root.is_dir() {
        return check
            .with(Status::Missing, format!("{shown} is not a directory"))
            .guide([provision::move_directory("that this user can write")]);
    }
    let made = !root.exists();
    let writable = create_private_dir(root).is_ok() && look::volume(root).is_writable;
    if !writable {
        let closed = look::volume(root)
            .closed
            .map(|dir| format!("`{}` can't be entered by this user", dir.display()));
        return check
            .with(
                Status::Warning,
                format!("{shown} can't be written: nothing can be installed or remembered"),
            )
            .guide(closed)
            .guide([provision::move_directory("that this user can write")]);
    }
    let open: Vec<PathBuf> = home
        .directories()
        .into_iter()
        .filter(|dir| permissions::is_open(dir))
        .collect();
    if open.is_empty() {
        return if made {
            check.with(Status::Repaired, format!("{shown} was made"))
        } else {
            check.ok(format!("{shown} is there and private"))
        };
    }
    let names = listed(open.iter().map(|dir| {
        let bits = permissions::mode(dir).unwrap_or_default();
        format!("`{}` (mode {bits:03o})", dir.display())
    }));
    let closed = repair == Repair::Yes && open.iter().all(|dir| permissions::close(dir).is_ok());
    if closed {
        check.with(
            Status::Repaired,
            format!("others could enter {names}; now only this user can"),
        )
    } else {
        let commands = open
            .iter()
            .map(|dir| format!("run `chmod 700 {}`", dir.display()));
        check
            .with(Status::Warning, format!("others can enter {names}"))
            .guide(commands)
    }
}

/// What is of another kind than its name says is renamed, so that the right thing can take its place.
fn misplaced(settings: &Settings, repair: Repair) -> Check {
    let check = Check::new("misplaced", "things in the way", Kind::Managed);
    let found = settings.home.misplaced();
    if found.is_empty() {
        return check.ok("none");
    }
    if repair == Repair::No {
        return check
            .with(
                Status::Warning,
                format!("of another kind than their names say: {}", paths(&found)),
            )
            .guide(["run `pi doctor`, which sets them aside".to_owned()]);
    }
    let mut renamed = Vec::new();
    let mut failed = Vec::new();
    for path in &found {
        match set_aside(path) {
            Ok(new) => renamed.push(provision::set_aside_note(path, &new)),
            Err(error) => failed.push(error.to_string()),
        }
    }
    let status = if failed.is_empty() {
        Status::Repaired
    } else {
        Status::Warning
    };
    check
        .with(status, listed(renamed.into_iter().chain(failed)))
        .guide(["delete what was set aside if nobody needs it".to_owned()])
}

fn uv(settings: &Settings, before: &Look, now: &Look) -> Check {
    let managed = Check::new("uv", "uv", Kind::Managed);
    let mended = !matches!(before.uv, UvState::OnPath(_) | UvState::Managed(_));
    let check = match &now.uv {
        UvState::OnPath(uv) => Check::new("uv", "uv", Kind::System).ok(uv.to_string()),
        UvState::Managed(uv) if mended => {
            managed.with(Status::Repaired, format!("{uv} was installed"))
        }
        UvState::Managed(uv) => managed.ok(format!("{uv}, with the pinned digest")),
        UvState::Outdated { found, pinned } => managed
            .with(
                Status::Warning,
                format!("uv {found} is there, {pinned} is pinned"),
            )
            .guide(["run `pi update`".to_owned()]),
        UvState::Unusable { reason } => managed
            .with(
                without_uv(now),
                format!("the managed uv can't be used: {reason}"),
            )
            .guide(instructions(settings)),
        UvState::Absent => managed
            .with(without_uv(now), "there is none")
            .guide(instructions(settings)),
    };
    check.guide(now.passed_over.iter().map(ToString::to_string))
}

/// Without uv, runs work as long as there is a Python.
fn without_uv(now: &Look) -> Status {
    if now.interpreter.is_ok() {
        Status::Warning
    } else {
        Status::Missing
    }
}

fn instructions(settings: &Settings) -> Vec<String> {
    if provision::is_termux(settings) {
        return vec!["run `pkg install uv`".to_owned()];
    }
    provision::uv_instructions(settings)
}

fn python(settings: &Settings, before: &Look, now: &Look, failure: Option<&Error>) -> Check {
    let check = |kind| Check::new("python", "Python", kind);
    match &now.interpreter {
        Ok(python) => {
            let kind = if provision::is_managed(settings, python) {
                Kind::Managed
            } else {
                Kind::System
            };
            let found = format!(
                "{} {} at `{}`",
                python.implementation,
                python.version,
                python.path.display()
            );
            match &before.interpreter {
                Ok(_) => check(kind).ok(found),
                Err(_) => check(kind).with(Status::Repaired, format!("{found} was installed")),
            }
        }
        Err(error) => {
            let error = failure.unwrap_or(error);
            check(Kind::System)
                .with(Status::Missing, whole(error))
                .guide(error.hints())
        }
    }
}

/// An error with its causes, in one text.
fn whole(error: &Error) -> String {
    let first = std::error::Error::source(error);
    let causes = std::iter::successors(first, |cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}

fn cache(before: &Look, now: &Look) -> Check {
    let check = Check::new("cache", "remembered interpreter", Kind::Managed);
    match (&before.cache, &now.cache) {
        (CacheState::Fits(_), _) => check.ok("it is the one that is used"),
        (CacheState::Absent, CacheState::Fits(_)) => check.ok("it is remembered from now on"),
        (CacheState::Stale, CacheState::Fits(_)) => check.with(
            Status::Repaired,
            "its file had changed; it was looked for anew",
        ),
        (CacheState::Unusable(reason), CacheState::Fits(_)) => check.with(
            Status::Repaired,
            format!("the file was unusable ({reason}) and was made anew"),
        ),
        (_, CacheState::Absent) => check.ok("none yet"),
        (_, CacheState::Stale) => check.ok("none that fits; the next run looks anew"),
        (_, CacheState::Unusable(reason)) => check.with(
            Status::Warning,
            format!("the file is unusable and is ignored: {reason}"),
        ), // It is there now although it was neither there nor repaired: another process wrote it.
    }
}

fn start_time(settings: &Settings, python: &Interpreter) -> Check {
    let check = Check::new("start-time", "interpreter start", Kind::System);
    match look::start_time(settings, python).map(|time| time.as_millis()) {
        Some(milliseconds) if milliseconds > SLOW_START_MS => check
            .with(
                Status::Warning,
                format!("{milliseconds} ms, which every run pays"),
            )
            .guide([
                "look for a virus scanner, a network drive or a `.pth` file that is slow"
                    .to_owned(),
            ]),
        Some(milliseconds) => check.ok(format!("{milliseconds} ms")),
        None => check.with(
            Status::Warning,
            format!("`{}` did not start", python.path.display()),
        ),
    }
}

/// What holds programs that were not approved for an effect. The hook is everywhere; the rest is the system's.
fn guard() -> Check {
    let check = Check::new("guard", "guard", Kind::System);
    let layers = Layers::of_this_machine();
    let names = layers.names().join(", ");
    if !cfg!(target_os = "linux") || layers.landlock.is_some() && layers.supervisor {
        return check.ok(names);
    }
    check
        .with(
            Status::Warning,
            format!("{names}: native code in a program is held less than on other Linux systems"),
        )
        .guide([
            "use a Linux of 6.2 or newer with Landlock, and let containers use `landlock_*` and `seccomp`"
                .to_owned(),
        ])
}

fn disk(volume: &Volume) -> Check {
    let check = Check::new("disk", "free space", Kind::System);
    match volume.free_bytes {
        None => check.ok("unknown"),
        Some(bytes) if bytes < LITTLE_SPACE => check
            .with(
                Status::Warning,
                format!("{} free where the agent directory is", mebibytes(bytes)),
            )
            .guide([
                "run `pi clean`".to_owned(),
                provision::move_directory("with more room"),
            ]),
        Some(bytes) => check.ok(format!("{} free", mebibytes(bytes))),
    }
}

fn mebibytes(bytes: u64) -> String {
    format!("{} MiB", bytes / (1024 * 1024))
}

fn noexec(settings: &Settings, volume: &Volume) -> Check {
    let check = Check::new("noexec", "programs in the agent directory", Kind::System);
    if volume.is_noexec {
        check
            .with(
                Status::Warning,
                format!(
                    "`{}` is mounted noexec: neither uv nor Python can be installed there",
                    settings.home.root().display()
                ),
            )
            .guide([provision::move_directory(
                "from which programs may be started",
            )])
    } else {
        check.ok("can be started")
    }
}

fn proxy(settings: &Settings) -> Check {
    let check = Check::new("proxy", "network settings", Kind::System);
    let set: Vec<String> = variables(settings, |name| {
        !name.contains("CERT") && name != "UV_NATIVE_TLS"
    })
    .map(|(name, value)| format!("{name}={}", provision::without_login(&value)))
    .collect();
    check.ok(set_variables(set))
}

fn certificates(settings: &Settings) -> Check {
    let check = Check::new("certificates", "certificate settings", Kind::System);
    let set: Vec<(String, String)> = variables(settings, |name| {
        name.contains("CERT") || name == "UV_NATIVE_TLS"
    })
    .collect();
    let shown: Vec<String> = set
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let lost: Vec<String> = set
        .iter()
        .filter(|(name, value)| name.starts_with("SSL_") && !settings.cwd.join(value).exists())
        .map(|(name, value)| format!("`{name}` names `{value}`, which is not there"))
        .collect();
    if lost.is_empty() {
        check.ok(set_variables(shown))
    } else {
        check
            .with(Status::Warning, set_variables(shown))
            .guide(lost)
    }
}

/// The variables that steer the network, by their names in capitals.
fn variables(
    settings: &Settings,
    wanted: impl Fn(&str) -> bool,
) -> impl Iterator<Item = (String, String)> {
    settings
        .environment
        .iter()
        .filter(move |(name, value)| {
            !value.is_empty()
                && look::is_network_variable(name)
                && wanted(&name.to_string_lossy().to_uppercase())
        })
        .map(|(name, value)| {
            (
                name.to_string_lossy().into_owned(),
                value.to_string_lossy().into_owned(),
            )
        })
}

fn listed(items: impl IntoIterator<Item = String>) -> String {
    items.into_iter().collect::<Vec<_>>().join(", ")
}

fn paths(paths: &[PathBuf]) -> String {
    listed(paths.iter().map(|path| format!("`{}`", path.display())))
}

fn set_variables(shown: Vec<String>) -> String {
    if shown.is_empty() {
        "no variables are set".to_owned()
    } else {
        listed(shown)
    }
}

fn offline(settings: &Settings) -> Check {
    let check = Check::new("offline", "network use", Kind::System);
    check.ok(if settings.offline {
        "offline mode is on: nothing is downloaded"
    } else {
        "allowed"
    })
}

fn termux(settings: &Settings) -> Option<Check> {
    let check = Check::new("termux", "Termux", Kind::System);
    provision::is_termux(settings).then(|| check.ok("uv and Python come from Termux's packages"))
}

fn leftovers(settings: &Settings, progress: &dyn Progress, repair: Repair) -> Check {
    let check = Check::new("leftovers", "leftover files", Kind::Managed);
    let found = provision::leftovers(settings);
    if found.is_empty() {
        return check.ok("none");
    }
    let names = paths(&found);
    match repair {
        Repair::Yes => match look::sweep(settings, progress) {
            Ok(gone) if gone.len() >= found.len() => {
                check.with(Status::Repaired, format!("deleted {names}"))
            }
            _ => check.with(
                Status::Warning,
                format!("some could not be deleted: {names}"),
            ),
        },
        Repair::No => check
            .with(Status::Warning, names)
            .guide(["run `pi clean`".to_owned()]),
    }
}

/// Looks only where nobody but pi puts files.
fn unknown_files(settings: &Settings) -> Check {
    let check = Check::new("unknown-files", "unknown files", Kind::Managed);
    let leftovers = provision::leftovers(settings);
    let mut unknown = settings.home.unknown_files();
    unknown.retain(|path| !leftovers.contains(path));
    if unknown.is_empty() {
        return check.ok("none");
    }
    let names = paths(&unknown);
    check
        .with(Status::Warning, format!("not pi's: {names}"))
        .guide(["delete them if nobody needs them".to_owned()])
}

fn settings_files(settings: &Settings) -> Check {
    let check = Check::new("settings", "settings", Kind::System);
    let warnings: Vec<String> = settings
        .warnings
        .iter()
        .cloned()
        .chain(provision::pins_trouble(settings))
        .collect();
    if warnings.is_empty() {
        return check.ok(format!(
            "from `{}` and the environment",
            settings.home.settings_file().display()
        ));
    }
    check
        .with(Status::Warning, "some could not be used")
        .guide(warnings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_has_the_documented_form() {
        let check = Check::new("uv", "uv", Kind::Managed)
            .with(Status::Missing, "there is none")
            .guide(["bring one".to_owned()]);
        let report = Report {
            ok: false,
            checks: vec![check],
        };
        assert_eq!(
            serde_json::to_value(&report).expect("it is plain data"),
            serde_json::json!({"ok": false, "checks": [{
                "id": "uv", "label": "uv", "kind": "managed", "status": "missing",
                "detail": "there is none", "guide": ["bring one"]
            }]})
        );
    }
}
