//! Where a file is: an http(s) address or a path, and the credentials that go with it.
//!
//! Credentials are taken out of an address when it is read and never stand in its text again, so no message can show
//! them. What follows a `?` is left out of messages too, since signed addresses carry their secret there.

use std::fmt;
use std::path::{Path, PathBuf};

use url::Url;

use super::netrc::Netrc;

/// Where a file, or a folder of files, is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Address {
    Web(WebAddress),
    File(PathBuf),
}

/// An http or https address without credentials in its text, and the credentials.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct WebAddress {
    url: Url,
    credentials: Option<Credentials>,
}

/// A name and a password for basic authentication.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Credentials {
    pub user: String,
    pub password: Option<String>,
}

/// Why a text is no address. Holds no part of the text but its scheme, since the rest may be secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Error {
    #[error("not an address: {0}")]
    Syntax(url::ParseError),
    #[error("`{0}:` addresses are not supported, only http, https and file")]
    Scheme(String),
    #[error(
        "it looks like an address without `http://` or `https://` (a folder of that name is written `./…`)"
    )]
    NoScheme,
    #[error("not the address of a file on this machine")]
    NotLocal,
}

impl Address {
    /// Reads an address, or a path that is relative to `cwd`.
    ///
    /// # Errors
    /// Where it is neither.
    pub(crate) fn parse(text: &str, cwd: &Path) -> Result<Self, Error> {
        match scheme(text) {
            None if may_hold_login(text) => Err(Error::NoScheme),
            None => Ok(Self::File(cwd.join(text))),
            Some("http" | "https" | "file") => {
                Self::of_url(Url::parse(text).map_err(Error::Syntax)?)
            }
            Some(other) => Err(Error::Scheme(other.to_owned())),
        }
    }

    fn of_url(mut url: Url) -> Result<Self, Error> {
        match url.scheme() {
            "http" | "https" => {
                let credentials = Credentials::of_url(&url);
                url.set_fragment(None);
                // Neither can fail for an address with a host.
                let _ = url.set_username("");
                let _ = url.set_password(None);
                Ok(Self::Web(WebAddress { url, credentials }))
            }
            "file" => url
                .to_file_path()
                .map(Self::File)
                .map_err(|()| Error::NotLocal),
            other => Err(Error::Scheme(other.to_owned())),
        }
    }

    /// The address of something below this one; an empty last part leaves a slash at the end.
    pub(crate) fn below(&self, parts: &[&str]) -> Self {
        match self {
            Self::File(path) => Self::File(parts.iter().fold(path.clone(), |p, part| p.join(part))),
            Self::Web(address) => {
                let mut address = address.clone();
                address
                    .url
                    .path_segments_mut()
                    .expect("http addresses have a path")
                    .pop_if_empty()
                    .extend(parts);
                Self::Web(address)
            }
        }
    }
}

impl WebAddress {
    pub(crate) fn url(&self) -> &Url {
        &self.url
    }

    pub(crate) fn credentials(&self) -> Option<&Credentials> {
        self.credentials.as_ref()
    }

    pub(crate) fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }

    /// This address with the credentials that `netrc` has for its host, if it has none of its own.
    #[must_use]
    pub(crate) fn with_netrc(mut self, netrc: &Netrc) -> Self {
        if self.credentials.is_none() {
            self.credentials = netrc.credentials(self.host());
        }
        self
    }

    /// Resolves a link on a page at this address; this address's credentials go along to the same server alone.
    pub(crate) fn link(&self, base: &Url, link: &str) -> Result<Address, Error> {
        let url = base.join(link).map_err(Error::Syntax)?;
        let same_server = url.origin() == self.url.origin();
        let mut address = Address::of_url(url)?;
        if let Address::Web(web) = &mut address
            && web.credentials.is_none()
            && same_server
        {
            web.credentials.clone_from(&self.credentials);
        }
        Ok(address)
    }
}

impl Credentials {
    fn of_url(url: &Url) -> Option<Self> {
        let decode = |text: &str| {
            percent_encoding::percent_decode_str(text)
                .decode_utf8_lossy()
                .into_owned()
        };
        let password = url.password().map(decode);
        if url.username().is_empty() && password.is_none() {
            return None;
        }
        Some(Self {
            user: decode(url.username()),
            password,
        })
    }
}

/// The text of an address for a message: no credentials, no query.
pub(crate) fn shown(url: &Url) -> String {
    let mut url = url.clone();
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.set_fragment(None);
    let query = url.query().is_some();
    url.set_query(None);
    format!("{url}{}", if query { "?…" } else { "" })
}

/// Whether a text without a scheme may hold a password: an `@` stands before the first slash.
fn may_hold_login(text: &str) -> bool {
    let host = text.split(['/', '\\']).next().unwrap_or_default();
    host.contains('@')
}

