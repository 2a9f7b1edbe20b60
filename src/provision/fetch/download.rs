//! Fetching one file: over http(s), tried again and resumed where that can help, or by copying from this machine.
//!
//! Whatever arrives goes through an [`Intake`], so that nothing but the pinned bytes comes out of here. A download is
//! bounded four ways: by the time to connect, by silence, by the deadline of all provisioning, and by the pinned size.

use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use reqwest::header::{self, HeaderMap, HeaderValue};
use reqwest::{Client, Response, StatusCode};
use url::Url;

use super::address::{WebAddress, shown};
use super::pins::Artifact;
use super::verify::{Intake, IntakeError, Mismatch, Verified, begins_like_a_page};
use super::{netrc::Netrc, tls};
use crate::home::{is_full, open_regular};
use crate::provision::{Context, move_directory};
use crate::settings::{DOWNLOAD_TRIES, Environment, variable};

/// The wait before the second try; each further one doubles it.
const FIRST_WAIT: Duration = Duration::from_millis(500);
/// The longest wait that a server can ask for; one that asks for more is passed over, since others may serve at once.
const LONGEST_WAIT: Duration = Duration::from_mins(1);
/// The most bytes of a page, such as an index's list of files.
const LARGEST_PAGE: u64 = 64 * 1024 * 1024;
/// The most bytes that are read of an answer that is an error anyway.
const LARGEST_REFUSAL: u64 = 256 * 1024;
/// Bytes that a copy moves at a time.
const COPY_BUFFER: usize = 1024 * 1024;

/// Why a file could not be fetched from one address.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("can't prepare the download: {0}")]
    Setup(String),
    #[error("can't connect to `{host}`: {}", root_of(.error))]
    Connect {
        host: String,
        /// The variable that names the proxy on the way, if there is one.
        proxy: Option<&'static str>,
        error: reqwest::Error,
    },
    #[error("no connection to `{host}` within {} s", seconds(*.limit))]
    ConnectTime { host: String, limit: Duration },
    #[error("the certificate of `{host}` is signed by an unknown authority")]
    UnknownAuthority {
        host: String,
        /// What of the named certificates could not be read.
        unread: Vec<String>,
    },
    #[error("no secure connection to `{host}`: {error}")]
    Tls { host: String, error: rustls::Error },
    #[error("`{host}` was silent for {} s after {received} bytes", seconds(*.limit))]
    Silence {
        host: String,
        limit: Duration,
        received: u64,
    },
    #[error("the connection to `{host}` broke after {received} bytes: {}", root_of(.error))]
    Broken {
        host: String,
        received: u64,
        error: reqwest::Error,
    },
    #[error("`{host}` ended the file early, after {received} bytes{}", of_expected(*.expected))]
    Short {
        host: String,
        received: u64,
        expected: Option<u64>,
    },
    #[error("{}", refusal_text(.reply))]
    Refused {
        reply: Box<Reply>,
        retry_after: Option<Duration>,
    },
    #[error("the file is larger than the {most} bytes it should have\n  {reply}")]
    TooLarge { most: u64, reply: Box<Reply> },
    #[error("{}", mismatch_text(.mismatch, .reply))]
    Mismatch {
        mismatch: Box<Mismatch>,
        reply: Box<Reply>,
    },
    #[error("there is no such file")]
    NoFile,
    #[error("can't read `{}`: {source}", path.display())]
    Read {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("can't write in `{}`: {source}", dir.display())]
    Write {
        dir: PathBuf,
        source: std::io::Error,
    },
    #[error("{}", no_room(.dir))]
    NoRoom { dir: PathBuf },
    #[error("it was not done when the time limit of provisioning, {} s, ran out", seconds(*.limit))]
    Deadline { limit: Duration },
    #[error("{last} (tried {tries} times)")]
    GaveUp { tries: u32, last: Box<Error> },
}

/// What an address answered with. Shows neither credentials nor queries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reply {
    /// After redirects.
    pub address: String,
    /// Whether another address was asked for.
    pub redirected: bool,
    /// None for a file.
    pub status: Option<StatusCode>,
    pub content_type: Option<String>,
    /// As announced, else as it was counted.
    pub size: Option<u64>,
    /// Whether it is a page for a browser.
    pub page: bool,
}

