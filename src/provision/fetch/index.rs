//! The simple API of a Python package index, as far as one file's address is concerned.
//!
//! An index only says where a file is. What it says about the file, its digest included, is not believed.

use html5gum::{Token, Tokenizer};
use percent_encoding::percent_decode_str;
use serde::Deserialize;

use super::address::{self, Address, WebAddress};
use super::download::Page;

/// The forms that are understood, the better one first.
pub(crate) const ACCEPT: &str = "application/vnd.pypi.simple.v1+json, \
     application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1";
/// The name of the project that holds the wheels.
pub(crate) const PROJECT: &str = "uv";

/// Why a project's page does not lead to the file.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("the answer is not a list of files: {0}")]
    Json(serde_json::Error),
    #[error("`{file}` is not among its {listed} files")]
    NotListed { file: String, listed: usize },
    #[error("`{address}` lists no files, which looks like a proxy or sign-in page")]
    NoList { address: String },
    #[error("the address of `{file}` can't be used: {source}")]
    Address {
        file: String,
        source: address::Error,
    },
}

/// Finds the address of a file on a project's page that was fetched from `index`.
///
/// # Errors
/// Where the page does not name it.
pub(crate) fn find(page: &Page, index: &WebAddress, file: &str) -> Result<Address, Error> {
    let (link, base) = if is_json(&page.content_type) {
        (link_in_json(&page.body, file)?, page.url.clone())
    } else {
        let html = link_in_html(&page.body, file);
        let base = html.base.and_then(|base| page.url.join(&base).ok());
        (html.link, base.unwrap_or_else(|| page.url.clone()))
    };
    let link = link.map_err(|listed| match listed {
        0 => Error::NoList {
            address: address::shown(&page.url),
        },
        _ => Error::NotListed {
            file: file.to_owned(),
            listed,
        },
    })?;
    index.link(&base, &link).map_err(|source| Error::Address {
        file: file.to_owned(),
        source,
    })
}

fn is_json(content_type: &str) -> bool {
    let kind = content_type.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json") || kind.ends_with("+json")
}

/// A link, or the number of links among which it was not.
type Link = Result<String, usize>;

#[derive(Deserialize)]
struct JsonPage {
    files: Vec<JsonFile>,
}

#[derive(Deserialize)]
struct JsonFile {
    filename: String,
    url: String,
}

fn link_in_json(body: &[u8], file: &str) -> Result<Link, Error> {
    let page: JsonPage = serde_json::from_slice(body).map_err(Error::Json)?;
    let listed = page.files.len();
    let found = page.files.into_iter().find(|entry| entry.filename == file);
    Ok(found.map(|entry| entry.url).ok_or(listed))
}

/// What an HTML page says about a file.
struct HtmlLinks {
    link: Link,
    /// What relative links are relative to, if the page says so.
    base: Option<String>,
}

/// A file is known by the last part of its link, since the text of a link is for people.
fn link_in_html(body: &[u8], file: &str) -> HtmlLinks {
    let mut found = HtmlLinks {
        link: Err(0),
        base: None,
    };
    for Ok(token) in Tokenizer::new(body) {
        let Token::StartTag(tag) = token else {
            continue;
        };
        let Some(target) = tag.attributes.get(b"href".as_slice()) else {
            continue;
        };
        let target = String::from_utf8_lossy(target).trim().to_owned();
        match (tag.name.as_slice(), &mut found.link) {
            (b"base", _) if found.base.is_none() => found.base = Some(target),
            (b"a", Err(_)) if file_name(&target) == file => found.link = Ok(target),
            (b"a", Err(listed)) => *listed += 1,
            _ => {}
        }
    }
    found
}

/// The file that a link leads to.
fn file_name(link: &str) -> String {
    let path = link.split(['?', '#']).next().unwrap_or_default();
    let last = path.rsplit('/').next().unwrap_or_default();
    percent_decode_str(last).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::*;

    const FILE: &str = "uv-1.0+x-py3-none-any.whl";

    fn found(content_type: &str, body: &str) -> Result<String, Error> {
        let Ok(Address::Web(index)) = Address::parse(
            "https://me:secret@index.example/simple/uv/",
            std::path::Path::new(""),
        ) else {
            panic!("an address");
        };
        let page = Page {
            url: Url::parse("https://index.example/simple/uv/").expect("an address"),
            content_type: content_type.to_owned(),
            body: body.as_bytes().to_owned(),
        };
        find(&page, &index, FILE).map(|address| address.to_string())
    }

    #[test]
    fn the_json_form_is_read() {
        let body = format!(
            r#"{{"meta": {{"api-version": "1.1"}}, "files": [
                {{"filename": "uv-0.9.whl", "url": "https://files.example/a", "hashes": {{}}}},
                {{"filename": "{FILE}", "url": "../../files/b.whl", "hashes": {{}}, "yanked": false}}]}}"#
        );
        let address = found("application/vnd.pypi.simple.v1+json", &body).expect("listed");
        assert_eq!(address, "https://index.example/files/b.whl");
    }

    #[test]
    fn the_html_form_is_read() {
        let body = "<!DOCTYPE html><html><body><a href='/files/uv-0.9.whl'>uv-0.9.whl</a><br/>\
             <A data-requires-python='&gt;=3.8' HREF=\"/files/uv-1.0%2Bx-py3-none-any.whl#sha256=00&amp;x\">shortened…</A>";
        let address = found("text/html; charset=utf-8", body).expect("listed");
        assert_eq!(
            address,
            "https://index.example/files/uv-1.0%2Bx-py3-none-any.whl"
        );
    }

    #[test]
    fn the_html_forms_base_counts() {
        let body = format!("<base href='https://files.example/x/'><a href='{FILE}'>");
        let address = found("application/vnd.pypi.simple.v1+html", &body).expect("listed");
        assert_eq!(address, format!("https://files.example/x/{FILE}"));
    }

    #[test]
    fn a_page_without_the_file_says_how_many_others_it_has() {
        let error = found("text/html", "<a href='a.whl'></a><a href='b.whl'>").expect_err("none");
        assert_eq!(
            error.to_string(),
            format!("`{FILE}` is not among its 2 files")
        );
        let error = found("text/html", "<title>Sign in</title>").expect_err("none");
        assert!(matches!(error, Error::NoList { .. }), "{error}");
        let error = found("application/json", "<html>").expect_err("no JSON");
        assert!(matches!(error, Error::Json(_)), "{error}");
        let body = format!("{{\"files\": [{{\"filename\": \"{FILE}\", \"url\": \"ftp://x/y\"}}]}}");
        let error = found("application/json", &body).expect_err("no usable address");
        assert!(error.to_string().contains("`ftp:`"), "{error}");
    }
}