/// An address as a person may see it: nobody's name or password is in it.
pub(crate) fn without_login(value: &str) -> String {
    match Url::parse(value) {
        Ok(mut address) if address.password().is_some() || !address.username().is_empty() => {
            // Only addresses that can't have any refuse.
            let _ = address.set_password(None);
            let _ = address.set_username("***");
            address.to_string()
        }
        // A proxy may be written without its scheme.
        Err(_) | Ok(_) => match value.rsplit_once('@') {
            Some((_, host)) => format!("***@{host}"),
            None => value.to_owned(),
        },
    }
}

/// The scheme of an address. A single letter is a drive of Windows, not a scheme.
fn scheme(text: &str) -> Option<&str> {
    let (scheme, rest) = text.split_once(':')?;
    let is_scheme = scheme.len() > 1
        && scheme
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
        && (rest.starts_with("//") || scheme == "file");
    is_scheme.then_some(scheme)
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Web(address) => address.fmt(f),
            Self::File(path) => path.display().fmt(f),
        }
    }
}

impl fmt::Display for WebAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown(&self.url))
    }
}

impl fmt::Debug for WebAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WebAddress({self})")
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credentials(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn web(text: &str) -> WebAddress {
        match Address::parse(text, Path::new("")) {
            Ok(Address::Web(address)) => address,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn credentials_are_known_and_never_shown() {
        let address = web("https://me:s%40crt@host.example/simple?sig=s3cret#part");
        let credentials = address.credentials().expect("there are some");
        assert_eq!(
            (credentials.user.as_str(), credentials.password.as_deref()),
            ("me", Some("s@crt"))
        );
        for text in [
            address.to_string(),
            format!("{address:?}"),
            format!("{credentials:?}"),
            address.url().as_str().to_owned(),
        ] {
            assert!(!text.contains("crt"), "{text}");
        }
        assert_eq!(address.to_string(), "https://host.example/simple?…");
    }

    #[test]
    fn paths_and_file_addresses_are_files() {
        let cwd = std::env::temp_dir();
        let file = Url::from_file_path(cwd.join("a b")).expect("absolute");
        assert_eq!(
            Address::parse(file.as_str(), &cwd),
            Ok(Address::File(cwd.join("a b")))
        );
        assert_eq!(
            Address::parse("mirror", &cwd),
            Ok(Address::File(cwd.join("mirror")))
        );
        assert!(matches!(
            Address::parse("C:\\uv", &cwd),
            Ok(Address::File(_))
        ));
        assert_eq!(
            Address::parse("ftp://host/x", &cwd),
            Err(Error::Scheme("ftp".to_owned()))
        );
    }

    #[test]
    fn a_forgotten_scheme_is_told_from_a_path() {
        let cwd = std::env::temp_dir();
        for text in ["u:secret@host/x", "me@host", "token@host:8080\\x"] {
            assert_eq!(Address::parse(text, &cwd), Err(Error::NoScheme), "{text}");
        }
        for text in ["./a@b", "dir/a@b", "/srv/a@b"] {
            let parsed = Address::parse(text, &cwd);
            assert!(matches!(parsed, Ok(Address::File(_))), "{text}");
        }
    }

    #[test]
    fn no_password_is_shown() {
        for (value, shown) in [
            (
                "http://user:secret@proxy.example:3128",
                "http://***@proxy.example:3128/",
            ),
            (
                "http://token@index.example/simple",
                "http://***@index.example/simple",
            ),
            ("user:secret@proxy.example:3128", "***@proxy.example:3128"),
            ("http://proxy.example:3128", "http://proxy.example:3128"),
            ("localhost,127.0.0.1", "localhost,127.0.0.1"),
        ] {
            assert_eq!(without_login(value), shown);
        }
    }

    #[test]
    fn files_lie_below_their_base() {
        for base in ["http://host/m", "http://host/m/"] {
            let address = Address::parse(base, Path::new("")).expect("an address");
            assert_eq!(
                address.below(&["1.0", "uv.zip"]).to_string(),
                "http://host/m/1.0/uv.zip"
            );
            assert_eq!(address.below(&["uv", ""]).to_string(), "http://host/m/uv/");
        }
    }

    #[test]
    fn credentials_follow_a_link_to_the_same_server_alone() {
        let index = web("https://me:secret@host.example/simple/uv/");
        let base = index.url().clone();
        let credentials = |link: &str| match index.link(&base, link) {
            Ok(Address::Web(web)) => web.credentials().is_some(),
            other => panic!("{link}: {other:?}"),
        };
        assert!(credentials("../../files/uv.whl"));
        assert!(credentials("https://host.example/uv.whl"));
        assert!(!credentials("https://files.example/uv.whl"));
        assert!(!credentials("http://host.example/uv.whl"));
        assert!(!credentials("https://host.example:8443/uv.whl"));
    }
}