/// A page that was fetched whole.
pub(crate) struct Page {
    /// After redirects.
    pub url: Url,
    pub content_type: String,
    pub body: Vec<u8>,
}

/// Fetches over http and https.
pub(crate) struct Downloader<'a> {
    context: Context<'a>,
    client: Client,
    netrc: Netrc,
    /// What could not be read of the certificates that the user named.
    unread_certificates: Vec<String>,
}

impl Error {
    /// Whether the same address may well answer better a moment later.
    pub(crate) fn is_transient(&self) -> bool {
        match self {
            Self::Silence { .. } | Self::Broken { .. } | Self::Short { .. } => true,
            Self::Refused { reply, .. } => reply.status.is_some_and(|status| {
                status.is_server_error()
                    || status == StatusCode::TOO_MANY_REQUESTS
                    || status == StatusCode::REQUEST_TIMEOUT
            }),
            Self::Setup(_)
            | Self::Connect { .. }
            | Self::ConnectTime { .. }
            | Self::UnknownAuthority { .. }
            | Self::Tls { .. }
            | Self::TooLarge { .. }
            | Self::Mismatch { .. }
            | Self::NoFile
            | Self::Read { .. }
            | Self::Write { .. }
            | Self::NoRoom { .. }
            | Self::Deadline { .. }
            | Self::GaveUp { .. } => false,
        }
    }

    /// Whether it is the server, or the way to it, that fails, and not the one file.
    pub(crate) fn is_of_server(&self) -> bool {
        match self {
            Self::Connect { .. }
            | Self::ConnectTime { .. }
            | Self::UnknownAuthority { .. }
            | Self::Tls { .. }
            | Self::Silence { .. } => true,
            Self::Refused { reply, .. } => {
                reply.status == Some(StatusCode::PROXY_AUTHENTICATION_REQUIRED)
            }
            Self::GaveUp { last, .. } => last.is_of_server(),
            _ => false,
        }
    }

    /// Whether other bytes arrived than the pinned ones.
    pub(crate) fn is_mismatch(&self) -> bool {
        matches!(self, Self::Mismatch { .. } | Self::TooLarge { .. })
    }

    /// Whether no other address can help either.
    pub(crate) fn is_final(&self) -> bool {
        matches!(
            self,
            Self::Write { .. } | Self::NoRoom { .. } | Self::Deadline { .. }
        )
    }

    /// What a person can do about it.
    pub(crate) fn hints(&self) -> Vec<String> {
        match self {
            Self::GaveUp { last, .. } => last.hints(),
            Self::NoRoom { .. } => vec![move_directory("with more room")],
            Self::Silence { .. } => vec![raising("provision.idle_seconds")],
            Self::ConnectTime { .. } => vec![raising("provision.connect_seconds")],
            Self::Deadline { .. } => vec![raising("provision.total_seconds")],
            Self::Connect {
                proxy: Some(variable),
                ..
            } => vec![format!(
                "the connection goes through the proxy in `{variable}`"
            )],
            Self::UnknownAuthority { host, unread } => {
                let advice = format!(
                    "set `{}` to a file with the certificate (PEM) of the authority that signs for `{host}`, \
                     such as a company's proxy",
                    tls::FILE_VARIABLE
                );
                unread.iter().cloned().chain([advice]).collect()
            }
            Self::Refused { reply, .. } => match reply.status {
                Some(StatusCode::PROXY_AUTHENTICATION_REQUIRED) => vec![
                    "the proxy wants a sign-in: put it in the proxy's address, \
                     as in `HTTPS_PROXY=http://user:password@host:port`"
                        .to_owned(),
                ],
                Some(StatusCode::UNAUTHORIZED) => {
                    vec!["put user and password in the address, or in the netrc file".to_owned()]
                }
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Refused { retry_after, .. } => *retry_after,
            _ => None,
        }
    }
}

impl<'a> Downloader<'a> {
    /// Prepares downloads: reads certificates, proxies and the netrc file. Proxies are those of this process or the
    /// system, as the HTTP library finds them.
    ///
    /// # Errors
    /// Where the client can't be built.
    pub(crate) fn new(context: Context<'a>) -> Result<Self, Error> {
        let settings = context.settings;
        let trust = tls::trust(&settings.environment);
        for warning in &trust.warnings {
            context.progress.note(warning);
        }
        let client = Client::builder()
            .tls_backend_preconfigured(trust.config)
            .connect_timeout(settings.provision.connect)
            .read_timeout(settings.provision.idle)
            .user_agent(concat!("pi/", env!("CARGO_PKG_VERSION")))
            // Each call runs on a runtime of its own, which a kept connection would not outlive.
            .pool_max_idle_per_host(0)
            .referer(false)
            .build()
            .map_err(|error| Error::Setup(root_of(&error)))?;
        Ok(Self {
            context,
            client,
            netrc: Netrc::load(&settings.environment),
            unread_certificates: trust.warnings,
        })
    }

