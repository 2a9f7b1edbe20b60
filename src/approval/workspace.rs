//! Where a run may write without being asked.

use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::home::user_home;
use crate::settings::Settings;

/// The directories that count, without symlinks in them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workspace {
    /// The workspace: the git top level that holds the run's directory, else that directory, unless it is one above the
    /// user's home; and roots that settings add.
    pub roots: Vec<PathBuf>,
    /// The system's temporary directories: a run may make things there, and change and delete what it made.
    pub temporary: Vec<PathBuf>,
    /// The user's cache directories.
    pub caches: Vec<PathBuf>,
    /// pi's own directory, which no program writes to.
    pub agent: PathBuf,
    /// What else belongs to the guard: an interpreter that lies in the workspace. A run that could change it would
    /// decide what the next one runs before there is a guard.
    pub protected: Vec<PathBuf>,
    /// The user's home, where stores of credentials are.
    pub home: Option<PathBuf>,
}

/// Where a path lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Zone {
    /// In the workspace.
    Workspace,
    /// In a temporary directory.
    Temporary,
    /// In a cache directory of the user.
    Cache,
    /// In pi's own directory.
    Agent,
    /// Anywhere else.
    Outside,
}

impl Workspace {
    /// The workspace of a run in `cwd`.
    #[must_use]
    pub fn of(cwd: &Path, settings: &Settings) -> Self {
        let environment = &settings.environment;
        let home = user_home(environment).map(|home| real(&home));
        let cache = |name: &str| environment.get(name).map(PathBuf::from);
        let caches = [
            cache("XDG_CACHE_HOME"),
            home.as_ref().map(|home| home.join(".cache")),
            cache("MPLCONFIGDIR"),
            if cfg!(target_os = "macos") {
                home.as_ref().map(|home| home.join("Library/Caches"))
            } else {
                None
            },
        ];
        let mut temporary = vec![real(&std::env::temp_dir())];
        if let Some(dir) = environment.get("TMPDIR") {
            temporary.push(real(Path::new(dir)));
        }
        temporary.dedup();
        let own = top_level(&real(cwd));
        let own = (!holds_everybody(&own, home.as_deref())).then_some(own);
        Self {
            roots: own
                .into_iter()
                .chain(settings.approval.roots.iter().map(|root| real(root)))
                .collect(),
            temporary,
            caches: caches
                .into_iter()
                .flatten()
                .filter(|dir| dir.is_absolute())
                .map(|dir| real(&dir))
                .collect(),
            agent: real(settings.home.root()),
            protected: Vec::new(),
            home,
        }
    }

    /// Where `path` lies, which has to be absolute and without symlinks (see [`resolved`](Self::resolved)).
    #[must_use]
    pub fn zone(&self, path: &Path) -> Zone {
        let within = |dirs: &[PathBuf]| dirs.iter().any(|dir| path.starts_with(dir));
        if path.starts_with(&self.agent) || within(&self.protected) {
            Zone::Agent
        } else if within(&self.roots) {
            Zone::Workspace
        } else if within(&self.temporary) {
            Zone::Temporary
        } else if within(&self.caches) {
            Zone::Cache
        } else {
            Zone::Outside
        }
    }

    /// Whether what belongs to the guard lies below `path`, so that it would move along.
    #[must_use]
    pub fn holds_protected(&self, path: &Path) -> bool {
        let mut protected = self.protected.iter().chain([&self.agent]);
        protected.any(|own| own != path && own.starts_with(path))
    }

    /// The same with an interpreter that lies in the workspace: its executables, its library, and what makes a virtual
    /// environment of it.
    #[must_use]
    pub fn protecting(mut self, prefix: &Path) -> Self {
        /// What there is of an interpreter below its prefix.
        const PARTS: &[&str] = &["bin", "lib", "lib64", "Scripts", "Lib", "pyvenv.cfg"];
        let prefix = real(prefix);
        if self.roots.iter().any(|root| prefix.starts_with(root)) {
            let parts = PARTS.iter().map(|part| real(&prefix.join(part)));
            self.protected.extend(parts.filter(|part| part.exists()));
        }
        self
    }

