//! What holds during a run: a program that was not approved for an effect can't have it.
//!
//! A [`Policy`] says what one run may do. It is enforced in layers, each of which holds on its own:
//!
//! - the hook, in the interpreter, sees Python's own calls with their arguments and lines;
//! - Landlock (Linux) confines writing, linking and executing to places, and signals to the run's own processes;
//! - a seccomp filter (Linux, `x86_64` and `aarch64`) refuses calls that no program needs and that lead around the
//!   rest, and stops at those that delete, move, execute or change modes, until the supervisor in pi has decided
//!   and, as a rule, made the call itself.
//!
//! [`Layers`] are those that a run really has: what a system lacks is left out and said. A program that was approved
//! to start other programs has the hook alone: what other programs do is theirs, and much of it (`sudo`, debuggers,
//! sandboxes of their own) can't be done beneath a filter.
//!
//! An attempt that is refused and that a person could approve is a [`Stop`].

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Categories, Category, Finding, Span, Workspace, Zone};
use crate::provision::Interpreter;

#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
#[path = "linux/mod.rs"]
mod kernel;
#[cfg(not(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
)))]
#[path = "elsewhere.rs"]
mod kernel;

#[cfg(unix)]
pub(crate) use kernel::{Confinement, Supervisor};

/// What one run may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// Where it may write.
    pub workspace: Workspace,
    /// What a person approved.
    pub granted: Categories,
    /// Whether what it may do was approved for the very bytes that were reviewed, its modules among them.
    pub is_bound: bool,
    /// Whether it was asked to write nothing but temporary files.
    pub read_only: bool,
    /// The executables that count as its interpreter.
    pub executables: Vec<PathBuf>,
}

/// Where programs keep memory that they share: a temporary directory under another name.
#[cfg(target_os = "linux")]
const SHARED_MEMORY: &str = "/dev/shm";

impl Policy {
    /// The policy of a run with `interpreter` that was approved for `granted`.
    #[must_use]
    pub fn new(
        workspace: Workspace,
        granted: Categories,
        read_only: bool,
        interpreter: &Interpreter,
    ) -> Self {
        let mut workspace = workspace.protecting(&interpreter.prefix);
        #[cfg(target_os = "linux")]
        workspace.temporary.push(PathBuf::from(SHARED_MEMORY));
        #[cfg(not(target_os = "linux"))]
        let _ = &mut workspace;
        Self {
            workspace,
            granted,
            is_bound: false,
            read_only,
            executables: vec![interpreter.path.clone()],
        }
    }

    /// The same without anything that was approved.
    #[must_use]
    pub fn ungranted(&self) -> Self {
        Self {
            granted: Categories::NONE,
            ..self.clone()
        }
    }

    /// Where `path` lies, which has to be absolute and without symlinks.
    #[must_use]
    pub fn zone(&self, path: &Path) -> Zone {
        self.workspace.zone(path)
    }

    /// Whether a person approved this kind of effect.
    #[must_use]
    pub fn grants(&self, category: Category) -> bool {
        self.granted.contains(category)
    }

    /// The layers that a run under this policy should have on this machine.
    #[must_use]
    pub fn layers(&self) -> Layers {
        let beneath = if self.grants(Category::Program) {
            Layers::default()
        } else {
            Layers::of_this_machine()
        };
        Layers {
            hook: true,
            ..beneath
        }
    }

    /// Whether the system's own supervisor decides beneath the hook.
    #[must_use]
    pub fn is_supervised(&self) -> bool {
        !self.grants(Category::Program) && Layers::of_this_machine().supervisor
    }

    /// Whether nothing but the temporary directories may be written to.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        self.read_only && !self.grants(Category::Write)
    }
}

/// The layers of the guard: those of a machine, or those of one run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Layers {
    /// The hook in the interpreter.
    pub hook: bool,
    /// Landlock, by the version of its interface.
    pub landlock: Option<u32>,
    /// The filter's flat refusals.
    pub seccomp: bool,
    /// The supervisor, which decides on single calls.
    pub supervisor: bool,
}

impl Layers {
    /// What this machine has beneath the hook.
    #[must_use]
    pub fn of_this_machine() -> Self {
        kernel::available()
    }

    /// Those that are not in `others`.
    #[must_use]
    pub fn without(self, others: Self) -> Self {
        Self {
            hook: self.hook && !others.hook,
            landlock: self.landlock.filter(|_| others.landlock.is_none()),
            seccomp: self.seccomp && !others.seccomp,
            supervisor: self.supervisor && !others.supervisor,
        }
    }

    /// A name of each layer, for people.
    #[must_use]
    pub fn names(self) -> Vec<String> {
        let landlock = self.landlock.map(|abi| format!("Landlock {abi}"));
        [
            self.hook.then(|| "hook".to_owned()),
            landlock,
            self.seccomp.then(|| "seccomp".to_owned()),
            self.supervisor.then(|| "supervisor".to_owned()),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

/// An attempt that was refused, and that a person could approve.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Stop {
    /// The kind of effect.
    pub category: Category,
    /// What it was aimed at: a path without symlinks, where it was one.
    pub target: String,
    /// What was called, such as `unlink`.
    pub call: String,
    /// The file of the line, where it is not the program itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    /// Where the line stands that called, as far as it is known.
    #[serde(flatten, default)]
    pub span: Span,
}

impl Stop {
    /// The rule's code.
    #[must_use]
    pub fn rule(&self) -> &'static str {
        match self.category {
            Category::Delete => "PI100",
            Category::Outside => "PI200",
            Category::Program => "PI300",
            Category::Signal => "PI400",
            Category::Native => "PI500",
            Category::Credentials => "PI600",
            Category::Publish => "PI700",
            Category::Tamper => "PI800",
            Category::Write => "PI900",
        }
    }

    /// What it would have done, in a sentence without a full stop.
    #[must_use]
    pub fn message(&self) -> String {
        let (call, target) = (&self.call, &self.target);
        match self.category {
            Category::Delete => {
                format!("`{call}` would take away `{target}`, which this run did not make")
            }
            Category::Outside => {
                format!(
                    "`{call}` would change `{target}`, which is outside the workspace or not this run's own"
                )
            }
            Category::Program => format!("`{call}` would start the program `{target}`"),
            Category::Signal => format!("`{call}` would reach {target}, which is not of this run"),
            Category::Native => format!("`{call}` would call native code: `{target}`"),
            Category::Credentials => format!("`{call}` would read credentials: `{target}`"),
            Category::Publish => format!("`{call}` would publish: `{target}`"),
            Category::Tamper => format!("`{call}` would change what is pi's own: `{target}`"),
            Category::Write => {
                format!("`{call}` would change `{target}`, and this run is read-only")
            }
        }
    }

    /// The same as a finding.
    #[must_use]
    pub fn finding(&self) -> Finding {
        Finding {
            rule: self.rule().to_owned(),
            category: self.category,
            message: self.message(),
            help: format!(
                "approve `{}` for exactly this program, or do without it",
                self.category.name()
            ),
            file: self.file.clone(),
            span: self.span,
        }
    }
}
