//! Servers on loopback that misbehave on request.
//!
//! Each runs on threads of its own, on a port that the system chose, and stops when it is dropped: open connections
//! are shut, so that a stalled answer keeps no thread.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

/// How long a server waits for its client.
const PATIENCE: Duration = Duration::from_secs(20);

/// How a reply's body goes over the wire.
#[derive(Clone)]
enum Delivery {
    Whole,
    /// No answer at all: the connection closes.
    HangUp,
    /// So many bytes of what was announced, then the connection closes.
    Short(usize),
    /// So many bytes, then silence.
    Stall(usize),
    /// Pieces of so many bytes with a pause before each.
    Drip(usize, Duration),
    /// So many bytes; the rest once the gate is open.
    Held(usize, Gate),
}

/// Holds replies back until it is opened.
#[derive(Clone, Default)]
pub(crate) struct Gate(Arc<AtomicBool>);

impl Gate {
    pub(crate) fn open(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    fn is_open(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

/// What a server answers.
#[derive(Clone)]
pub(crate) struct Reply {
    status: u16,
    headers: Vec<(String, String)>,
    body: Arc<[u8]>,
    delivery: Delivery,
    ranges: bool,
    login: Option<String>,
}

impl Reply {
    /// A file, with an entity tag and answers to range requests.
    pub(crate) fn file(body: impl AsRef<[u8]>) -> Self {
        Self {
            status: 200,
            headers: vec![("Content-Type".into(), "application/octet-stream".into())],
            body: body.as_ref().into(),
            delivery: Delivery::Whole,
            ranges: true,
            login: None,
        }
    }

    /// A status with a few words of plain text.
    pub(crate) fn status(status: u16) -> Self {
        Self {
            status,
            body: format!("this is status {status}\n").into_bytes().into(),
            ranges: false,
            ..Self::file([]).content_type("text/plain")
        }
    }

    /// A page for people, such as a sign-in page.
    pub(crate) fn html(body: &str) -> Self {
        Self {
            ranges: false,
            ..Self::file(body.as_bytes()).content_type("text/html; charset=utf-8")
        }
    }

    /// Elsewhere.
    pub(crate) fn redirect(location: &str) -> Self {
        Self::status(302).header("Location", location)
    }

    /// Closes the connection without a word.
    pub(crate) fn hang_up() -> Self {
        Self::file([]).delivered(Delivery::HangUp)
    }

    pub(crate) fn with_status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    pub(crate) fn content_type(mut self, value: &str) -> Self {
        self.headers.retain(|(name, _)| name != "Content-Type");
        self.header("Content-Type", value)
    }

    /// Sends this share of the body and closes, although all of it was announced.
    pub(crate) fn short(self, share: f64) -> Self {
        let at = self.share(share);
        self.delivered(Delivery::Short(at))
    }

    /// Sends this share of the body and is silent from then on.
    pub(crate) fn stall(self, share: f64) -> Self {
        let at = self.share(share);
        self.delivered(Delivery::Stall(at))
    }

    /// Sends the body in pieces with a pause before each.
    pub(crate) fn drip(self, piece: usize, pause: Duration) -> Self {
        self.delivered(Delivery::Drip(piece, pause))
    }

    /// Sends this share of the body, and the rest once the gate is open.
    pub(crate) fn held(self, share: f64, gate: &Gate) -> Self {
        let at = self.share(share);
        self.delivered(Delivery::Held(at, gate.clone()))
    }

    /// Knows nothing of ranges.
    pub(crate) fn without_ranges(mut self) -> Self {
        self.ranges = false;
        self
    }

    /// Demands basic authentication with this name and password.
    pub(crate) fn behind_login(mut self, name: &str, password: &str) -> Self {
        self.login = Some(format!("Basic {}", base64(&format!("{name}:{password}"))));
        self
    }

    fn delivered(mut self, delivery: Delivery) -> Self {
        self.delivery = delivery;
        self
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a share of a test's file"
    )]
    fn share(&self, share: f64) -> usize {
        (self.body.len() as f64 * share) as usize
    }

    fn etag(&self) -> String {
        // Good enough for files of one test: FNV-1a over the content.
        let hash = self
            .body
            .iter()
            .fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
                (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3)
            });
        format!("\"{hash:016x}\"")
    }

