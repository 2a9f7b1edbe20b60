//! From a request to an interpreter that answered: the order in which everything is tried.
//!
//! uv comes first, from PATH, from the agent directory, or from its sources, and chooses; without uv, what PATH has is
//! used as it is; where nothing fits, one is installed. Whatever was chosen is asked what it is before it is believed.

use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::home::create_private_dir;
use crate::settings::{Settings, UV_TIME_BESIDE_PYTHON, variable};

use super::asked::Asked;
use super::error::{bring, move_directory};
use super::fetch::managed::Check;
use super::probe::{self, Answered, Candidate, Environments, Refusal};
use super::uv::{Again, Origin, Scope, Surroundings, Uv};
use super::{
    Context, Error, Interpreter, PassedOver, discover, fetch::managed, termux, uv, volume,
};

/// Whether what is missing is got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Means {
    /// It is only looked for.
    Look,
    /// It is got where that is allowed.
    Get,
}

/// What keeps uv away.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// It was not to be got.
    OnlyLooked,
    Offline,
    Termux(termux::Failure),
    AgentDirectory(std::io::Error),
    /// The agent directory's file system starts no programs.
    Noexec,
    Managed(managed::Error),
    /// It is in its place and does not work.
    Uv(uv::Failure),
    /// It was not there in the time that it had because a Python is at hand; there is more time if that one fails.
    Impatient(managed::Error),
}

impl Trouble {
    pub(crate) fn in_one_line(&self, settings: &Settings) -> String {
        match self {
            Self::OnlyLooked => "there is none".to_owned(),
            Self::Offline => "offline mode is on".to_owned(),
            Self::Termux(failure) => failure.in_one_line(),
            Self::AgentDirectory(error) => error.to_string(),
            Self::Noexec => format!(
                "the agent directory `{}` is mounted noexec; {}",
                settings.home.root().display(),
                move_directory("from which programs may be started")
            ),
            Self::Managed(error) | Self::Impatient(error) => error.to_string(),
            Self::Uv(failure) => failure.in_one_line(),
        }
    }
}

/// One search for one request.
pub(crate) struct Search<'a> {
    context: Context<'a>,
    asked: &'a Asked,
    means: Means,
    surroundings: Surroundings,
    /// What was asked and refused.
    passed_over: Vec<PassedOver>,
    /// Files that were asked, so that none is asked twice.
    tried: Vec<PathBuf>,
    /// Files that cost much or disturb a person when they are asked under another name.
    shunned: Vec<PathBuf>,
    /// A Python that works but chatters: better than none.
    spare: Option<Answered>,
}

/// Who says that a candidate is of the version that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Chosen {
    /// uv does, which understands more requests than we do.
    ByUv,
    /// Nobody yet.
    ByName,
}

/// What uv's own search came to.
enum Pick {
    Works(Interpreter),
    /// uv says that there is none.
    None,
    /// uv failed, or what it chose does not work.
    Doubtful,
}

impl<'a> Search<'a> {
    pub(crate) fn new(context: Context<'a>, asked: &'a Asked, means: Means) -> Self {
        Self {
            context,
            asked,
            means,
            surroundings: Surroundings::of(context.settings),
            passed_over: Vec::new(),
            tried: Vec::new(),
            shunned: Vec::new(),
            spare: None,
        }
    }

    /// The interpreter that was asked for.
    pub(crate) fn interpreter(&mut self) -> Result<Interpreter, Error> {
        self.interpreter_with(Self::uv)
    }

    /// The same, where uv comes from elsewhere, if it is needed.
    pub(crate) fn interpreter_with(
        &mut self,
        uv: impl FnOnce(&mut Self) -> Result<Uv, Trouble>,
    ) -> Result<Interpreter, Error> {
        if let Asked::Path(path) = self.asked {
            return self.named(path);
        }
        if let Asked::Unclear(text) = self.asked {
            return Err(Error::Unclear {
                asked: text.clone(),
            });
        }
        if self.asked.is_too_old() {
            return Err(Error::TooOld {
                asked: self.asked.to_string(),
            });
        }
        match uv(self) {
            Ok(uv) => self.with_uv(&uv),
            Err(trouble) => self.without_uv(trouble),
        }
    }

    /// The interpreter that somebody named: that one or none.
    fn named(&mut self, path: &Path) -> Result<Interpreter, Error> {
        let candidate = Candidate::new(path);
        match probe::ask(
            self.context,
            &self.surroundings,
            &candidate,
            Environments::Kept,
        ) {
            Ok(answered) => Ok(answered.interpreter),
            Err(refusal) => Err(Error::Unusable {
                path: path.to_path_buf(),
                reason: refusal.in_one_line(),
            }),
        }
    }

