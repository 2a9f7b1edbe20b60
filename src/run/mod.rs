//! One bounded run: a request goes in, an outcome comes out, and nothing that the run started is left.
//!
//! A program that fails, times out or is killed is an [`Outcome`]; an [`Error`] means that pi could not do its work.
//! A run starts no thread of its own on Unix, and takes memory that does not depend on what the program writes.

mod bootstrap;
mod cancel;
mod capture;
pub mod env;
pub mod outcome;
pub mod outputs;
pub mod request;
mod spill;
#[cfg(all(test, unix))]
pub(crate) mod tests;
mod tidy;
mod tree;
pub mod warm;
mod window;

use std::io;
use std::thread;
use std::time::{Duration, Instant};

use cancel::Urgency;
pub use cancel::{Cancel, Cancelled};
use capture::Capture;
pub use capture::{NoSink, Sink, Which};
pub use outcome::Outcome;
use outcome::{Approval, Mode, Python, Status, Stream};
pub use request::Request;
use request::{Leftovers, Plan, Program};
use spill::Place;
use tree::{Ended, Event, Exit, Launch, Tree};
pub use tree::{Error as TreeError, Step};
use window::Budget;

use crate::approval::guard::{Layers, Stop};
use crate::provision::{self, Interpreter};
use crate::settings::{Environment, GRACE, Settings};

/// Why pi could not run a program, or not see it through.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Its processes could not be started or watched.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// An asynchronous run got no thread.
    #[error("can't start a thread for the run")]
    StartThread(#[source] io::Error),
    /// The thread of an asynchronous run is gone.
    #[error("the thread that ran the program ended without an answer")]
    LostThread,
}

/// Prepares a process that is pi's own for its runs: call it once, early, where the process runs programs and does
/// little else. A file size limit then costs the copy of an output (SIGXFSZ is ignored), and processes of a run whose
/// keeper was killed come to this process and are ended (it becomes a child subreaper). A library's host need not.
pub fn own_this_process() {
    tree::own_this_process();
}

impl Error {
    /// Whether the interpreter itself could not be started, so that nothing of the program has run.
    #[must_use]
    pub fn is_about_interpreter(&self) -> bool {
        matches!(
            self,
            Self::Tree(TreeError::Start {
                step: Step::Exec,
                ..
            })
        )
    }
}

/// Does now what the first run with an interpreter does: compiles what every run hands to it first. Where the result
/// can't be kept, runs take a little longer.
pub fn prepare(interpreter: &Interpreter, settings: &Settings) {
    bootstrap::prepare(interpreter, settings);
}

/// How often it is looked whether the interpreter has read its program, until it has.
const START_PERIOD: Duration = Duration::from_millis(50);
/// How long the interpreter's own start may take beyond the time limit, which does not cover it.
const START_LIMIT: Duration = Duration::from_secs(60);

/// How long a program that the guard refused something may take to end by itself.
const UNWINDING: Duration = Duration::from_millis(500);
/// How many refusals a program gets before it is ended at once: one that tries on is looking for a gap.
const STRIKES: u32 = 5;
/// The most refusals that are told.
const MOST_STOPS: usize = 32;

/// Runs a program within its bounds, and returns when it and everything that it started has ended.
///
/// The time limit begins when the interpreter has read the program: on a busy machine its own start does not count.
/// When the program ends, what it left behind is ended at once, or left alone as the plan says. On time out or through
/// `cancel` all processes are asked to end (SIGTERM), and are killed two seconds later.
///
/// # Errors
/// The program could not be started or watched.
pub fn run(
    interpreter: &Interpreter,
    plan: &Plan,
    settings: &Settings,
    cancel: &Cancel,
    sink: &mut dyn Sink,
) -> Result<Outcome, Error> {
    run_until(interpreter, plan, settings, &[cancel], sink)
}

/// [`run`] for asynchronous callers, of whatever runtime: the work is done on a thread of its own. Dropping the future
/// cancels the run, which then ends its processes by itself.
///
/// # Errors
/// Those of [`run`], and there was no thread to be had.
pub async fn run_async(
    interpreter: Interpreter,
    plan: Plan,
    settings: Settings,
    cancel: Cancel,
    mut sink: impl Sink + Send + 'static,
) -> Result<Outcome, Error> {
    on_a_thread(move |dropped| {
        let cancels = [&cancel, dropped];
        run_until(&interpreter, &plan, &settings, &cancels, &mut sink)
    })
    .await
}