    fn send(&self, request: &Request, stream: &mut dyn Write, stop: &AtomicBool) -> io::Result<()> {
        if let Some(login) = &self.login
            && request.header("authorization") != Some(login)
        {
            return Self::status(401)
                .header("WWW-Authenticate", "Basic realm=\"test\"")
                .send(request, stream, stop);
        }
        if matches!(self.delivery, Delivery::HangUp) {
            return Ok(());
        }
        let range = self.ranges.then(|| self.range(request)).flatten();
        let (status, from) = range.map_or((self.status, 0), |from| (206, from));
        if from >= self.body.len() && from > 0 {
            return Self::status(416).send(request, stream, stop);
        }
        let body = &self.body[from..];
        let mut head = format!(
            "HTTP/1.1 {status} Whatever\r\nConnection: close\r\nContent-Length: {}\r\n",
            body.len()
        );
        if self.ranges {
            let _ = write!(head, "Accept-Ranges: bytes\r\nETag: {}\r\n", self.etag());
        }
        if status == 206 {
            let total = self.body.len();
            let _ = write!(
                head,
                "Content-Range: bytes {from}-{}/{total}\r\n",
                total - 1
            );
        }
        for (name, value) in &self.headers {
            let _ = write!(head, "{name}: {value}\r\n");
        }
        head += "\r\n";
        stream.write_all(head.as_bytes())?;
        stream.flush()?;
        if request.method == "HEAD" {
            return Ok(());
        }
        self.deliver(body, stream, stop)
    }

    fn deliver(&self, body: &[u8], stream: &mut dyn Write, stop: &AtomicBool) -> io::Result<()> {
        match &self.delivery {
            Delivery::Whole => stream.write_all(body)?,
            Delivery::HangUp => {}
            Delivery::Short(at) => stream.write_all(&body[..body.len().min(*at)])?,
            Delivery::Stall(at) => {
                stream.write_all(&body[..body.len().min(*at)])?;
                stream.flush()?;
                pause_until(stop, || false);
            }
            Delivery::Held(at, gate) => {
                let (now, later) = body.split_at(body.len().min(*at));
                stream.write_all(now)?;
                stream.flush()?;
                pause_until(stop, || gate.is_open());
                stream.write_all(later)?;
            }
            Delivery::Drip(piece, pause) => {
                for piece in body.chunks(*piece) {
                    std::thread::sleep(*pause);
                    if stop.load(Ordering::SeqCst) {
                        break;
                    }
                    stream.write_all(piece)?;
                    stream.flush()?;
                }
            }
        }
        stream.flush()
    }

    /// Where a range request starts, if it is one and its validator still fits.
    fn range(&self, request: &Request) -> Option<usize> {
        let (from, _) = request
            .header("range")?
            .strip_prefix("bytes=")?
            .split_once('-')?;
        let fits = request
            .header("if-range")
            .is_none_or(|validator| validator == self.etag());
        fits.then(|| from.parse().ok()).flatten()
    }
}

fn pause_until(stop: &AtomicBool, done: impl Fn() -> bool) {
    while !stop.load(Ordering::SeqCst) && !done() {
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A request as it arrived.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// Path and query, or what a proxy is asked for.
    pub(crate) target: String,
    /// By name in small letters.
    headers: BTreeMap<String, String>,
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }

    fn path(&self) -> &str {
        self.target.split(['?', '#']).next().unwrap_or_default()
    }

    fn read(stream: &mut impl BufRead) -> io::Result<Option<Self>> {
        let mut line = String::new();
        if stream.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let mut words = line.split_whitespace();
        let (method, target) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        let mut request = Self {
            method: method.to_owned(),
            target: target.to_owned(),
            headers: BTreeMap::new(),
        };
        loop {
            let mut line = String::new();
            if stream.read_line(&mut line)? == 0 || line.trim().is_empty() {
                return Ok(Some(request));
            }
            if let Some((name, value)) = line.split_once(':') {
                request
                    .headers
                    .insert(name.to_ascii_lowercase(), value.trim().to_owned());
            }
        }
    }
}