    /// Fetches an artifact to a temporary file in `dir`.
    ///
    /// # Errors
    /// Where the pinned bytes did not arrive; nothing of what did stays.
    pub(crate) fn artifact(
        &self,
        address: &WebAddress,
        artifact: &Artifact,
        dir: &Path,
    ) -> Result<Verified, Error> {
        let address = address.clone().with_netrc(&self.netrc);
        let intake = Intake::create(dir, artifact).map_err(|error| cant_write(dir, error))?;
        let mut transfer = Transfer {
            downloader: self,
            address: &address,
            artifact,
            dir,
            intake,
            resume: None,
        };
        let reply = self.run(async {
            let mut tries = Tries::of(self.context);
            loop {
                match transfer.attempt().await {
                    Ok(reply) => return Ok(reply),
                    Err(error) => tries.wait_after(error).await?,
                }
            }
        })?;
        let finished = transfer
            .intake
            .finish(artifact)
            .map_err(|error| cant_write(dir, error))?;
        finished.map_err(|mismatch| Error::Mismatch {
            mismatch: mismatch.into(),
            reply: reply.into(),
        })
    }

    /// Fetches a page that names files, in one of the forms that `accept` lists.
    ///
    /// # Errors
    /// Where it did not arrive whole.
    pub(crate) fn page(&self, address: &WebAddress, accept: &'static str) -> Result<Page, Error> {
        let address = address.clone().with_netrc(&self.netrc);
        self.run(async {
            let mut tries = Tries::of(self.context);
            loop {
                match self.attempt_page(&address, accept).await {
                    Ok(page) => return Ok(page),
                    Err(error) => tries.wait_after(error).await?,
                }
            }
        })
    }

    /// Runs one fetch to its end or the deadline, on a runtime that is there for it alone.
    fn run<T>(&self, work: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| Error::Setup(error.to_string()))?;
        let deadline = self.context.deadline.into();
        let result = runtime.block_on(async { tokio::time::timeout_at(deadline, work).await });
        // A name that is still being looked up can't be called off; waiting for it would break the time limits.
        runtime.shutdown_background();
        let limit = self.context.settings.provision.total;
        result.unwrap_or(Err(Error::Deadline { limit }))
    }

    async fn attempt_page(
        &self,
        address: &WebAddress,
        accept: &'static str,
    ) -> Result<Page, Error> {
        let accept = HeaderMap::from_iter([(header::ACCEPT, HeaderValue::from_static(accept))]);
        let mut response = self.send(address, accept).await?;
        if response.status() != StatusCode::OK {
            return Err(refused(response, address).await);
        }
        let mut body = Vec::new();
        loop {
            let chunk = match response.chunk().await {
                Ok(Some(chunk)) => chunk,
                Ok(None) => break,
                Err(error) => return Err(self.failed(error, address, body.len() as u64)),
            };
            if (body.len() + chunk.len()) as u64 > LARGEST_PAGE {
                return Err(Error::TooLarge {
                    most: LARGEST_PAGE,
                    reply: Reply::of(&response, address).into(),
                });
            }
            body.extend_from_slice(&chunk);
        }
        Ok(Page {
            content_type: content_type(&response).unwrap_or_default(),
            url: response.url().clone(),
            body,
        })
    }

    async fn send(&self, address: &WebAddress, headers: HeaderMap) -> Result<Response, Error> {
        let request = self.client.get(address.url().clone()).headers(headers);
        // A redirect to another server leaves the credentials behind.
        let request = match address.credentials() {
            Some(known) => request.basic_auth(&known.user, known.password.as_ref()),
            None => request,
        };
        let sent = request.send().await;
        sent.map_err(|error| self.failed(error, address, 0))
    }