/// Runs on a thread of its own, with a token that is used when the future is dropped.
async fn on_a_thread(
    run: impl FnOnce(&Cancel) -> Result<Outcome, Error> + Send + 'static,
) -> Result<Outcome, Error> {
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let guard = CancelOnDrop(Cancel::new());
    let dropped = guard.0.clone();
    thread::Builder::new()
        .name("pi-run".to_owned())
        .spawn(move || {
            // A caller that is gone does not want to know.
            let _ = sender.send(run(&dropped));
        })
        .map_err(Error::StartThread)?;
    receiver.await.map_err(|_| Error::LostThread)?
}

struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel(Cancelled::Gone);
    }
}

fn run_until(
    interpreter: &Interpreter,
    plan: &Plan,
    settings: &Settings,
    cancels: &[&Cancel],
    sink: &mut dyn Sink,
) -> Result<Outcome, Error> {
    let environment = environment_of(plan, settings);
    let start = bootstrap::of(plan, interpreter, settings);
    let tree = Tree::spawn(Launch {
        executable: &interpreter.path,
        args: start.args,
        environment: &environment,
        cwd: &plan.cwd,
        input: start.input,
        extra: start.extra,
        passes_input: start.passes_input,
        is_hooked: start.is_hooked,
        leftovers: plan.leftovers,
        guard: plan.guard.as_ref(),
    })?;
    follow(tree, interpreter, plan, settings, cancels, sink)
}

/// Sees a program that was started, or was handed to its interpreter just now, through to its outcome.
fn follow(
    tree: Tree,
    interpreter: &Interpreter,
    plan: &Plan,
    settings: &Settings,
    cancels: &[&Cancel],
    sink: &mut dyn Sink,
) -> Result<Outcome, Error> {
    let mut capture = capture_of(plan, settings);
    let layers = tree.layers();
    let course = Course::new(plan.timeout).follow(tree, cancels, &mut capture, sink)?;
    Ok(outcome_of(
        interpreter,
        plan,
        &course,
        layers,
        cancels,
        capture,
        sink,
    ))
}

fn environment_of(plan: &Plan, settings: &Settings) -> Environment {
    let mut environment = env::of_run(&settings.environment, &settings.env, &plan.env);
    if let Some(dir) = provision::temporary_dir(settings) {
        environment.set("TMPDIR", dir);
    }
    environment
}

fn capture_of<'a>(plan: &Plan, settings: &'a Settings) -> Capture<'a> {
    let budget = Budget {
        bytes: usize::try_from(plan.max_output_bytes).unwrap_or(usize::MAX),
        lines: plan.max_output_lines,
    };
    Capture::new(
        budget,
        plan.raw,
        Place::new(&settings.home, settings.outputs),
    )
}

/// What a run has come through so far.
struct Course {
    timeout: Option<Duration>,
    started: Instant,
    clock: Clock,
    stage: Stage,
    /// Why pi ended it, if it did.
    cut_short: Option<CutShort>,
    exit: Option<(Exit, Duration)>,
    ended: Ended,
    /// What the guard refused, each kind of it once.
    stops: Vec<Stop>,
    /// How often it refused something.
    refusals: u32,
}

/// Whether the time limit runs yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Clock {
    /// The interpreter has not read its program.
    Waiting,
    /// Since then.
    Running(Instant),
}

/// How far a run has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Running,
    /// The guard refused something; the program has until then to end by itself.
    Unwinding(Instant),
    /// Its processes were asked to end, and have time until then.
    Asked(Instant),
    /// Nothing is left but to wait until it is empty.
    Ending,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CutShort {
    /// The time limit passed.
    Timeout,
    /// The interpreter did not get as far as the program.
    NotBegun,
    /// The caller said so.
    Cancelled,
    /// The guard refused something, and it went on.
    Stopped,
}

impl Course {
    fn new(timeout: Option<Duration>) -> Self {
        Self {
            timeout,
            started: Instant::now(),
            clock: Clock::Waiting,
            stage: Stage::Running,
            cut_short: None,
            exit: None,
            ended: Ended::default(),
            stops: Vec::new(),
            refusals: 0,
        }
    }

    /// Follows the tree to its end.
    fn follow(
        mut self,
        mut tree: Tree,
        cancels: &[&Cancel],
        capture: &mut Capture<'_>,
        sink: &mut dyn Sink,
    ) -> Result<Self, Error> {
        loop {
            let deadline = self.deadline(&mut tree);
            let event = tree.next(deadline, cancels, &mut |which, bytes| {
                capture.take(which, bytes, sink);
            })?;
            match event {
                Event::Started(pid) => sink.start(pid),
                Event::Exited(exit) => self.exited(exit),
                Event::Deadline => self.overdue(&mut tree),
                Event::Cancelled => self.cancelled(&mut tree, cancels),
                Event::Stopped => self.stopped(&mut tree),
                Event::Ended(ended) => {
                    self.ended = ended;
                    break;
                }
            }
        }
        tree.drain(&mut |which, bytes| capture.take(which, bytes, sink));
        Ok(self)
    }