struct Route {
    replies: Vec<Reply>,
    asked: usize,
}

#[derive(Default)]
struct Shared {
    routes: Mutex<BTreeMap<String, Route>>,
    otherwise: Mutex<Option<Reply>>,
    login: Mutex<Option<(String, String)>>,
    log: Mutex<Vec<Request>>,
    logged: Condvar,
}

/// Accepts connections, a thread each, until it is dropped.
struct Acceptor {
    address: SocketAddr,
    connections: Arc<Connections>,
    thread: Option<JoinHandle<()>>,
}

/// What has to end with the server.
#[derive(Default)]
struct Connections {
    stop: AtomicBool,
    open: Mutex<Vec<TcpStream>>,
}

impl Connections {
    fn add(&self, stream: &TcpStream) {
        if let Ok(other) = stream.try_clone() {
            self.open.lock().unwrap().push(other);
        }
    }
}

impl Acceptor {
    fn start(
        serve: impl Fn(TcpStream, &Connections) -> io::Result<()> + Clone + Send + 'static,
    ) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("loopback has ports");
        let address = listener.local_addr().expect("it is bound");
        let connections = Arc::new(Connections::default());
        let state = Arc::clone(&connections);
        let thread = std::thread::spawn(move || {
            let mut workers = Vec::new();
            for stream in listener.incoming() {
                if state.stop.load(Ordering::SeqCst) {
                    break;
                }
                let Ok(stream) = stream else { continue };
                let _ = stream.set_nodelay(true);
                // A client that neither reads nor closes must not hold the server's end up.
                let _ = stream.set_write_timeout(Some(PATIENCE));
                let _ = stream.set_read_timeout(Some(PATIENCE));
                state.add(&stream);
                let (serve, state) = (serve.clone(), Arc::clone(&state));
                workers.push(std::thread::spawn(move || {
                    // The clone in the list would keep the connection open.
                    let socket = stream.try_clone();
                    // A client that goes away is an everyday thing.
                    let _ = serve(stream, &state);
                    if let Ok(socket) = socket {
                        let _ = socket.shutdown(Shutdown::Both);
                    }
                }));
            }
            for worker in workers {
                worker.join().expect("a connection's thread panicked");
            }
        });
        Self {
            address,
            connections,
            thread: Some(thread),
        }
    }
}

impl Drop for Acceptor {
    fn drop(&mut self) {
        self.connections.stop.store(true, Ordering::SeqCst);
        // Wakes the thread that accepts.
        let _ = TcpStream::connect(self.address);
        for stream in self.connections.open.lock().unwrap().drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
        let joined = self.thread.take().map(JoinHandle::join);
        if !std::thread::panicking() {
            assert!(matches!(joined, Some(Ok(()))), "a server panicked");
        }
    }
}

/// An HTTP server with scripted replies and a log of requests.
pub(crate) struct Server {
    acceptor: Acceptor,
    shared: Arc<Shared>,
    scheme: &'static str,
}

impl Server {
    /// A server that answers 404 to everything, until routes are added.
    pub(crate) fn new() -> Self {
        Self::start("http", |stream| Ok(Box::new(stream)))
    }

    /// The same over TLS, as `localhost`.
    pub(crate) fn tls(config: Arc<rustls::ServerConfig>) -> Self {
        Self::start("https", move |stream| {
            let connection =
                rustls::ServerConnection::new(Arc::clone(&config)).map_err(io::Error::other)?;
            Ok(Box::new(rustls::StreamOwned::new(connection, stream)))
        })
    }