    /// Names what went wrong with a connection.
    fn failed(&self, error: reqwest::Error, address: &WebAddress, received: u64) -> Error {
        let asked = address.host();
        let host = error.url().and_then(Url::host_str).unwrap_or(asked);
        let host = host.to_owned();
        // The address in the error's own text may hold a signature.
        let error = error.without_url();
        let limits = &self.context.settings.provision;
        if let Some(tls) = tls::cause(&error) {
            return if tls::is_unknown_authority(tls) {
                Error::UnknownAuthority {
                    host,
                    unread: self.unread_certificates.clone(),
                }
            } else {
                Error::Tls {
                    host,
                    error: tls.clone(),
                }
            };
        }
        match (error.is_connect(), error.is_timeout()) {
            (true, true) => Error::ConnectTime {
                host,
                limit: limits.connect,
            },
            (false, true) => Error::Silence {
                host,
                limit: limits.idle,
                received,
            },
            (true, false) if !is_reset(&error) => Error::Connect {
                host,
                proxy: proxy_in_force(&self.context.settings.environment, address),
                error,
            },
            _ if error.is_redirect() || error.is_builder() => Error::Setup(root_of(&error)),
            _ => Error::Broken {
                host,
                received,
                error,
            },
        }
    }
}

/// One artifact on its way from one address, over as many tries as it takes.
struct Transfer<'a> {
    downloader: &'a Downloader<'a>,
    address: &'a WebAddress,
    artifact: &'a Artifact,
    dir: &'a Path,
    intake: Intake,
    /// How the rest can be asked for, if the server said that it can.
    resume: Option<Resume>,
}

/// What a server said about the file that it began to send.
struct Resume {
    /// Tells whether the file is still the same: a strong `ETag`, else the date of its last change.
    validator: Option<HeaderValue>,
}

impl Transfer<'_> {
    /// Asks for what is missing and takes it in.
    async fn attempt(&mut self) -> Result<Reply, Error> {
        let response = self
            .downloader
            .send(self.address, self.range_headers())
            .await?;
        match response.status() {
            StatusCode::OK => self.begin(&response)?,
            StatusCode::PARTIAL_CONTENT if self.continues(&response) => {}
            // The server can't continue where this stopped, so the next try begins again.
            StatusCode::PARTIAL_CONTENT | StatusCode::RANGE_NOT_SATISFIABLE
                if self.resume.take().is_some() =>
            {
                return Err(self.short(None));
            }
            _ => return Err(refused(response, self.address).await),
        }
        self.receive(response).await
    }

    fn range_headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        if let Some(resume) = &self.resume
            && self.intake.written() > 0
        {
            let range = format!("bytes={}-", self.intake.written());
            let range = HeaderValue::try_from(range).expect("digits are a header value");
            headers.insert(header::RANGE, range);
            if let Some(validator) = &resume.validator {
                headers.insert(header::IF_RANGE, validator.clone());
            }
        }
        headers
    }

    /// The whole file comes, from its first byte.
    fn begin(&mut self, response: &Response) -> Result<(), Error> {
        self.intake
            .restart()
            .map_err(|error| cant_write(self.dir, error))?;
        self.resume = Resume::offered_by(response.headers());
        Ok(())
    }

    /// Whether a partial answer begins at the first byte that is missing.
    fn continues(&self, response: &Response) -> bool {
        let range = response
            .headers()
            .get(header::CONTENT_RANGE)
            .and_then(|value| value.to_str().ok());
        let start = range
            .and_then(|range| range.strip_prefix("bytes "))
            .and_then(|range| range.split('-').next())
            .and_then(|start| start.parse().ok());
        self.intake.written() > 0 && start == Some(self.intake.written())
    }

    async fn receive(&mut self, mut response: Response) -> Result<Reply, Error> {
        let announced = response
            .content_length()
            .map(|rest| self.intake.written() + rest);
        if announced.is_some_and(|announced| announced > self.intake.most()) {
            let head = response.chunk().await.ok().flatten().unwrap_or_default();
            return Err(self.too_large(&response, &head));
        }
        let total = announced.or(self.artifact.size);
        let progress = self.downloader.context.progress;
        loop {
            progress.bytes(self.intake.written(), total);
            let chunk = match response.chunk().await {
                Ok(Some(chunk)) => chunk,
                Ok(None) => break,
                Err(error) => {
                    let received = self.intake.written();
                    return Err(self.downloader.failed(error, self.address, received));
                }
            };
            match self.intake.take(&chunk) {
                Ok(()) => {}
                Err(IntakeError::TooLarge { .. }) => {
                    let head = match self.intake.head() {
                        [] => &chunk,
                        head => head,
                    };
                    return Err(self.too_large(&response, head));
                }
                Err(IntakeError::Io(error)) => return Err(cant_write(self.dir, error)),
            }
        }
        // Without an announced length, the end of the connection is the end of the file, wherever it broke.
        if announced.is_none() && total.is_some_and(|total| self.intake.written() < total) {
            return Err(self.short(total));
        }
        Ok(Reply {
            size: Some(self.intake.written()),
            ..Reply::of(&response, self.address)
        })
    }

    fn short(&self, expected: Option<u64>) -> Error {
        Error::Short {
            host: self.address.host().to_owned(),
            received: self.intake.written(),
            expected,
        }
    }

    fn too_large(&self, response: &Response, head: &[u8]) -> Error {
        let mut reply = Reply::of(response, self.address);
        reply.page |= begins_like_a_page(head);
        Error::TooLarge {
            most: self.intake.most(),
            reply: reply.into(),
        }
    }
}