    /// When to look at the tree again, if nothing happens.
    fn deadline(&mut self, tree: &mut Tree) -> Option<Instant> {
        match self.stage {
            Stage::Asked(until) | Stage::Unwinding(until) => return Some(until),
            Stage::Ending => return None,
            Stage::Running => {}
        }
        let timeout = self.timeout?;
        if self.clock == Clock::Waiting && tree.has_begun() {
            self.clock = Clock::Running(Instant::now());
        }
        Some(match self.clock {
            Clock::Waiting => Instant::now() + START_PERIOD,
            Clock::Running(since) => since + timeout,
        })
    }

    fn exited(&mut self, exit: Exit) {
        self.exit = Some((exit, self.started.elapsed()));
        // What it left behind is ended by now, or lives through the time that it was given.
        if matches!(self.stage, Stage::Running | Stage::Unwinding(_)) {
            self.stage = Stage::Ending;
        }
    }

    /// The guard refused something. The program has learnt it as an error, and gets a short time to make an end.
    fn stopped(&mut self, tree: &mut Tree) {
        for stop in tree.take_stops() {
            self.refusals += 1;
            if self.stops.len() < MOST_STOPS && !self.stops.contains(&stop) {
                self.stops.push(stop);
            }
        }
        if self.refusals >= STRIKES && self.stage != Stage::Ending {
            self.cut_short.get_or_insert(CutShort::Stopped);
            tree.kill();
            self.stage = Stage::Ending;
        } else if self.stage == Stage::Running && self.refusals > 0 {
            self.stage = Stage::Unwinding(Instant::now() + UNWINDING);
        }
    }

    fn overdue(&mut self, tree: &mut Tree) {
        if let Stage::Asked(_) = self.stage {
            tree.kill();
            self.stage = Stage::Ending;
            return;
        }
        if let Stage::Unwinding(_) = self.stage {
            self.cut_short = Some(CutShort::Stopped);
            self.ask(tree);
            return;
        }
        let timeout = self.timeout.unwrap_or(Duration::MAX);
        let reason = match self.clock {
            Clock::Running(since) => (since.elapsed() >= timeout).then_some(CutShort::Timeout),
            Clock::Waiting => {
                let limit = timeout.saturating_add(START_LIMIT);
                (self.started.elapsed() >= limit).then_some(CutShort::NotBegun)
            }
        };
        if reason.is_some() {
            self.cut_short = reason;
            self.ask(tree);
        }
    }

    fn cancelled(&mut self, tree: &mut Tree, cancels: &[&Cancel]) {
        if self.exit.is_none() {
            self.cut_short.get_or_insert(CutShort::Cancelled);
        }
        if cancels
            .iter()
            .any(|cancel| cancel.urgency() == Urgency::Now)
        {
            tree.kill();
            self.stage = Stage::Ending;
        } else if matches!(self.stage, Stage::Running | Stage::Unwinding(_)) {
            self.ask(tree);
        }
    }

    fn ask(&mut self, tree: &mut Tree) {
        tree.ask();
        self.stage = Stage::Asked(Instant::now() + GRACE);
    }

    fn status(&self) -> Status {
        match (self.cut_short, self.exit) {
            _ if !self.stops.is_empty() => Status::ApprovalRequired,
            (Some(CutShort::Stopped), _) => Status::ApprovalRequired,
            (Some(CutShort::Timeout | CutShort::NotBegun), _) => Status::Timeout,
            (Some(CutShort::Cancelled), _) => Status::Cancelled,
            (None, Some((Exit::Code(0), _))) => Status::Ok,
            (None, _) => Status::Failed,
        }
    }

    fn exit_code(&self) -> Option<i32> {
        match (self.cut_short, self.exit) {
            _ if !self.stops.is_empty() => None,
            (None, Some((Exit::Code(code), _))) => Some(code),
            _ => None,
        }
    }

    fn signal(&self) -> Option<String> {
        self.signal_number().map(outcome::signal_name)
    }

    fn signal_number(&self) -> Option<i32> {
        match self.exit {
            _ if !self.stops.is_empty() => None,
            Some((Exit::Signal(number), _)) => Some(number),
            _ => None,
        }
    }

    /// What a person would have to approve for the program to go on where it was stopped.
    fn question(&self) -> Option<Approval> {
        (!self.stops.is_empty()).then(|| Approval {
            id: String::new(),
            findings: self.stops.iter().map(Stop::finding).collect(),
        })
    }

