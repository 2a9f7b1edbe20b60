//! Whether a run may go ahead, and what it may do.
//!
//! Invariant: a run is granted the categories of findings that a person was shown for exactly this subject, and no
//! other. Nothing is written before there is something to ask, and nothing is asked where an answer is known.

use std::io;
use std::path::PathBuf;

use super::question::categories;
use super::remember::{Given, Known, Standing, Store};
use super::subject::is_same;
use super::{Answer, Asker, By, Categories, Digest, Finding, Question, Subject, within};
use crate::settings::Settings;

/// A run that something may have to be asked about.
#[derive(Debug)]
pub struct Case<'a> {
    subject: Subject<'a>,
    digest: Digest,
    findings: Vec<Finding>,
    store: Store,
    settings: &'a Settings,
}

/// What a run may do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Grant {
    /// The kinds of effects that the guard lets pass.
    pub categories: Categories,
    /// What the person was shown.
    pub shown: Vec<Finding>,
}

/// What was decided.
#[derive(Debug)]
pub enum Decision {
    /// The program runs, and may do this.
    Granted(Grant),
    /// A person has to answer first, and nobody could be asked.
    Required(Box<Question>),
    /// It does not run.
    Refused(Refusal),
}

/// Why a program is not run.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// An id was given that is of no question about this run.
    #[error(
        "`--approve {id}` does not fit: no question about this run has that id (it is of this code with its imports, \
         these arguments and variables, this directory and this interpreter)"
    )]
    Unfit {
        /// What was given.
        id: String,
    },
    /// An id was given within a run of pi's own.
    #[error("`--approve` is not taken from a program that pi runs: a program can't approve itself")]
    WithinRun,
    /// A person said no.
    #[error("not approved: a person said no {}", .given.by.words())]
    ByPerson {
        /// The question.
        question: Box<Question>,
        /// The answer.
        given: Given,
    },
    /// A file is not what was shown.
    #[error("not run: `{}` changed since approval was asked for", .path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
}

/// A decision, and what there is to say about it.
#[derive(Debug)]
pub struct Decided {
    /// The decision.
    pub decision: Decision,
    /// A sentence each.
    pub notices: Vec<String>,
}

impl<'a> Case<'a> {
    /// A run in which the review found this. Kinds of effects that the settings allow are no findings.
    #[must_use]
    pub fn of(subject: Subject<'a>, mut findings: Vec<Finding>, settings: &'a Settings) -> Self {
        findings.retain(|finding| !settings.approval.allow.contains(finding.category));
        Self {
            digest: subject.digest(),
            subject,
            findings,
            store: Store::of(&settings.home),
            settings,
        }
    }

    /// Decides by the ids that were given with the request, by what is remembered, and else by asking.
    #[must_use]
    pub fn decide(&self, approved: &[String], asker: &dyn Asker) -> Decided {
        let found = self.store.about(&self.digest);
        let mut notices = found.warnings;
        let decision = self
            .by_ids(approved, &found.known)
            .and_then(|by_ids| self.by_memory(&by_ids, found.known.clone(), asker, &mut notices))
            .unwrap_or_else(Decision::Refused);
        if let Decision::Granted(_) = decision {
            self.mark_used(approved, &found.known, &mut notices);
        }
        Decided { decision, notices }
    }

    /// What the guard stopped becomes a question, together with what was already allowed: one yes is enough for the
    /// whole run.
    #[must_use]
    pub fn stopped(&self, grant: &Grant, stops: Vec<Finding>) -> (Question, Vec<String>) {
        let mut findings = stops;
        add(&mut findings, &grant.shown);
        add(&mut findings, &self.findings);
        let question = self.question(findings);
        let mut notices = Vec::new();
        self.remember(&question, &mut notices);
        (question, notices)
    }

    /// The first file of the run that is no longer what was reviewed.
    #[must_use]
    pub fn changed(&self) -> Option<PathBuf> {
        self.subject.changed().map(ToOwned::to_owned)
    }

    fn question(&self, findings: Vec<Finding>) -> Question {
        Question::about(&self.subject, self.digest, findings)
    }

    /// What the given ids allow. Each has to be of a question about this run.
    fn by_ids(&self, approved: &[String], known: &[Known]) -> Result<Grant, Refusal> {
        let mut grant = Grant::default();
        if approved.is_empty() {
            return Ok(grant);
        }
        if within::is_within_run(self.settings) {
            return Err(Refusal::WithinRun);
        }
        let asked_now = self.question(self.findings.clone());
        for id in approved {
            let of_known = known.iter().find(|known| known.question.id.is(id));
            match of_known {
                Some(known) => grant.add(&known.question.findings),
                None if !self.findings.is_empty() && asked_now.id.is(id) => {
                    grant.add(&self.findings);
                }
                None => return Err(Refusal::Unfit { id: id.clone() }),
            }
        }
        Ok(grant)
    }