    fn with_uv(&mut self, uv: &Uv) -> Result<Interpreter, Error> {
        self.context.progress.step("looking for Python");
        let pick = match self.pick_of(uv, Scope::Everywhere) {
            Pick::None if !self.users_pythons_are_unwanted() => self.pick_of(uv, Scope::Users),
            pick => pick,
        };
        match pick {
            Pick::Works(interpreter) => return Ok(interpreter),
            Pick::None if !termux::is_here(self.context.settings) => {}
            Pick::None | Pick::Doubtful => {
                if let Some(interpreter) = self.scan() {
                    return Ok(interpreter);
                }
            }
        }
        if let Some(spare) = self.take_spare() {
            return Ok(spare);
        }
        if termux::is_here(self.context.settings) {
            return self.install_package();
        }
        self.install(uv)
    }

    fn without_uv(&mut self, trouble: Trouble) -> Result<Interpreter, Error> {
        self.context.progress.step("looking for Python");
        if let Some(interpreter) = self.scan().or_else(|| self.take_spare()) {
            self.say_that_uv_is_missing(&trouble);
            return Ok(interpreter);
        }
        if matches!(trouble, Trouble::Impatient(_)) {
            let uv = self.downloaded(self.context.deadline);
            return match uv {
                Ok(uv) => self.with_uv(&uv),
                Err(trouble) => Err(self.fail(trouble)),
            };
        }
        if termux::is_here(self.context.settings) && self.may_fetch() {
            return self.install_package();
        }
        Err(self.fail(trouble))
    }

    // uv

    /// A uv: the user's own, else the managed one, else a new one.
    pub(crate) fn uv(&mut self) -> Result<Uv, Trouble> {
        if let Some(uv) = self.uv_on_path() {
            return Ok(uv);
        }
        if termux::is_here(self.context.settings) {
            return self.install_uv_package();
        }
        if let Some(trouble) = managed::pins_trouble(self.context.settings) {
            self.context.progress.warning(&trouble);
        }
        match self.uv_in_place() {
            Ok(Some(uv)) => return Ok(uv),
            Err(trouble @ Trouble::Noexec) => return Err(trouble),
            Err(trouble) if !self.may_fetch_uv() => return Err(trouble),
            Ok(None) | Err(_) => {}
        }
        self.downloaded(self.patience())
            .or_else(|trouble| self.outdated_uv().ok_or(trouble))
    }

    /// A managed uv that is whole but not the pinned one: better than none.
    fn outdated_uv(&mut self) -> Option<Uv> {
        let Check::Outdated { found, .. } = managed::check(self.context.settings) else {
            return None;
        };
        Uv::examine(
            self.context,
            &self.surroundings,
            &found.path,
            Origin::Managed,
        )
        .ok()
    }

    fn uv_on_path(&mut self) -> Option<Uv> {
        let found = uv::on_path(self.context, &self.surroundings);
        for passed_over in found.passed_over {
            self.pass_over(passed_over.path, passed_over.reason);
        }
        found.uv
    }

    /// The managed uv, if it is there and answers.
    fn uv_in_place(&mut self) -> Result<Option<Uv>, Trouble> {
        let present = match managed::present(self.context.settings) {
            Ok(present) => present,
            Err(reason) => {
                let note = format!("the managed uv counts as absent: {reason}");
                self.context.progress.note(&note);
                None
            }
        };
        let Some(managed) = present else {
            return Ok(None);
        };
        match Uv::examine(
            self.context,
            &self.surroundings,
            &managed.path,
            Origin::Managed,
        ) {
            Ok(uv) => Ok(Some(uv)),
            Err(failure) if failure.is_noexec() => Err(Trouble::Noexec),
            Err(failure) => {
                self.pass_over(managed.path, failure.in_one_line());
                Err(Trouble::Uv(failure))
            }
        }
    }

