//! What can be typed. No I/O and no defaults here: an absent flag stays absent until settings and request are resolved.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueHint};

use crate::settings::Source;

/// Python that a coding agent can rely on.
#[derive(Debug, Parser)]
#[command(
    name = "pi",
    version,
    about,
    long_about = "Python that a coding agent can rely on: pi finds or installs an interpreter, runs code within bounds \
                  of time, output and processes, and says exactly what happened.",
    subcommand_required = true,
    arg_required_else_help = true,
    max_term_width = 100
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub command: Command,
    /// Say nothing but results and errors
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Use no network: work with what is there, and say what is missing
    #[arg(long, global = true)]
    pub offline: bool,
}

// What is typed needs one of them alone, and a run is started a hundred times an hour.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum Command {
    /// Run Python code or a script within bounds
    Python(Python),
    /// Run a command while no other run works in its workspace
    Barrier(Barrier),
    /// Check what pi needs, and repair it
    Doctor(Doctor),
    /// Get uv and Python ready now
    Provision(Provision),
    /// Bring the managed uv to the pinned version and the managed Python to its newest patch
    Update(Update),
    /// Remove caches and leftovers; everything comes back when it is needed
    Clean,
    /// Say what a program would do, before it runs
    Review(Review),
    /// Show the outputs that were kept because a run's text was cut
    Outputs(Outputs),
    /// See what was asked of people, and answer it
    Approvals(Approvals),
    /// Show every setting with its value and origin
    Settings(JsonFlag),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

#[derive(Debug, Args)]
pub(crate) struct JsonFlag {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(
    override_usage = "pi python [OPTIONS] <SCRIPT | -> [ARGS]...\n       pi python [OPTIONS] --code <CODE> [--] [ARGS]...",
    after_help = "Exit codes: the program's own; 2 wrong usage; 124 timed out; 125 pi itself failed; 126 approval \
                  needed or refused; 127 no Python; 128+n ended by signal n."
)]
pub(crate) struct Python {
    /// Run this source text instead of a script
    #[arg(long, short, value_name = "CODE")]
    pub code: Option<OsString>,
    /// Run in this directory
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub cwd: Option<PathBuf>,
    /// End the run after so many seconds (above 0, fractions allowed, at most 300) [default: 30]
    #[arg(
        long,
        value_name = "SECONDS",
        allow_negative_numbers = true,
        conflicts_with = "no_timeout"
    )]
    pub timeout: Option<f64>,
    /// Let the run take as long as it takes
    #[arg(long)]
    pub no_timeout: bool,
    /// Return at most so many bytes of each stream (1000 to 200000) [default: 51200]
    #[arg(long, value_name = "BYTES")]
    pub max_output_bytes: Option<u64>,
    /// Return at most so many lines of each stream [default: 2000]
    #[arg(long, value_name = "LINES")]
    pub max_output_lines: Option<u64>,
    /// Print one JSON object instead of the streams
    #[arg(long)]
    pub json: bool,
    /// Print JSON lines while the program runs: start, output, end
    #[arg(long)]
    pub stream: bool,
    /// Keep escape sequences and progress bars in the returned text
    #[arg(long)]
    pub raw: bool,
    /// Pass this command's standard input on to the script
    #[arg(long)]
    pub stdin: bool,
    /// Set a variable for the program, or pass one on that is withheld
    #[arg(long, value_name = "NAME[=VALUE]")]
    pub env: Vec<OsString>,
    /// Use this interpreter: a path or a version
    #[arg(long = "python", value_name = "PATH|VERSION")]
    pub interpreter: Option<OsString>,
    /// Run beside other runs that only read, without the right to write
    #[arg(long)]
    pub read_only: bool,
    /// Leave alone what the program leaves behind when it ends
    #[arg(long)]
    pub detach_ok: bool,
    /// Run it although it needs approval: a person has seen the question with this id (may be repeated)
    #[arg(long, value_name = "ID")]
    pub approve: Vec<String>,
    /// A script and its arguments; `-` reads the code from standard input
    #[arg(value_name = "SCRIPT | -", trailing_var_arg = true, value_hint = ValueHint::FilePath)]
    pub rest: Vec<OsString>,
}