    /// Says of the questions with these ids that they were allowed once.
    fn mark_used(&self, approved: &[String], known: &[Known], notices: &mut Vec<String>) {
        let given = |known: &&Known| approved.iter().any(|id| known.question.id.is(id));
        // A grant stays what it is, and one that was given once is used up by now.
        for known in known
            .iter()
            .filter(given)
            .filter(|known| !known.status.grants())
        {
            self.answer(&known.question, Standing::Used, By::Option, notices);
        }
    }

    /// What is remembered, on top of `by_ids`; and where that is not enough, what a person says now.
    fn by_memory(
        &self,
        by_ids: &Grant,
        mut known: Vec<Known>,
        asker: &dyn Asker,
        notices: &mut Vec<String>,
    ) -> Result<Decision, Refusal> {
        loop {
            let mut grant = by_ids.clone();
            for known in known.iter().filter(|known| known.status.grants()) {
                grant.add(&known.question.findings);
            }
            if !grant.covers(&self.findings) {
                return self.ask(by_ids, &known, asker, notices);
            }
            match self.use_up(&known) {
                Ok(None) => return self.ask_about_stop(grant, &known, asker, notices),
                // Another run was faster: what was known is so no more.
                Ok(Some(_)) => known = self.store.about(&self.digest).known,
                Err((at, error)) => {
                    // What can't be used up would be good for any number of runs.
                    notices.push(format!("an approval can't be used: {error}"));
                    known.remove(at);
                }
            }
        }
    }

    /// Takes away what was allowed once; answers with the first that another run took before.
    fn use_up<'k>(&self, known: &'k [Known]) -> Result<Option<&'k Known>, (usize, io::Error)> {
        for (at, known) in known.iter().enumerate() {
            if known.status != Standing::Once {
                continue;
            }
            let by = known.answer.map_or(By::Command, |given| given.by);
            match self.store.take(&known.question, by) {
                Ok(true) => {}
                Ok(false) => return Ok(Some(known)),
                Err(error) => return Err((at, error)),
            }
        }
        Ok(None)
    }

    /// Asks about what the review found, and about what the guard stopped in an earlier run.
    fn ask(
        &self,
        by_ids: &Grant,
        known: &[Known],
        asker: &dyn Asker,
        notices: &mut Vec<String>,
    ) -> Result<Decision, Refusal> {
        let mut findings = self.findings.clone();
        if let Some(stop) = last_stop(by_ids, &findings, known) {
            add(&mut findings, &stop.question.findings);
        }
        refused(known, &findings)?;
        let question = self.question(findings);
        self.remember(&question, notices);
        self.put(by_ids.clone(), question, asker, notices)
    }

    /// What the review found is allowed, and the run would be stopped all the same, as it was before. Where there is
    /// somebody to ask, that is asked first; else it runs as far as it comes.
    fn ask_about_stop(
        &self,
        grant: Grant,
        known: &[Known],
        asker: &dyn Asker,
        notices: &mut Vec<String>,
    ) -> Result<Decision, Refusal> {
        let Some(stop) = last_stop(&grant, &grant.shown, known) else {
            return Ok(Decision::Granted(grant));
        };
        let mut findings = stop.question.findings.clone();
        add(&mut findings, &grant.shown);
        refused(known, &findings)?;
        match self.put(grant.clone(), self.question(findings), asker, notices)? {
            Decision::Required(_) => Ok(Decision::Granted(grant)),
            decided => Ok(decided),
        }
    }

    /// Puts a question and does as the person says, on top of what is granted already.
    fn put(
        &self,
        mut grant: Grant,
        question: Question,
        asker: &dyn Asker,
        notices: &mut Vec<String>,
    ) -> Result<Decision, Refusal> {
        let standing = match asker.ask(&question) {
            Answer::Nobody => return Ok(Decision::Required(Box::new(question))),
            Answer::No => Standing::Refused,
            Answer::Once => Standing::Used,
            Answer::Always => Standing::Always,
        };
        if standing != Standing::Refused
            && let Some(path) = self.changed()
        {
            return Err(Refusal::Changed { path });
        }
        self.answer(&question, standing, asker.by(), notices);
        if standing == Standing::Refused {
            let given = Given::now(asker.by());
            let question = Box::new(question);
            return Err(Refusal::ByPerson { question, given });
        }
        grant.add(&question.findings);
        Ok(Decision::Granted(grant))
    }

    fn remember(&self, question: &Question, notices: &mut Vec<String>) {
        if let Err(error) = self.store.ask(question) {
            notices.push(format!("the question can't be remembered: {error}"));
        }
    }

    fn answer(&self, question: &Question, standing: Standing, by: By, notices: &mut Vec<String>) {
        let remembered = self
            .store
            .ask_once(question)
            .and_then(|()| self.store.answer(question, standing, by));
        if let Err(error) = remembered {
            notices.push(format!("the answer can't be remembered: {error}"));
        }
    }
}