impl Resume {
    fn offered_by(headers: &HeaderMap) -> Option<Self> {
        let ranges = headers.get(header::ACCEPT_RANGES);
        if ranges.is_some_and(|value| value == "none") {
            return None;
        }
        let strong = |tag: &&HeaderValue| !tag.as_bytes().starts_with(b"W/");
        let validator = headers
            .get(header::ETAG)
            .filter(strong)
            .or_else(|| headers.get(header::LAST_MODIFIED))
            .cloned();
        (validator.is_some() || ranges.is_some()).then_some(Self { validator })
    }
}

/// Counts the tries at one address and waits between them.
struct Tries<'a> {
    context: Context<'a>,
    made: u32,
}

impl<'a> Tries<'a> {
    fn of(context: Context<'a>) -> Self {
        Self { context, made: 0 }
    }

    /// Waits until the next try.
    ///
    /// # Errors
    /// The error itself where another try can't help, is one too many, or would come too late.
    async fn wait_after(&mut self, error: Error) -> Result<(), Error> {
        self.made += 1;
        if !error.is_transient() {
            return Err(error);
        }
        let wait = error
            .retry_after()
            .unwrap_or(FIRST_WAIT * 2_u32.pow(self.made - 1));
        let too_late = wait > LONGEST_WAIT || Instant::now() + wait >= self.context.deadline;
        if self.made >= DOWNLOAD_TRIES || too_late {
            return Err(match self.made {
                1 => error,
                tries => Error::GaveUp {
                    tries,
                    last: Box::new(error),
                },
            });
        }
        self.context
            .progress
            .note(&format!("{error}; trying again in {} s", seconds(wait)));
        tokio::time::sleep(wait).await;
        Ok(())
    }
}

/// Takes an artifact from a file of this machine, as if it had been downloaded.
///
/// # Errors
/// Where the file is missing, can't be read, or is not the pinned one.
pub(crate) fn copy(path: &Path, artifact: &Artifact, dir: &Path) -> Result<Verified, Error> {
    let cant_read = |source: std::io::Error| match source.kind() {
        std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => Error::NoFile,
        _ => Error::Read {
            path: path.to_owned(),
            source,
        },
    };
    let mut file = open_regular(path).map_err(cant_read)?;
    let mut intake = Intake::create(dir, artifact).map_err(|error| cant_write(dir, error))?;
    let reply = |size| Reply {
        address: path.display().to_string(),
        redirected: false,
        status: None,
        content_type: None,
        size,
        page: false,
    };
    let mut buffer = vec![0; COPY_BUFFER];
    loop {
        let count = file.read(&mut buffer).map_err(cant_read)?;
        if count == 0 {
            break;
        }
        match intake.take(&buffer[..count]) {
            Ok(()) => {}
            Err(IntakeError::TooLarge { most }) => {
                let size = file.metadata().ok().map(|metadata| metadata.len());
                return Err(Error::TooLarge {
                    most,
                    reply: reply(size).into(),
                });
            }
            Err(IntakeError::Io(error)) => return Err(cant_write(dir, error)),
        }
    }
    let size = intake.written();
    let finished = intake
        .finish(artifact)
        .map_err(|error| cant_write(dir, error))?;
    finished.map_err(|mismatch| Error::Mismatch {
        mismatch: mismatch.into(),
        reply: reply(Some(size)).into(),
    })
}

