//! Commands: lists of words, and texts for a shell; and which of them publish.
//!
//! What matters is found by words, never by looking for a text in a text: `echo "git push"` publishes nothing.

/// A command's first words, and what it does. Options between them are skipped.
const PUBLISHING: &[&[&str]] = &[
    &["git", "push"],
    &["git", "send-email"],
    &["hg", "push"],
    &["jj", "git", "push"],
    &["svn", "commit"],
    &["svn", "ci"],
    &["gh", "release", "create"],
    &["gh", "release", "upload"],
    &["gh", "release", "edit"],
    &["gh", "release", "delete"],
    &["gh", "pr", "create"],
    &["gh", "pr", "merge"],
    &["gh", "repo", "create"],
    &["gh", "workflow", "run"],
    &["glab", "release", "create"],
    &["glab", "mr", "create"],
    &["npm", "publish"],
    &["npm", "unpublish"],
    &["npm", "dist-tag"],
    &["yarn", "publish"],
    &["yarn", "npm", "publish"],
    &["pnpm", "publish"],
    &["bun", "publish"],
    &["lerna", "publish"],
    &["deno", "publish"],
    &["twine", "upload"],
    &["uv", "publish"],
    &["poetry", "publish"],
    &["flit", "publish"],
    &["hatch", "publish"],
    &["pdm", "publish"],
    &["maturin", "publish"],
    &["maturin", "upload"],
    &["cargo", "publish"],
    &["cargo", "yank"],
    &["cargo", "release"],
    &["gem", "push"],
    &["docker", "push"],
    &["docker", "image", "push"],
    &["docker", "manifest", "push"],
    &["podman", "push"],
    &["buildah", "push"],
    &["helm", "push"],
    &["mvn", "deploy"],
    &["gradle", "publish"],
    &["dotnet", "nuget", "push"],
    &["nuget", "push"],
    &["anaconda", "upload"],
    &["huggingface-cli", "upload"],
    &["hf", "upload"],
    &["vsce", "publish"],
    &["ovsx", "publish"],
    &["wrangler", "deploy"],
    &["wrangler", "publish"],
    &["vercel", "deploy"],
    &["netlify", "deploy"],
    &["firebase", "deploy"],
    &["gcloud", "app", "deploy"],
    &["fly", "deploy"],
];

/// Commands that run the command behind them.
const WRAPPERS: &[&str] = &[
    "sudo", "env", "nohup", "time", "nice", "exec", "command", "npx", "uvx", "pipx", "xargs",
    "timeout", "stdbuf", "setsid", "doas",
];

const SHELLS: &[&str] = &["sh", "bash", "zsh", "dash", "ksh", "fish", "busybox"];

/// Options that take the next word as their value, of commands that have subcommands.
const WITH_VALUE: &[&str] = &[
    "-C",
    "-c",
    "--git-dir",
    "--work-tree",
    "--namespace",
    "-R",
    "--repo",
];

/// Commands within commands are followed so far.
const DEEPEST: usize = 4;

/// Whether a list of words is a command that publishes.
pub(super) fn publishes(words: &[String]) -> bool {
    publishes_from(words, 0)
}

/// Whether a text for a shell has a command that publishes.
pub(super) fn shell_publishes(text: &str) -> bool {
    shell_publishes_from(text, 0)
}

fn shell_publishes_from(text: &str, depth: usize) -> bool {
    depth < DEEPEST
        && split(text)
            .iter()
            .any(|words| publishes_from(words, depth + 1))
}

fn publishes_from(words: &[String], depth: usize) -> bool {
    if depth > DEEPEST {
        return false;
    }
    let mut words = words;
    // Assignments before a command, and commands that run the next one.
    while let Some((first, rest)) = words.split_first() {
        let name = file_name(first);
        let assigns = first
            .split_once('=')
            .is_some_and(|(name, _)| is_identifier(name));
        if !assigns && !WRAPPERS.contains(&name) {
            break;
        }
        // The options of a wrapper are not the command.
        let options = rest
            .iter()
            .take_while(|word| word.starts_with('-') || word.parse::<f64>().is_ok())
            .count();
        words = &rest[options..];
    }
    let Some((first, rest)) = words.split_first() else {
        return false;
    };
    let name = file_name(first);
    if SHELLS.contains(&name) {
        let script = rest.iter().skip_while(|word| !ends_with_c(word)).nth(1);
        return script.is_some_and(|script| shell_publishes_from(script, depth));
    }
    if name.starts_with("python") || name == "py" {
        return match rest.iter().position(|word| word == "-m") {
            Some(at) => publishes_from(&rest[at + 1..], depth + 1),
            None => publishes_from(rest, depth + 1),
        };
    }
    is_publishing(name, rest)
}