impl Grant {
    /// Adds what a question that was said yes to has shown.
    fn add(&mut self, findings: &[Finding]) {
        self.categories = self.categories.union(categories(findings));
        add(&mut self.shown, findings);
    }

    /// Whether a person was shown each of these.
    fn covers(&self, findings: &[Finding]) -> bool {
        are_among(findings, &self.shown)
    }
}

/// Adds those findings that are not there yet.
fn add(findings: &mut Vec<Finding>, more: &[Finding]) {
    for finding in more {
        if !findings.iter().any(|there| is_same(there, finding)) {
            findings.push(finding.clone());
        }
    }
}

/// The last question without a yes that is about more than these findings, and about kinds of effects that are not
/// granted: the guard would stop the run again.
fn last_stop<'k>(grant: &Grant, findings: &[Finding], known: &'k [Known]) -> Option<&'k Known> {
    known.iter().find(|known| {
        let asked = known.question.categories();
        let is_missing = |category| !grant.categories.contains(category);
        !known.status.grants()
            && asked.iter().any(is_missing)
            && !are_among(&known.question.findings, findings)
    })
}

/// Whether each of `some` is one of `all`.
fn are_among(some: &[Finding], all: &[Finding]) -> bool {
    some.iter()
        .all(|one| all.iter().any(|each| is_same(one, each)))
}