    /// What a reader has to know first.
    fn headline(&self, cancels: &[&Cancel]) -> Option<String> {
        let processes = processes(self.ended.asked.max(self.ended.killed).max(1));
        let killed = match self.ended.killed {
            0 => String::new(),
            _ => format!(", {} had to be killed", self.ended.killed),
        };
        if let Some(stop) = self.stops.first() {
            let more = match self.stops.len() - 1 {
                0 => String::new(),
                more => format!(", and {more} more"),
            };
            let message = stop.message();
            return Some(format!(
                "stopped by the guard ({}): {message}{more}",
                stop.rule()
            ));
        }
        let Some(reason) = self.cut_short else {
            return self
                .signal()
                .map(|name| format!("the program was ended by {name}"));
        };
        match reason {
            CutShort::Timeout => {
                let seconds = self.timeout.unwrap_or_default().as_secs_f64();
                Some(format!(
                    "timed out after {seconds} s: {processes} ended{killed}; what was printed until then is here; ask \
                     for more time with `timeoutSeconds` (`--timeout`), at most 300"
                ))
            }
            CutShort::NotBegun => Some(format!(
                "timed out: the interpreter did not begin with the program within {} s; {processes} ended{killed}",
                self.started.elapsed().as_secs()
            )),
            CutShort::Stopped => None,
            CutShort::Cancelled => {
                let by = cancels
                    .iter()
                    .find_map(|cancel| cancel.reason())
                    .map_or("", Cancelled::signal);
                Some(format!("cancelled by {by}: {processes} ended{killed}"))
            }
        }
    }
}

fn processes(count: u32) -> String {
    match count {
        1 => "1 process was".to_owned(),
        _ => format!("{count} processes were"),
    }
}

fn outcome_of(
    interpreter: &Interpreter,
    plan: &Plan,
    course: &Course,
    layers: Layers,
    cancels: &[&Cancel],
    capture: Capture<'_>,
    sink: &mut dyn Sink,
) -> Outcome {
    let (stdout, stderr, copies) = capture.finish(sink);
    let mut notices: Vec<String> = course.headline(cancels).into_iter().collect();
    notices.extend(plan.notices.iter().cloned());
    notices.extend(unguarded(plan, layers));
    notices.extend(left_behind(plan, course));
    notices.extend(hint(&stderr));
    notices.extend(copies);
    let duration = course
        .exit
        .map_or_else(|| course.started.elapsed(), |(_, duration)| duration);
    Outcome {
        status: course.status(),
        exit_code: course.exit_code(),
        signal: course.signal(),
        signal_number: course.signal_number(),
        duration_ms: u64::try_from(duration.as_millis()).unwrap_or(u64::MAX),
        mode: match plan.program {
            Program::Code(_) => Mode::Code,
            Program::Script { .. } => Mode::Script,
        },
        cwd: plan.cwd.clone(),
        python: Some(Python {
            path: interpreter.path.clone(),
            version: interpreter.version.clone(),
        }),
        stdout,
        stderr,
        approval: course.question(),
        guard: layers,
        notices,
    }
}

/// What there is to say where less held the program than should have.
fn unguarded(plan: &Plan, layers: Layers) -> Option<String> {
    let missing = plan.guard.as_ref()?.layers().without(layers);
    (missing != Layers::default()).then(|| {
        format!(
            "the guard was not complete: {} could not be put on",
            missing.names().join(", ")
        )
    })
}

/// What there is to say about processes beside the program.
fn left_behind(plan: &Plan, course: &Course) -> Option<String> {
    let ended = course.ended;
    if ended.lost {
        return Some(
            "the program killed the process that watches over it; what it started may still run"
                .to_owned(),
        );
    }
    if plan.leftovers == Leftovers::Keep && ended.left > 0 && course.cut_short.is_none() {
        return Some(format!(
            "{} left running, as was asked for; what they print is not read any more",
            processes(ended.left)
        ));
    }
    if ended.left > 0 {
        return Some(format!(
            "{} left, because the system does not let this user end them",
            processes(ended.left)
        ));
    }
    if course.cut_short.is_none() && ended.killed > 0 {
        return Some(format!(
            "{} still running when the program ended, and killed",
            processes(ended.killed)
        ));
    }
    None
}

/// What to do about a failure that everybody meets.
fn hint(stderr: &Stream) -> Option<String> {
    let last = stderr.text.trim_end().lines().next_back()?;
    if last.starts_with("ModuleNotFoundError: ") {
        return Some(
            "packages are not installed for a run: use the standard library, or run with a Python that has the \
             package (`--python PATH`, setting `python.use`)"
                .to_owned(),
        );
    }
    if last.starts_with("EOFError: EOF when reading a line") {
        return Some("the program has no input: `input()` finds the end of file".to_owned());
    }
    None
}