impl Reply {
    /// What `asked` was answered with.
    fn of(response: &Response, asked: &WebAddress) -> Self {
        let content_type = content_type(response);
        Self {
            address: shown(response.url()),
            redirected: response.url() != asked.url(),
            status: Some(response.status()),
            page: content_type.as_deref().is_some_and(is_page),
            content_type,
            size: response.content_length(),
        }
    }
}

/// Reads enough of an answer that is no file to say what it is.
async fn refused(mut response: Response, address: &WebAddress) -> Error {
    let mut reply = Reply::of(&response, address);
    let retry_after = retry_after(response.headers(), SystemTime::now());
    let mut size = 0;
    let mut head = Vec::new();
    // A server in trouble is asked again soon; only a lasting refusal is worth a look at its words.
    while reply.status.is_some_and(|status| status.is_client_error()) && size < LARGEST_REFUSAL {
        let Ok(Some(chunk)) = response.chunk().await else {
            break;
        };
        size += chunk.len() as u64;
        if head.is_empty() {
            head.extend_from_slice(&chunk);
        }
    }
    reply.size = reply.size.or(Some(size));
    // Object stores refuse with XML, which begins the same way but is not for people.
    let is_xml = head.trim_ascii_start().starts_with(b"<?xml");
    reply.page |= reply.content_type.is_none() && begins_like_a_page(&head) && !is_xml;
    Error::Refused {
        reply: reply.into(),
        retry_after,
    }
}

/// How long a server asks to be left alone: seconds, or a date.
fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let value = headers.get(header::RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = httpdate::parse_http_date(value).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

fn content_type(response: &Response) -> Option<String> {
    let value = response
        .headers()
        .get(header::CONTENT_TYPE)?
        .to_str()
        .ok()?;
    Some(value.to_owned())
}

fn is_page(content_type: &str) -> bool {
    let kind = content_type.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("text/html") || kind.eq_ignore_ascii_case("application/xhtml+xml")
}

/// Whether the other side broke a connection that it had taken.
fn is_reset(error: &reqwest::Error) -> bool {
    use std::io::ErrorKind;
    let mut next = std::error::Error::source(error);
    while let Some(error) = next {
        if let Some(io) = error.downcast_ref::<std::io::Error>() {
            return matches!(
                io.kind(),
                ErrorKind::ConnectionReset
                    | ErrorKind::ConnectionAborted
                    | ErrorKind::BrokenPipe
                    | ErrorKind::UnexpectedEof
            );
        }
        next = error.source();
    }
    false
}

/// The variable that sends requests to this address through a proxy, as far as that can be told from its name alone.
fn proxy_in_force(environment: &Environment, address: &WebAddress) -> Option<&'static str> {
    let names: &[&'static str] = match address.url().scheme() {
        "https" => &["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"],
        _ => &["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"],
    };
    let set = |name: &&&str| environment.get(name).is_some();
    names.iter().find(set).copied()
}

/// How a limit is raised.
fn raising(key: &str) -> String {
    format!("`{}` sets this limit, in seconds", variable(key))
}

/// What is said where uv does not fit.
pub(crate) fn no_room(dir: &Path) -> String {
    format!(
        "no space is left in `{}`: uv and its archive take about 100 MB",
        dir.display()
    )
}

fn cant_write(dir: &Path, source: std::io::Error) -> Error {
    if is_full(&source) {
        return Error::NoRoom {
            dir: dir.to_owned(),
        };
    }
    Error::Write {
        dir: dir.to_owned(),
        source,
    }
}

/// The innermost error's own words; the layers above it say nothing that a person could use.
fn root_of(error: &reqwest::Error) -> String {
    let mut innermost: &dyn std::error::Error = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}

fn seconds(duration: Duration) -> String {
    format!("{}", duration.as_secs_f64())
}

fn of_expected(expected: Option<u64>) -> String {
    expected.map_or_else(String::new, |expected| format!(" of {expected}"))
}