    /// `path` as seen from `cwd`, without symlinks, as far as it exists. The last component is followed too.
    #[must_use]
    pub fn resolved(cwd: &Path, path: &Path) -> PathBuf {
        real(&cwd.join(path))
    }
}

/// The path without symlinks, as far as it exists; what does not exist is taken as it is written.
fn real(path: &Path) -> PathBuf {
    if let Ok(real) = fs::canonicalize(path) {
        return real;
    }
    match (path.parent(), path.components().next_back()) {
        (Some(parent), Some(Component::Normal(name))) => real(parent).join(name),
        (Some(parent), Some(Component::ParentDir)) => {
            let parent = real(parent);
            parent.parent().unwrap_or(&parent).to_owned()
        }
        (Some(parent), Some(Component::CurDir)) => real(parent),
        _ => path.to_owned(),
    }
}

/// Whether it is the root of all files or a directory of homes: nobody means that by a workspace.
fn holds_everybody(dir: &Path, home: Option<&Path>) -> bool {
    dir.parent().is_none() || home.is_some_and(|home| home != dir && home.starts_with(dir))
}

/// The directory above `dir`, or `dir` itself, that has a `.git`; else `dir`.
fn top_level(dir: &Path) -> PathBuf {
    dir.ancestors()
        .find(|above| above.join(".git").symlink_metadata().is_ok())
        .unwrap_or(dir)
        .to_owned()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail where it stands")]
mod tests {
    use super::*;

    #[test]
    fn the_git_top_level_is_the_workspace() {
        let scratch = tempfile::tempdir().unwrap();
        let deep = scratch.path().join("repo/src/deep");
        fs::create_dir_all(&deep).unwrap();
        fs::create_dir(scratch.path().join("repo/.git")).unwrap();
        assert_eq!(top_level(&deep), scratch.path().join("repo"));
        assert_eq!(top_level(scratch.path()), scratch.path());
    }

    #[test]
    fn an_interpreter_in_the_workspace_belongs_to_the_guard() {
        let scratch = tempfile::tempdir().unwrap();
        let base = fs::canonicalize(scratch.path()).unwrap();
        fs::create_dir_all(base.join("repo/.venv/bin")).unwrap();
        fs::create_dir_all(base.join("repo/.git")).unwrap();
        let mut environment = crate::settings::Environment::default();
        environment.set(
            crate::settings::AGENT_DIR_VARIABLE,
            base.join("repo/.pi/agent"),
        );
        let settings = Settings::resolve(environment, base.join("repo"));
        let workspace =
            Workspace::of(&base.join("repo"), &settings).protecting(&base.join("repo/.venv"));
        assert_eq!(
            workspace.zone(&base.join("repo/.venv/bin/python")),
            Zone::Agent
        );
        assert_eq!(
            workspace.zone(&base.join("repo/.venv/share")),
            Zone::Workspace
        );
        for (path, holds) in [
            ("repo/.venv", true),
            ("repo/.pi", true),
            ("repo", true),
            ("repo/.venv/bin", false),
        ] {
            assert_eq!(workspace.holds_protected(&base.join(path)), holds, "{path}");
        }
    }

    #[test]
    fn a_directory_above_all_homes_is_no_workspace() {
        let home = Path::new("/home/somebody");
        assert!(holds_everybody(Path::new("/"), None));
        assert!(holds_everybody(Path::new("/home"), Some(home)));
        assert!(!holds_everybody(home, Some(home)));
        assert!(!holds_everybody(Path::new("/home/other"), Some(home)));
    }

    #[test]
    fn what_does_not_exist_is_resolved_through_what_does() {
        let scratch = tempfile::tempdir().unwrap();
        let base = fs::canonicalize(scratch.path()).unwrap();
        fs::create_dir_all(base.join("a/b")).unwrap();
        assert_eq!(
            Workspace::resolved(&base, Path::new("a/b/../new/./x")),
            base.join("a/new/x")
        );
    }
}