    fn start(
        scheme: &'static str,
        wrap: impl Fn(TcpStream) -> io::Result<Box<dyn Duplex>> + Clone + Send + 'static,
    ) -> Self {
        let shared = Arc::new(Shared::default());
        let state = Arc::clone(&shared);
        let acceptor = Acceptor::start(move |stream, connections| {
            serve(&state, &mut *wrap(stream)?, &connections.stop)
        });
        Self {
            acceptor,
            shared,
            scheme,
        }
    }

    /// Answers requests for `path` with these replies in turn; the last one repeats.
    pub(crate) fn route(&self, path: &str, replies: impl Into<Vec<Reply>>) -> &Self {
        let route = Route {
            replies: replies.into(),
            asked: 0,
        };
        assert!(!route.replies.is_empty(), "a route needs a reply");
        self.shared
            .routes
            .lock()
            .unwrap()
            .insert(path.to_owned(), route);
        self
    }

    /// Answers every path without a route of its own.
    pub(crate) fn otherwise(&self, reply: Reply) -> &Self {
        *self.shared.otherwise.lock().unwrap() = Some(reply);
        self
    }

    /// Demands basic authentication for everything.
    pub(crate) fn lock_all(&self, name: &str, password: &str) -> &Self {
        *self.shared.login.lock().unwrap() = Some((name.to_owned(), password.to_owned()));
        self
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.acceptor.address
    }

    /// The address of `path` on this server.
    pub(crate) fn url(&self, path: &str) -> String {
        let host = if self.scheme == "https" {
            "localhost"
        } else {
            "127.0.0.1"
        };
        format!("{}://{host}:{}{path}", self.scheme, self.address().port())
    }

    /// The same with a name and a password in it.
    pub(crate) fn url_with_login(&self, login: &str, path: &str) -> String {
        self.url(path).replacen("://", &format!("://{login}@"), 1)
    }

    /// Every request so far.
    pub(crate) fn log(&self) -> Vec<Request> {
        self.shared.log.lock().unwrap().clone()
    }

    /// The requests so far for this path.
    pub(crate) fn asked(&self, path: &str) -> Vec<Request> {
        let mut log = self.log();
        log.retain(|request| request.path() == path);
        log
    }

    /// Waits for the `count`th request.
    #[track_caller]
    pub(crate) fn wait_for_requests(&self, count: usize) {
        let log = self.shared.log.lock().unwrap();
        let (log, waited) = self
            .shared
            .logged
            .wait_timeout_while(log, Duration::from_mins(1), |log| log.len() < count)
            .unwrap();
        assert!(
            !waited.timed_out(),
            "waited for {count} requests and saw {:?}",
            *log
        );
    }
}

trait Duplex: Read + Write {}
impl<T: Read + Write> Duplex for T {}

fn serve(shared: &Shared, stream: &mut dyn Duplex, stop: &AtomicBool) -> io::Result<()> {
    let Some(request) = Request::read(&mut BufReader::new(&mut *stream))? else {
        return Ok(());
    };
    let reply = {
        let mut routes = shared.routes.lock().unwrap();
        match routes.get_mut(request.path()) {
            Some(route) => {
                let nth = route.asked.min(route.replies.len() - 1);
                route.asked += 1;
                route.replies[nth].clone()
            }
            None => {
                (shared.otherwise.lock().unwrap().clone()).unwrap_or_else(|| Reply::status(404))
            }
        }
    };
    let reply = match &*shared.login.lock().unwrap() {
        Some((name, password)) => reply.behind_login(name, password),
        None => reply,
    };
    shared.log.lock().unwrap().push(request.clone());
    shared.logged.notify_all();
    reply.send(&request, stream, stop)
}

/// A forward proxy: takes `GET http://…` and `CONNECT`, and brings all of it to one server, whatever host was named.
pub(crate) struct Proxy {
    acceptor: Acceptor,
    state: Arc<ProxyState>,
}