/// `-c`, or options that end in it: `-lc`.
fn ends_with_c(word: &str) -> bool {
    word.starts_with('-') && !word.starts_with("--") && word.ends_with('c')
}

fn is_publishing(name: &str, arguments: &[String]) -> bool {
    let subcommands = subcommands(arguments);
    let is_row = |row: &&[&str]| {
        row[0] == name
            && row.len() <= subcommands.len() + 1
            && row[1..]
                .iter()
                .zip(&subcommands)
                .all(|(word, own)| word == own)
    };
    PUBLISHING.iter().any(is_row)
        || (name == "git" && subcommands.first() == Some(&"tag") && makes_tag(arguments))
        || (name == "docker" && arguments.iter().any(|word| word == "--push"))
        || (name == "setup.py"
            && subcommands
                .iter()
                .any(|word| matches!(*word, "upload" | "register")))
        || (name == "gradlew" && arguments.iter().any(|word| word.starts_with("publish")))
}

/// The words that are no options, nor their values.
fn subcommands(arguments: &[String]) -> Vec<&str> {
    let mut words = Vec::new();
    let mut arguments = arguments.iter();
    while let Some(word) = arguments.next() {
        if WITH_VALUE.contains(&word.as_str()) {
            arguments.next();
        } else if !word.starts_with('-') {
            words.push(word.as_str());
        }
    }
    words
}

/// `git tag` with a name makes one; without it, and with these options, it lists.
fn makes_tag(arguments: &[String]) -> bool {
    const LIST: &[&str] = &[
        "-l",
        "--list",
        "-n",
        "--contains",
        "--merged",
        "--no-merged",
        "--points-at",
        "--sort",
        "-v",
        "--verify",
    ];
    let lists = arguments.iter().any(|word| {
        LIST.iter()
            .any(|option| word.split('=').next() == Some(option))
    });
    !lists && subcommands(arguments).len() > 1
}

fn is_identifier(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// A program's name without directory and suffix.
fn file_name(word: &str) -> &str {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    let stem = name
        .strip_suffix(".exe")
        .or_else(|| name.strip_suffix(".cmd"));
    stem.unwrap_or(name)
}

/// The commands of a text for a shell, a list of words each. Quotes hold words together.
fn split(text: &str) -> Vec<Vec<String>> {
    let mut commands = vec![Vec::new()];
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut chars = text.chars().peekable();
    let end_word = |word: &mut Option<String>, commands: &mut Vec<Vec<String>>| {
        if let (Some(word), Some(command)) = (word.take(), commands.last_mut()) {
            command.push(word);
        }
    };
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => {
                if let Some(next) = chars.next() {
                    // A line that goes on.
                    if next != '\n' {
                        word.get_or_insert_default().push(next);
                    }
                }
            }
            (None, ' ' | '\t') => end_word(&mut word, &mut commands),
            (None, ';' | '&' | '|' | '\n' | '(' | ')' | '`' | '{' | '}') => {
                end_word(&mut word, &mut commands);
                commands.push(Vec::new());
            }
            (None, '#') if word.is_none() => {
                while chars.peek().is_some_and(|c| *c != '\n') {
                    chars.next();
                }
            }
            // A substitution starts a command of its own.
            (None | Some('"'), '$') if chars.peek() == Some(&'(') => {
                chars.next();
                end_word(&mut word, &mut commands);
                commands.push(Vec::new());
                quote = None;
            }
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    end_word(&mut word, &mut commands);
    commands.retain(|command| !command.is_empty());
    commands
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_publishes_in_a_shell() {
        for text in [
            "git push",
            "cd x && git -C repo push origin main",
            "VERSION=1 npm publish --access public",
            "git tag v1.0",
            "git tag -a v1 -m 'x y'",
            "sudo docker push a/b",
            "sh -c 'git push'",
            "bash -lc \"cd x; twine upload dist/*\"",
            "python -m twine upload dist/*",
            "python3 setup.py sdist upload",
            "/usr/bin/git push",
            "echo $(git push)",
            "true | cargo publish",
            "git \\\n push",
            "env GIT_DIR=x git push",
            "timeout 5 git push",
            "docker buildx build --push .",
        ] {
            assert!(shell_publishes(text), "{text}");
        }
    }

    #[test]
    fn what_does_not() {
        for text in [
            "",
            "echo git push",
            "echo 'git push'",
            "git status # git push",
            "git tag",
            "git tag -l 'v*'",
            "git log --grep push",
            "npm run publish-docs",
            "cargo build",
            "grep 'npm publish' x",
            "git commit -m 'git push'",
        ] {
            assert!(!shell_publishes(text), "{text}");
        }
    }

    #[test]
    fn nesting_ends() {
        let mut text = "git push".to_owned();
        for _ in 0..8 {
            text = format!("sh -c {text:?}");
        }
        assert!(!shell_publishes(&text));
    }
}
