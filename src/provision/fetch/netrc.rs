//! Credentials from the user's netrc file.

use std::path::PathBuf;

use super::address::Credentials;
use crate::settings::Environment;

/// The entries of a netrc file, in its order.
#[derive(Default)]
pub(crate) struct Netrc(Vec<Entry>);

#[derive(Default)]
struct Entry {
    /// None for the `default` entry, which fits every host.
    machine: Option<String>,
    login: Option<String>,
    password: Option<String>,
}

impl Netrc {
    /// Reads the file that `NETRC` names, else `.netrc` or `_netrc` in the user's home. A file that can't be read
    /// counts as absent: it may not even be meant for this program.
    pub(crate) fn load(environment: &Environment) -> Self {
        let in_home = |name: &str| Some(crate::home::user_home(environment)?.join(name));
        let candidates = match environment.get("NETRC") {
            Some(path) => vec![Some(PathBuf::from(path))],
            None => vec![in_home(".netrc"), in_home("_netrc")],
        };
        candidates
            .into_iter()
            .flatten()
            .find_map(|path| crate::home::read_text(&path).ok())
            .map_or_else(Self::default, |text| Self::parse(&text))
    }

    fn parse(text: &str) -> Self {
        let mut entries: Vec<Entry> = Vec::new();
        let mut words = Words { rest: text };
        while let Some(word) = words.keyword() {
            match (word.as_str(), entries.last_mut()) {
                ("machine", _) => entries.push(Entry {
                    machine: words.value(),
                    ..Entry::default()
                }),
                ("default", _) => entries.push(Entry::default()),
                ("macdef", _) => words.skip_macro(),
                ("login" | "user", Some(entry)) => entry.login = words.value(),
                ("password", Some(entry)) => entry.password = words.value(),
                ("account", _) => drop(words.value()),
                _ => {}
            }
        }
        Self(entries)
    }

    /// The credentials for a host: its own entry, else the default one.
    pub(crate) fn credentials(&self, host: &str) -> Option<Credentials> {
        let own = |entry: &&Entry| {
            entry
                .machine
                .as_ref()
                .is_some_and(|machine| machine.eq_ignore_ascii_case(host))
        };
        let entry = self
            .0
            .iter()
            .find(own)
            .or_else(|| self.0.iter().find(|entry| entry.machine.is_none()))?;
        Some(Credentials {
            user: entry.login.clone()?,
            password: entry.password.clone(),
        })
    }
}

/// The words of a netrc file: separated by white space, quoted where they contain some.
struct Words<'a> {
    rest: &'a str,
}

impl Words<'_> {
    /// The next word where a keyword is due; a comment may stand here and is skipped.
    fn keyword(&mut self) -> Option<String> {
        while let Some(comment) = self.rest.trim_start().strip_prefix('#') {
            self.rest = comment.split_once('\n').map_or("", |(_, rest)| rest);
        }
        self.value()
    }

    /// The next word, whatever it begins with: a password may begin like a comment.
    fn value(&mut self) -> Option<String> {
        self.rest = self.rest.trim_start();
        if let Some(quoted) = self.rest.strip_prefix('"') {
            self.rest = quoted;
            return Some(self.quoted());
        }
        let end = self
            .rest
            .find(char::is_whitespace)
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then(|| word.to_owned())
    }

    fn quoted(&mut self) -> String {
        let mut word = String::new();
        let mut chars = self.rest.char_indices();
        while let Some((index, char)) = chars.next() {
            match char {
                '"' => {
                    self.rest = &self.rest[index + 1..];
                    return word;
                }
                '\\' => word.extend(chars.next().map(|(_, escaped)| escaped)),
                other => word.push(other),
            }
        }
        self.rest = "";
        word
    }

    /// Skips the body of a macro, which ends at an empty line.
    fn skip_macro(&mut self) {
        let end = self.rest.find("\n\n").unwrap_or(self.rest.len());
        self.rest = &self.rest[end..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entry_of_the_host_is_found() {
        let netrc = Netrc::parse(
            "# comment machine evil login no\n\
             machine one.example login me password \"a \\\"b\"\n\
             macdef init\n machine fake login fake\n\n\
             machine two.example\n\tlogin you\n\taccount x\n\tpassword #hash\n",
        );
        let found = |host: &str| {
            netrc
                .credentials(host)
                .map(|c| (c.user, c.password.unwrap_or_default()))
        };
        assert_eq!(
            found("ONE.example"),
            Some(("me".to_owned(), "a \"b".to_owned()))
        );
        assert_eq!(found("three.example"), None);
        assert_eq!(found("fake"), None);
        assert_eq!(
            found("two.example"),
            Some(("you".to_owned(), "#hash".to_owned()))
        );
    }

    #[test]
    fn the_default_entry_fits_every_other_host() {
        let netrc = Netrc::parse("machine a login b\ndefault login c password d");
        assert_eq!(netrc.credentials("a").expect("its own").password, None);
        assert_eq!(netrc.credentials("z").expect("the default").user, "c");
    }
}