    /// A new managed uv.
    fn downloaded(&mut self, deadline: Instant) -> Result<Uv, Trouble> {
        let settings = self.context.settings;
        if self.means == Means::Look {
            return Err(Trouble::OnlyLooked);
        }
        if !self.may_fetch_uv() {
            return Err(Trouble::Offline);
        }
        writable(&settings.home.bin()).map_err(Trouble::AgentDirectory)?;
        if volume::is_noexec(&settings.home.bin()) {
            return Err(Trouble::Noexec);
        }
        let hurried = deadline < self.context.deadline;
        let managed = managed::install(Context {
            deadline,
            ..self.context
        })
        .map_err(|error| {
            if hurried && Instant::now() >= deadline {
                Trouble::Impatient(error)
            } else {
                Trouble::Managed(error)
            }
        })?;
        Uv::examine(
            self.context,
            &self.surroundings,
            &managed.path,
            Origin::Managed,
        )
        .map_err(|failure| {
            if failure.is_noexec() {
                Trouble::Noexec
            } else {
                Trouble::Uv(failure)
            }
        })
    }

    /// How long uv is waited for at first. A Python that may be used as it is must not wait for a network that is not
    /// there.
    fn patience(&self) -> Instant {
        if discover::candidates_on_path(self.context.settings).is_empty() {
            return self.context.deadline;
        }
        self.context
            .deadline
            .min(Instant::now() + UV_TIME_BESIDE_PYTHON)
    }

    fn install_uv_package(&mut self) -> Result<Uv, Trouble> {
        if self.means == Means::Look {
            return Err(Trouble::OnlyLooked);
        }
        if !self.may_fetch() {
            return Err(Trouble::Offline);
        }
        // Python may have to come the same way.
        let half = self
            .context
            .deadline
            .saturating_duration_since(Instant::now())
            / 2;
        let result = termux::install(
            self.context,
            &self.surroundings,
            "uv",
            Instant::now() + half,
        );
        let nothing = || termux::Failure::NothingInstalled {
            package: "uv".to_owned(),
        };
        let uv = result.and_then(|()| self.uv_on_path().ok_or_else(nothing));
        uv.map_err(|failure| {
            let reason = failure.in_one_line();
            self.context
                .progress
                .note(&format!("Termux's uv was not installed: {reason}"));
            Trouble::Termux(failure)
        })
    }

    // Finding

    /// What uv chooses, asked what it is.
    fn pick_of(&mut self, uv: &Uv, scope: Scope) -> Pick {
        match uv.find(
            self.context,
            &self.surroundings,
            &self.asked.request(),
            scope,
        ) {
            Ok(None) => Pick::None,
            Ok(Some(path)) => match self.answer_of(&Candidate::new(path), Chosen::ByUv) {
                Some(interpreter) => Pick::Works(interpreter),
                None => Pick::Doubtful,
            },
            Err(failure) => {
                let reason = failure.in_one_line();
                self.context
                    .progress
                    .note(&format!("uv's own search is not used: {reason}"));
                Pick::Doubtful
            }
        }
    }

    /// Whether the user keeps uv to the system's Pythons.
    fn users_pythons_are_unwanted(&self) -> bool {
        let environment = &self.context.settings.environment;
        environment.text("UV_PYTHON_PREFERENCE") == Some("only-system")
            || environment.get("UV_NO_MANAGED_PYTHON").is_some()
            || termux::is_here(self.context.settings)
    }

    /// The first that works of the agent directory's and PATH's.
    fn scan(&mut self) -> Option<Interpreter> {
        let settings = self.context.settings;
        let own = discover::own(settings).into_iter().map(Candidate::new);
        let candidates: Vec<Candidate> =
            own.chain(discover::candidates_on_path(settings)).collect();
        for name in ["python3", "python"] {
            for path in discover::not_executable(settings, name) {
                self.pass_over(path, "it is no executable file".to_owned());
            }
        }
        candidates
            .iter()
            .find_map(|candidate| self.answer_of(candidate, Chosen::ByName))
    }

    /// Asks one candidate; a refusal is noted.
    fn answer_of(&mut self, candidate: &Candidate, chosen: Chosen) -> Option<Interpreter> {
        if self.tried.contains(&candidate.path) || self.is_shunned(&candidate.path) {
            return None;
        }
        self.tried.push(candidate.path.clone());
        match probe::ask(
            self.context,
            &self.surroundings,
            candidate,
            Environments::Followed,
        ) {
            Ok(answered) if chosen == Chosen::ByName && !self.asked.accepts(answered.version) => {
                self.pass_over(
                    candidate.path.clone(),
                    format!("it is Python {}", answered.version),
                );
                None
            }
            Ok(answered) if answered.chatters => {
                self.pass_over(
                    candidate.path.clone(),
                    "it prints more than it is asked for".to_owned(),
                );
                self.spare.get_or_insert(answered);
                None
            }
            Ok(answered) => Some(answered.interpreter),
            Err(refusal) => {
                if matches!(refusal, Refusal::StoreStub | Refusal::Hangs) {
                    self.shunned.push(candidate.path.clone());
                }
                self.pass_over(candidate.path.clone(), refusal.in_one_line());
                None
            }
        }
    }