fn mismatch_text(mismatch: &Mismatch, reply: &Reply) -> String {
    let reply = Reply {
        page: reply.page || mismatch.page,
        ..reply.clone()
    };
    format!(
        "`{}` is not the pinned file\n  expected sha256: {}\n  computed sha256: {}\n  {reply}",
        mismatch.file, mismatch.expected, mismatch.computed
    )
}

/// The address itself stands beside this text already, so it is named only where it is another one.
fn refusal_text(reply: &Reply) -> String {
    let who = if reply.redirected {
        format!("`{}`, where a redirect led,", reply.address)
    } else {
        "the server".to_owned()
    };
    format!("{who} {}", Answer(reply))
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {}", self.address, Answer(self))
    }
}

/// Shows what was answered, without who did.
struct Answer<'a>(&'a Reply);

impl fmt::Display for Answer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reply = self.0;
        match reply.status {
            Some(status) => write!(f, "answered {status}")?,
            None => f.write_str("was read")?,
        }
        let size = reply.size.filter(|size| *size > 0);
        let size = size.map(|size| format!("{size} bytes"));
        let details: Vec<&str> = reply
            .content_type
            .as_deref()
            .into_iter()
            .chain(size.as_deref())
            .collect();
        if !details.is_empty() {
            write!(f, " ({})", details.join(", "))?;
        }
        if reply.page {
            f.write_str(", which looks like a proxy or sign-in page")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| {
                (
                    header::HeaderName::from_static(name),
                    HeaderValue::from_static(value),
                )
            })
            .collect()
    }

    #[test]
    fn a_server_may_ask_for_time_in_seconds_or_by_date() {
        let now = httpdate::parse_http_date("Wed, 21 Oct 2015 07:28:00 GMT").expect("a date");
        let asked = |value| retry_after(&headers(&[("retry-after", value)]), now);
        assert_eq!(asked("7"), Some(Duration::from_secs(7)));
        assert_eq!(
            asked("Wed, 21 Oct 2015 07:28:30 GMT"),
            Some(Duration::from_secs(30))
        );
        assert_eq!(asked("Wed, 21 Oct 2015 07:00:00 GMT"), Some(Duration::ZERO));
        assert_eq!(asked("soon"), None);
    }

    #[test]
    fn a_rest_is_asked_for_where_the_server_can_tell_that_the_file_is_the_same() {
        let offered = |pairs: &[_]| {
            Resume::offered_by(&headers(pairs)).map(|resume| {
                resume
                    .validator
                    .map(|value| value.to_str().expect("text").to_owned())
            })
        };
        assert_eq!(offered(&[]), None);
        assert_eq!(offered(&[("accept-ranges", "bytes")]), Some(None));
        assert_eq!(
            offered(&[("accept-ranges", "none"), ("etag", "\"a\"")]),
            None
        );
        assert_eq!(
            offered(&[("etag", "\"a\""), ("last-modified", "then")]),
            Some(Some("\"a\"".to_owned()))
        );
        assert_eq!(
            offered(&[("etag", "W/\"a\""), ("last-modified", "then")]),
            Some(Some("then".to_owned()))
        );
    }

    #[test]
    fn a_refusal_of_one_file_is_told_from_a_server_that_serves_none() {
        let refused = |status, page| Error::Refused {
            reply: Reply {
                address: "http://host/uv.zip".to_owned(),
                redirected: page,
                status: Some(status),
                content_type: None,
                size: Some(8192),
                page,
            }
            .into(),
            retry_after: None,
        };
        assert!(!refused(StatusCode::NOT_FOUND, true).is_of_server());
        assert!(!refused(StatusCode::FORBIDDEN, true).is_of_server());
        assert!(refused(StatusCode::PROXY_AUTHENTICATION_REQUIRED, true).is_of_server());
        assert!(refused(StatusCode::SERVICE_UNAVAILABLE, false).is_transient());
        assert!(!refused(StatusCode::UNAUTHORIZED, false).is_transient());
        assert_eq!(
            refused(StatusCode::FORBIDDEN, true).to_string(),
            "`http://host/uv.zip`, where a redirect led, answered 403 Forbidden (8192 bytes), \
             which looks like a proxy or sign-in page"
        );
        assert_eq!(
            refused(StatusCode::NOT_FOUND, false).to_string(),
            "the server answered 404 Not Found (8192 bytes)"
        );
    }
}