struct ProxyState {
    target: SocketAddr,
    login: Option<String>,
    log: Mutex<Vec<Request>>,
}

impl Proxy {
    pub(crate) fn to(server: &Server) -> Self {
        Self::start(server, None)
    }

    /// Demands this name and password of its clients.
    pub(crate) fn with_login(server: &Server, name: &str, password: &str) -> Self {
        let login = format!("Basic {}", base64(&format!("{name}:{password}")));
        Self::start(server, Some(login))
    }

    fn start(server: &Server, login: Option<String>) -> Self {
        let state = Arc::new(ProxyState {
            target: server.address(),
            login,
            log: Mutex::default(),
        });
        let own = Arc::clone(&state);
        let acceptor = Acceptor::start(move |stream, connections| own.serve(&stream, connections));
        Self { acceptor, state }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.acceptor.address.port())
    }

    pub(crate) fn url_with_login(&self, login: &str) -> String {
        self.url().replacen("://", &format!("://{login}@"), 1)
    }

    /// Every request so far.
    pub(crate) fn log(&self) -> Vec<Request> {
        self.state.log.lock().unwrap().clone()
    }
}

impl ProxyState {
    fn serve(&self, mut client: &TcpStream, connections: &Connections) -> io::Result<()> {
        let mut reader = BufReader::new(client);
        let Some(request) = Request::read(&mut reader)? else {
            return Ok(());
        };
        self.log.lock().unwrap().push(request.clone());
        if self.login.is_some() && request.header("proxy-authorization") != self.login.as_deref() {
            return Reply::status(407)
                .header("Proxy-Authenticate", "Basic realm=\"test\"")
                .send(&request, &mut client, &connections.stop);
        }
        let mut upstream = TcpStream::connect(self.target)?;
        connections.add(&upstream);
        if request.method == "CONNECT" {
            client.write_all(b"HTTP/1.1 200 Connected\r\n\r\n")?;
        } else {
            upstream.write_all(origin_form(&request).as_bytes())?;
        }
        let (mut from, mut to) = (client.try_clone()?, upstream.try_clone()?);
        let upwards = std::thread::spawn(move || {
            let _ = io::copy(&mut from, &mut to);
            let _ = to.shutdown(Shutdown::Write);
        });
        let downwards = io::copy(&mut upstream, &mut client);
        let _ = client.shutdown(Shutdown::Both);
        let _ = upwards.join();
        downwards.map(|_| ())
    }
}

/// The request as the server behind the proxy wants it.
fn origin_form(request: &Request) -> String {
    let path = request
        .target
        .split_once("://")
        .and_then(|(_, rest)| rest.find('/').map(|slash| &rest[slash..]))
        .unwrap_or("/");
    let mut text = format!("{} {path} HTTP/1.1\r\n", request.method);
    for (name, value) in &request.headers {
        if !name.starts_with("proxy-") {
            let _ = write!(text, "{name}: {value}\r\n");
        }
    }
    text + "\r\n"
}

fn base64(text: &str) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut encoded = String::new();
    for chunk in text.as_bytes().chunks(3) {
        let bits = (0..3).fold(0_u32, |bits, i| {
            (bits << 8) | u32::from(chunk.get(i).copied().unwrap_or(0))
        });
        for i in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * i)) as usize & 63];
            encoded.push(if i <= chunk.len() {
                char::from(letter)
            } else {
                '='
            });
        }
    }
    encoded
}

/// The harness's own tests: a server that behaves where it should misbehave would make every test above it worthless.
mod tests {
    use super::*;

    fn get(server: &Server, target: &str, headers: &str) -> (String, Vec<u8>) {
        let mut stream = TcpStream::connect(server.address()).unwrap();
        stream
            .write_all(format!("GET {target} HTTP/1.1\r\nHost: x\r\n{headers}\r\n").as_bytes())
            .unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let end = answer
            .windows(4)
            .position(|window| window == b"\r\n\r\n")
            .expect("a head");
        let body = answer.split_off(end + 4);
        (String::from_utf8(answer).unwrap(), body)
    }