    fn is_shunned(&self, path: &Path) -> bool {
        self.shunned
            .iter()
            .any(|shunned| probe::is_same_program(shunned, path))
    }

    fn take_spare(&mut self) -> Option<Interpreter> {
        self.spare.take().map(|answered| answered.interpreter)
    }

    // Installing

    fn install(&mut self, uv: &Uv) -> Result<Interpreter, Error> {
        let settings = self.context.settings;
        if self.means == Means::Look {
            return Err(self.fail(Trouble::OnlyLooked));
        }
        if !self.may_install_python() {
            return Err(self.fail(Trouble::Offline));
        }
        writable(&settings.home.pythons())
            .map_err(|error| self.fail(Trouble::AgentDirectory(error)))?;
        if volume::is_noexec(&settings.home.pythons()) {
            return Err(self.fail(Trouble::Noexec));
        }
        let version = self.version_to_install();
        self.context
            .progress
            .step(&format!("installing Python {version} with {uv}"));
        for again in [Again::No, Again::Yes] {
            self.in_time()?;
            uv.install(self.context, &self.surroundings, &version, again)
                .map_err(|source| Error::Install {
                    asked: format!("Python {version}"),
                    passed_over: std::mem::take(&mut self.passed_over),
                    advice: advice_on_install(settings, &source),
                    source: source.into(),
                })?;
            // What was refused before may be what was just made anew.
            self.tried.clear();
            self.shunned.clear();
            if let Some(interpreter) = self.installed(uv, &version) {
                return Ok(interpreter);
            }
        }
        Err(Error::Useless {
            asked: format!("Python {version}"),
            passed_over: std::mem::take(&mut self.passed_over),
        })
    }

    /// The Python that was just installed.
    fn installed(&mut self, uv: &Uv, version: &str) -> Option<Interpreter> {
        let found = uv
            .find(self.context, &self.surroundings, version, Scope::Own)
            .ok()
            .flatten();
        let found = found.and_then(|path| self.answer_of(&Candidate::new(path), Chosen::ByUv));
        found
            .or_else(|| {
                let own = discover::own(self.context.settings);
                own.into_iter()
                    .find_map(|path| self.answer_of(&Candidate::new(path), Chosen::ByName))
            })
            .or_else(|| self.take_spare())
    }

    fn version_to_install(&self) -> String {
        match self.asked {
            Asked::Version(text) => text.clone(),
            Asked::Any | Asked::Path(_) | Asked::Unclear(_) => {
                self.context.settings.python_install.clone()
            }
        }
    }

    fn install_package(&mut self) -> Result<Interpreter, Error> {
        if self.means == Means::Look {
            return Err(self.fail(Trouble::OnlyLooked));
        }
        if !self.may_fetch() {
            return Err(self.fail(Trouble::Offline));
        }
        let asked = self.asked.to_string();
        let result = termux::install(
            self.context,
            &self.surroundings,
            "python",
            self.context.deadline,
        );
        self.tried.clear();
        if let Some(interpreter) = self.scan().or_else(|| self.take_spare()) {
            return Ok(interpreter);
        }
        let passed_over = std::mem::take(&mut self.passed_over);
        let result = result.and_then(|()| {
            if discover::candidates_on_path(self.context.settings).is_empty() {
                let package = "python".to_owned();
                return Err(termux::Failure::NothingInstalled { package });
            }
            Ok(())
        });
        Err(match result {
            Ok(()) => Error::Useless { asked, passed_over },
            Err(source) => Error::Termux {
                asked,
                passed_over,
                source,
            },
        })
    }

    fn in_time(&self) -> Result<(), Error> {
        if Instant::now() < self.context.deadline {
            return Ok(());
        }
        Err(Error::TimedOut {
            limit: self.context.settings.provision.total,
        })
    }

    // What is allowed

    fn may_fetch(&self) -> bool {
        !self.context.settings.offline
    }

    /// A folder is no network.
    fn may_fetch_uv(&self) -> bool {
        let mirror = self.context.settings.mirror.as_deref();
        self.may_fetch() || mirror.is_some_and(is_local)
    }

    fn may_install_python(&self) -> bool {
        let mirror = self
            .context
            .settings
            .environment
            .text("UV_PYTHON_INSTALL_MIRROR");
        self.may_fetch() || mirror.is_some_and(|mirror| mirror.starts_with("file:"))
    }