#[derive(Debug, Args)]
#[command(
    long_about = "Run a command while no other run works in its workspace: the git top level that holds the current \
                  directory, else that directory. With --file, only those files are held; others may edit other files \
                  meanwhile, and runs wait. The command is told what it holds, so that `pi` within it does not wait for \
                  it.",
    after_help = "Exit codes: the command's own; 2 wrong usage; 125 the wait is over, or pi itself failed; 126 the \
                  command can't be executed; 127 it is not there; 128+n ended by signal n."
)]
pub(crate) struct Barrier {
    /// Edit this file and nothing else (may be given more than once)
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub file: Vec<PathBuf>,
    /// Change nothing: work beside others that read or edit single files
    #[arg(long, conflicts_with = "file")]
    pub shared: bool,
    /// Wait so long for others at most; 0 waits for nobody [default: 300]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub wait: Option<f64>,
    /// The command and its arguments
    #[arg(
        value_name = "COMMAND",
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_hint = ValueHint::CommandWithArguments
    )]
    pub command: Vec<OsString>,
}

#[derive(Debug, Args)]
pub(crate) struct Doctor {
    /// Print the report as JSON
    #[arg(long)]
    pub json: bool,
    /// Install and repair nothing
    #[arg(long)]
    pub no_install: bool,
    #[command(flatten)]
    pub fetch: Fetch,
}

#[derive(Debug, Args)]
pub(crate) struct Provision {
    /// Exit 0 whatever happens, for package hooks
    #[arg(long)]
    pub best_effort: bool,
    #[command(flatten)]
    pub fetch: Fetch,
}

#[derive(Debug, Args)]
pub(crate) struct Update {
    /// Print the report as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub fetch: Fetch,
}

/// How uv is got.
#[derive(Debug, Args)]
pub(crate) struct Fetch {
    /// Where uv comes from
    #[arg(long, value_name = "SOURCE")]
    pub source: Option<Source>,
    /// Look and try again, whatever is remembered
    #[arg(long)]
    pub force: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 where the program runs without asking (read-only or scoped write); 126 where it needs \
                  approval; 2 wrong usage; 125 pi itself failed."
)]
pub(crate) struct Review {
    /// The program; `-` reads it from standard input
    #[arg(value_name = "FILE | -", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// Print JSON: verdict, reasons, findings, files
    #[arg(long)]
    pub json: bool,
    /// The directory in which it would run
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub cwd: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Outputs {
    #[command(subcommand)]
    pub command: OutputsCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum OutputsCommand {
    /// List the runs whose outputs are kept, newest first
    List(JsonFlag),
    /// Print a kept stream, or lines of it
    Show {
        /// The run, as `list` names it (its beginning will do)
        run: String,
        /// The stream
        #[arg(value_parser = ["stdout", "stderr"], default_value = "stdout")]
        stream: String,
        /// Print lines A to B, counted from 1, both included; either may be left out
        #[arg(long, value_name = "A:B")]
        lines: Option<String>,
    },
    /// Print the path of a kept stream
    Path {
        /// The run
        run: String,
        /// The stream
        #[arg(value_parser = ["stdout", "stderr"], default_value = "stdout")]
        stream: String,
    },
    /// Remove all kept outputs
    Clean,
}

#[derive(Debug, Args)]
pub(crate) struct Approvals {
    #[command(subcommand)]
    pub command: ApprovalsCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ApprovalsCommand {
    /// List what was asked, and what became of it, newest first
    List(JsonFlag),
    /// Show a question: the code, what was found in it, and what would be run
    Show {
        /// The approval, as `list` names it (its beginning will do)
        id: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Say yes to a question
    Grant {
        /// The approval
        id: String,
        /// To every run of this exact content, not just to the next
        #[arg(long)]
        always: bool,
    },
    /// Take an answer back, or drop a question: such a run asks anew
    Revoke {
        /// The approval
        id: String,
    },
}