    #[test]
    fn the_server_answers_in_turn_and_keeps_a_log() {
        let server = Server::new();
        server.route("/a", [Reply::status(503), Reply::file("good")]);
        assert!(get(&server, "/a", "").0.starts_with("HTTP/1.1 503"));
        assert_eq!(get(&server, "/a?x=1", "X-One: 1\r\n").1, b"good");
        assert_eq!(get(&server, "/a", "").1, b"good");
        assert!(get(&server, "/b", "").0.starts_with("HTTP/1.1 404"));
        assert_eq!(server.asked("/a").len(), 3);
        assert_eq!(server.asked("/a")[1].header("x-one"), Some("1"));
    }

    #[test]
    fn the_server_answers_ranges_while_the_validator_fits() {
        let server = Server::new();
        server.route("/a", [Reply::file("0123456789")]);
        let (head, body) = get(&server, "/a", "Range: bytes=4-\r\n");
        assert!(head.contains("206") && head.contains("Content-Range: bytes 4-9/10"));
        assert_eq!(body, b"456789");
        let (head, body) = get(&server, "/a", "Range: bytes=4-\r\nIf-Range: \"other\"\r\n");
        assert!(head.contains("200") && body.len() == 10, "{head}");
    }

    #[test]
    fn the_server_cuts_and_stalls() {
        let server = Server::new();
        server.route("/short", [Reply::file("0123456789").short(0.6)]);
        let (head, body) = get(&server, "/short", "");
        assert!(head.contains("Content-Length: 10"));
        assert_eq!(body, b"012345");
        server.route("/stall", [Reply::file("0123456789").stall(0.9)]);
        let mut stream = TcpStream::connect(server.address()).unwrap();
        stream.write_all(b"GET /stall HTTP/1.1\r\n\r\n").unwrap();
        let mut answer = Vec::new();
        while !answer.ends_with(b"012345678") {
            let mut byte = [0];
            stream.read_exact(&mut byte).expect("nine bytes come");
            answer.push(byte[0]);
        }
        // The stalled connection ends with the server and not before.
        drop(server);
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
        assert_eq!(rest, b"");
    }

    #[test]
    fn the_server_asks_for_a_login() {
        let server = Server::new();
        server.route("/a", [Reply::file("in").behind_login("me", "secret")]);
        assert!(get(&server, "/a", "").0.contains("401"));
        let login = "Authorization: Basic bWU6c2VjcmV0\r\n";
        assert_eq!(get(&server, "/a", login).1, b"in");
    }

    #[test]
    fn the_proxy_forwards_to_its_server() {
        let server = Server::new();
        server.route("/a", [Reply::file("behind")]);
        let proxy = Proxy::to(&server);
        let mut stream = TcpStream::connect(proxy.acceptor.address).unwrap();
        stream
            .write_all(b"GET http://nowhere.invalid/a HTTP/1.1\r\n\r\n")
            .unwrap();
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        assert!(answer.ends_with("behind"), "{answer}");
        assert_eq!(proxy.log()[0].target, "http://nowhere.invalid/a");
        let mut tunnel = TcpStream::connect(proxy.acceptor.address).unwrap();
        tunnel
            .write_all(b"CONNECT nowhere.invalid:443 HTTP/1.1\r\n\r\n")
            .unwrap();
        let mut reader = BufReader::new(tunnel.try_clone().unwrap());
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        assert!(line.contains("200"), "{line}");
        reader.read_line(&mut line).unwrap();
        tunnel.write_all(b"GET /a HTTP/1.1\r\n\r\n").unwrap();
        let mut answer = String::new();
        let _ = reader.read_to_string(&mut answer);
        assert!(answer.ends_with("behind"), "{answer}");
    }
}