    // What is said

    fn pass_over(&mut self, path: PathBuf, reason: String) {
        let passed_over = PassedOver { path, reason };
        self.context.progress.note(&passed_over.to_string());
        if !self.passed_over.contains(&passed_over) {
            self.passed_over.push(passed_over);
        }
    }

    fn say_that_uv_is_missing(&self, trouble: &Trouble) {
        // The package manager's failure was said when it happened.
        if !matches!(trouble, Trouble::OnlyLooked | Trouble::Termux(_)) {
            let reason = trouble.in_one_line(self.context.settings);
            self.context.progress.note(&format!(
                "the Python that is here is used as it is, without uv: {reason}"
            ));
        }
    }

    fn fail(&mut self, trouble: Trouble) -> Error {
        let home = &self.context.settings.home;
        let asked = self.asked.to_string();
        let passed_over = std::mem::take(&mut self.passed_over);
        match trouble {
            Trouble::OnlyLooked => Error::Missing { asked, passed_over },
            Trouble::Offline => Error::Offline {
                asked,
                passed_over,
                instructions: instructions(self.context.settings, &self.asked.to_string()),
            },
            Trouble::Termux(source) => Error::Termux {
                asked,
                passed_over,
                source,
            },
            Trouble::AgentDirectory(source) => Error::AgentDirectory {
                asked,
                dir: home.root().to_path_buf(),
                closed: volume::closed_directory(home.root()).map(Path::to_path_buf),
                source,
            },
            Trouble::Noexec => Error::Noexec {
                asked,
                dir: home.root().to_path_buf(),
            },
            Trouble::Managed(error) | Trouble::Impatient(error) => Error::NoUv {
                asked,
                passed_over,
                advice: [error.hints(), vec![python_from_a_folder()]].concat(),
                source: Box::new(error),
            },
            Trouble::Uv(failure) => Error::NoUv {
                asked,
                passed_over,
                advice: vec!["`pi doctor` looks at the managed uv and repairs it".to_owned()],
                source: Box::new(failure),
            },
        }
    }
}

/// What to bring where, for a machine without network.
pub(crate) fn instructions(settings: &Settings, asked: &str) -> Vec<String> {
    let online = format!(
        "to let pi get it, unset `{}` and leave out `--offline`",
        variable("offline")
    );
    if termux::is_here(settings) {
        let packages = "with network, run `pkg install python` (and `pkg install uv`)";
        return vec![packages.to_owned(), online];
    }
    [
        vec![bring(asked)],
        managed::instructions(settings),
        vec![python_from_a_folder(), online],
    ]
    .concat()
}

/// What uv's failure to install comes from, as far as its surroundings tell.
fn advice_on_install(settings: &Settings, failure: &uv::Failure) -> Vec<String> {
    /// How the system's words begin and end where there is no room.
    const NO_ROOM: [&str; 3] = ["No space left", "os error 28", "os error 122"];
    const DOWNLOADS: &str = "UV_PYTHON_DOWNLOADS";
    let forbidden = settings
        .environment
        .text(DOWNLOADS)
        .filter(|value| *value == "never")
        .map(|value| format!("`{DOWNLOADS}={value}` keeps uv from installing Python: unset it"));
    let words = failure.to_string();
    let full = NO_ROOM.iter().any(|part| words.contains(part)).then(|| {
        format!(
            "no space is left in `{}`: a Python and its download take about 200 MB; {}",
            settings.home.root().display(),
            move_directory("with more room")
        )
    });
    forbidden.into_iter().chain(full).collect()
}

fn python_from_a_folder() -> String {
    format!(
        "a Python for uv to install comes from the folder that `UV_PYTHON_INSTALL_MIRROR` names as a file address \
         (uv itself from the one that `{}` names)",
        variable("uv.mirror")
    )
}

/// Makes a directory and says whether files can be made in it.
fn writable(dir: &Path) -> std::io::Result<()> {
    create_private_dir(dir)?;
    tempfile::tempfile_in(dir).map(drop)
}

/// Whether an address names a file or folder of this machine.
fn is_local(address: &str) -> bool {
    address.starts_with("file:") || !address.contains("://")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_no_network() {
        for (address, local) in [
            ("file:///srv/m", true),
            ("/srv/m", true),
            ("C:\\mirror", true),
            ("https://mirror.example/m", false),
        ] {
            assert_eq!(is_local(address), local, "{address}");
        }
    }
}