/// Whether a person said no to any part of these findings, not long ago.
fn refused(known: &[Known], findings: &[Finding]) -> Result<(), Refusal> {
    let is_part = |known: &&Known| are_among(&known.question.findings, findings);
    let mut refused = known
        .iter()
        .filter(|known| known.status == Standing::Refused)
        .filter(is_part);
    match refused.next() {
        Some(Known {
            question,
            answer: Some(given),
            ..
        }) => Err(Refusal::ByPerson {
            question: Box::new(question.clone()),
            given: *given,
        }),
        _ => Ok(()),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail where it stands")]
mod tests {
    use std::cell::RefCell;
    use std::ffi::OsString;
    use std::path::Path;

    use super::*;
    use crate::approval::subject::tests::{finding, subject};
    use crate::approval::{Category, Nobody, Script};
    use crate::settings::{AGENT_DIR_VARIABLE, Environment, MARKER_VARIABLE};

    /// Somebody who gives the same answer to whatever is asked, and keeps what was.
    struct Person(Answer, RefCell<Vec<Question>>);

    impl Person {
        fn who_says(answer: Answer) -> Self {
            Self(answer, RefCell::default())
        }

        fn was_asked(&self) -> usize {
            self.1.borrow().len()
        }
    }

    impl Asker for Person {
        fn ask(&self, question: &Question) -> Answer {
            self.1.borrow_mut().push(question.clone());
            self.0
        }

        fn by(&self) -> By {
            By::Terminal
        }
    }

    struct Place {
        _dir: tempfile::TempDir,
        settings: Settings,
    }

    impl Place {
        fn new() -> Self {
            Self::with(&[])
        }

        fn with(variables: &[(&str, &str)]) -> Self {
            let dir = tempfile::tempdir().unwrap();
            let mut environment: Environment = variables
                .iter()
                .map(|(name, value)| (OsString::from(name), OsString::from(value)))
                .collect();
            environment.set(AGENT_DIR_VARIABLE, dir.path().join("agent"));
            let settings = Settings::resolve(environment, dir.path().to_owned());
            Self {
                _dir: dir,
                settings,
            }
        }

        fn case<'a>(&'a self, code: &'a str, findings: &[Finding]) -> Case<'a> {
            Case::of(subject(code.as_bytes()), findings.to_vec(), &self.settings)
        }

        fn store(&self) -> Store {
            Store::of(&self.settings.home)
        }

        fn answer(&self, id: &str, standing: Standing) {
            let known = self.store().find(id).unwrap();
            self.store()
                .answer(&known.question, standing, By::Command)
                .unwrap();
        }

        fn is_untouched(&self) -> bool {
            !self.settings.home.root().exists()
        }
    }

    fn delete() -> Finding {
        finding(Category::Delete, "deletes a tree", 3)
    }

    fn program() -> Finding {
        finding(Category::Program, "starts `git`", 7)
    }

    fn granted(decided: Decided) -> Grant {
        match decided.decision {
            Decision::Granted(grant) => grant,
            other => panic!("{other:?} {:?}", decided.notices),
        }
    }

    fn required(decided: Decided) -> Question {
        match decided.decision {
            Decision::Required(question) => *question,
            other => panic!("{other:?} {:?}", decided.notices),
        }
    }

    fn refused(decided: Decided) -> Refusal {
        match decided.decision {
            Decision::Refused(refusal) => refusal,
            other => panic!("{other:?} {:?}", decided.notices),
        }
    }

    fn lifted(grant: &Grant) -> Vec<Category> {
        grant.categories.iter().collect()
    }

    #[test]
    fn where_nothing_was_found_nothing_is_asked_or_written() {
        let (place, person) = (Place::new(), Person::who_says(Answer::No));
        let decided = place.case("pass", &[]).decide(&[], &person);
        assert_eq!(decided.notices, Vec::<String>::new());
        assert_eq!(granted(decided), Grant::default());
        assert_eq!(person.was_asked(), 0);
        assert!(place.is_untouched());
    }

    #[test]
    fn with_nobody_to_ask_the_question_stays_and_can_be_answered_later() {
        let place = Place::new();
        let case = place.case("x", &[delete()]);
        let question = required(case.decide(&[], &Nobody));
        assert_eq!(question.findings, [delete()]);
        let again = required(case.decide(&[], &Nobody));
        assert_eq!(question.id, again.id);
        place.answer(&question.id.to_string(), Standing::Once);
        let grant = granted(case.decide(&[], &Nobody));
        assert_eq!(lifted(&grant), [Category::Delete]);
        required(case.decide(&[], &Nobody));
    }

    #[test]
    fn once_is_once_and_always_is_always() {
        let place = Place::new();
        let case = place.case("x", &[delete()]);
        let person = Person::who_says(Answer::Once);
        granted(case.decide(&[], &person));
        granted(case.decide(&[], &person));
        assert_eq!(person.was_asked(), 2);
        let person = Person::who_says(Answer::Always);
        for _ in 0..3 {
            let grant = granted(case.decide(&[], &person));
            assert_eq!(lifted(&grant), [Category::Delete]);
        }
        assert_eq!(person.was_asked(), 1);
        granted(case.decide(&[], &Nobody));
    }

    #[test]
    fn always_is_for_the_same_content_in_the_same_place() {
        let place = Place::new();
        let always = Person::who_says(Answer::Always);
        granted(place.case("x", &[delete()]).decide(&[], &always));
        let args: [OsString; 1] = ["a".into()];
        let base = subject(b"x");
        let script = Some(Script {
            path: Path::new("/ws/x.py"),
            named: Path::new("x.py"),
        });
        for other in [
            subject(b"x "),
            Subject {
                args: &args,
                ..base
            },
            Subject {
                cwd: Path::new("/other"),
                ..base
            },
            Subject {
                version: "3.13.0",
                ..base
            },
            Subject { script, ..base },
        ] {
            let case = Case::of(other, vec![delete()], &place.settings);
            required(case.decide(&[], &Nobody));
        }
        // More was found than was shown.
        let more = place.case("x", &[delete(), program()]);
        required(more.decide(&[], &Nobody));
        let elsewhere = Finding {
            span: program().span,
            ..delete()
        };
        required(place.case("x", &[elsewhere]).decide(&[], &Nobody));
    }

    #[test]
    fn a_no_is_remembered_and_a_later_yes_counts() {
        let place = Place::new();
        let case = place.case("x", &[delete()]);
        let person = Person::who_says(Answer::No);
        for _ in 0..3 {
            let refusal = refused(case.decide(&[], &person));
            assert!(matches!(refusal, Refusal::ByPerson { .. }), "{refusal}");
        }
        assert_eq!(person.was_asked(), 1);
        refused(case.decide(&[], &Nobody));
        let id = place.store().all().known[0].question.id.to_string();
        granted(case.decide(std::slice::from_ref(&id), &Nobody));
        required(case.decide(&[], &Nobody));
        granted(case.decide(&[], &Person::who_says(Answer::Once)));
    }

    #[test]
    fn an_id_on_the_command_line_is_good_for_that_run() {
        let place = Place::new();
        let case = place.case("x", &[delete()]);
        let id = required(case.decide(&[], &Nobody)).id.to_string();
        let grant = granted(case.decide(std::slice::from_ref(&id), &Nobody));
        assert_eq!(lifted(&grant), [Category::Delete]);
        required(case.decide(&[], &Nobody));
        let other = place.case("y", &[delete()]);
        let foreign = required(other.decide(&[], &Nobody)).id.to_string();
        for ids in [
            vec![foreign.clone()],
            vec![id.clone(), foreign],
            vec![id[..19].to_owned()],
            vec![String::new()],
            vec!["0".repeat(20)],
        ] {
            let refusal = refused(case.decide(&ids, &Person::who_says(Answer::Always)));
            assert!(matches!(refusal, Refusal::Unfit { .. }), "{refusal}");
        }
        let harmless = place.case("pass", &[]);
        refused(harmless.decide(&[id], &Nobody));
        let empty = harmless.question(Vec::new()).id.to_string();
        refused(harmless.decide(&[empty], &Nobody));
    }

    #[test]
    fn an_id_fits_where_the_question_could_not_be_remembered() {
        let place = Place::new();
        let case = place.case("x", &[delete()]);
        let question = required(case.decide(&[], &Nobody));
        place.store().forget(&question).unwrap();
        granted(case.decide(&[question.id.to_string()], &Nobody));
    }

    #[test]
    fn an_id_lifts_what_its_question_showed_and_not_more() {
        let place = Place::new();
        let narrow = place.case("x", &[delete()]);
        let id = required(narrow.decide(&[], &Nobody)).id.to_string();
        let wide = place.case("x", &[delete(), program()]);
        let question = required(wide.decide(&[id], &Nobody));
        assert_eq!(question.findings, [delete(), program()]);
    }

    #[test]
    fn a_grant_of_always_outlives_an_id_on_the_command_line() {
        let place = Place::new();
        let case = place.case("x", &[delete()]);
        let id = required(case.decide(&[], &Nobody)).id.to_string();
        place.answer(&id, Standing::Always);
        granted(case.decide(std::slice::from_ref(&id), &Nobody));
        granted(case.decide(&[], &Nobody));
        place.answer(&id, Standing::Once);
        granted(case.decide(std::slice::from_ref(&id), &Nobody));
        required(case.decide(&[], &Nobody));
    }

    #[test]
    fn a_program_that_pi_runs_can_not_approve() {
        let outside = Place::new();
        let case = outside.case("x", &[delete()]);
        let id = required(case.decide(&[], &Nobody)).id.to_string();
        let inside = Place::with(&[(MARKER_VARIABLE, "1")]);
        let refusal = refused(inside.case("x", &[delete()]).decide(&[id], &Nobody));
        assert!(matches!(refusal, Refusal::WithinRun), "{refusal}");
        // What runs harmlessly runs there too.
        granted(inside.case("pass", &[]).decide(&[], &Nobody));
    }

    #[test]
    fn what_the_guard_stopped_is_lifted_in_the_next_run() {
        let place = Place::new();
        let case = place.case("x", &[]);
        let grant = granted(case.decide(&[], &Nobody));
        let (question, notices) = case.stopped(&grant, vec![delete()]);
        assert_eq!(notices, Vec::<String>::new());
        // Without an answer it runs as far as it comes, again.
        assert_eq!(granted(case.decide(&[], &Nobody)), Grant::default());
        let id = question.id.to_string();
        let grant = granted(case.decide(std::slice::from_ref(&id), &Nobody));
        assert_eq!(lifted(&grant), [Category::Delete]);
        assert_eq!(granted(case.decide(&[], &Nobody)), Grant::default());
        place.answer(&id, Standing::Once);
        assert_eq!(
            lifted(&granted(case.decide(&[], &Nobody))),
            [Category::Delete]
        );
        assert_eq!(granted(case.decide(&[], &Nobody)), Grant::default());
        place.answer(&id, Standing::Always);
        for _ in 0..3 {
            assert_eq!(
                lifted(&granted(case.decide(&[], &Nobody))),
                [Category::Delete]
            );
        }
    }

    #[test]
    fn one_yes_is_enough_for_what_the_review_found_and_the_guard_stopped() {
        let place = Place::new();
        let case = place.case("x", &[delete()]);
        let grant = granted(case.decide(&[], &Person::who_says(Answer::Once)));
        let (question, _) = case.stopped(&grant, vec![program()]);
        assert_eq!(question.findings, [program(), delete()]);
        // The next question shows both, so that the one after is not needed.
        for _ in 0..2 {
            let asked = required(case.decide(&[], &Nobody));
            assert_eq!(asked.id, question.id);
            // Whichever of them was asked last.
            let narrow = case.question(vec![delete()]);
            place.store().ask(&narrow).unwrap();
        }
        place.answer(&question.id.to_string(), Standing::Once);
        let grant = granted(case.decide(&[], &Nobody));
        assert_eq!(lifted(&grant), [Category::Delete, Category::Program]);
    }

    #[test]
    fn a_stop_is_asked_about_before_the_next_run_where_somebody_is() {
        let place = Place::new();
        let case = place.case("x", &[]);
        let _ = case.stopped(&Grant::default(), vec![delete()]);
        let no = Person::who_says(Answer::No);
        refused(case.decide(&[], &no));
        assert_eq!(no.was_asked(), 1);
        let id = place.store().all().known[0].question.id.to_string();
        place.answer(&id, Standing::Pending);
        let yes = Person::who_says(Answer::Always);
        for _ in 0..2 {
            let grant = granted(case.decide(&[], &yes));
            assert_eq!(lifted(&grant), [Category::Delete]);
        }
        assert_eq!(yes.was_asked(), 1);
    }

    #[test]
    fn what_was_allowed_always_stays_so_when_the_guard_stops_more() {
        let place = Place::new();
        let case = place.case("x", &[delete()]);
        let grant = granted(case.decide(&[], &Person::who_says(Answer::Always)));
        let _ = case.stopped(&grant, vec![program()]);
        let grant = granted(case.decide(&[], &Nobody));
        assert_eq!(lifted(&grant), [Category::Delete]);
    }

    /// Changes the script while the question is open.
    struct Meddler<'a>(&'a Path);

    impl Asker for Meddler<'_> {
        fn ask(&self, _question: &Question) -> Answer {
            std::fs::write(self.0, "worse").unwrap();
            Answer::Always
        }

        fn by(&self) -> By {
            By::Terminal
        }
    }

    #[test]
    fn a_script_that_changed_while_the_question_was_open_is_refused() {
        let place = Place::new();
        let path = place.settings.cwd.join("job.py");
        std::fs::write(&path, "bad").unwrap();
        let subject = Subject {
            script: Some(Script {
                path: &path,
                named: Path::new("job.py"),
            }),
            ..subject(b"bad")
        };
        let case = Case::of(subject, vec![delete()], &place.settings);
        let refusal = refused(case.decide(&[], &Meddler(&path)));
        assert!(matches!(refusal, Refusal::Changed { .. }), "{refusal}");
        assert!(refusal.to_string().contains("changed since approval"));
        assert_eq!(place.store().all().known[0].status, Standing::Pending);
    }

    #[test]
    fn of_many_runs_with_one_approval_one_goes_ahead() {
        let place = Place::new();
        let case = place.case("x", &[delete()]);
        let id = required(case.decide(&[], &Nobody)).id.to_string();
        place.answer(&id, Standing::Once);
        let went: Vec<bool> = std::thread::scope(|scope| {
            let runs: Vec<_> = (0..20)
                .map(|_| {
                    scope.spawn(|| {
                        let case = place.case("x", &[delete()]);
                        matches!(case.decide(&[], &Nobody).decision, Decision::Granted(_))
                    })
                })
                .collect();
            runs.into_iter().map(|run| run.join().unwrap()).collect()
        });
        assert_eq!(went.iter().filter(|went| **went).count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn what_can_not_be_remembered_is_said_and_decided_all_the_same() {
        let place = Place::new();
        std::fs::write(place.settings.home.root(), "in the way").unwrap();
        let case = place.case("x", &[delete()]);
        let decided = case.decide(&[], &Nobody);
        assert_eq!(decided.notices.len(), 1, "{:?}", decided.notices);
        let id = required(decided).id.to_string();
        granted(case.decide(&[id], &Nobody));
        let decided = case.decide(&[], &Person::who_says(Answer::Once));
        assert!(decided.notices.iter().any(|text| text.contains("answer")));
        granted(decided);
    }
}
