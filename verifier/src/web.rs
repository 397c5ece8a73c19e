//! Files of a log by HTTP or HTTPS: GET, redirects, and the certificates that this machine trusts.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::fault::{input, unavailable, Result};

/// Longest wait for a connection, and for the next bytes.
const SECONDS: Duration = Duration::from_secs(30);
/// Longest time that one file takes, however it arrives.
const WHOLE: Duration = Duration::from_secs(300);
const REDIRECTS_MAX: usize = 5;
const LINE_MAX: u64 = 16_384;
const HEADERS_MAX: usize = 100;

/// Where the certificates of authorities are on usual systems.
const BUNDLES: [&str; 4] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
];

trait Stream: Read + Write + Send {}
impl<T: Read + Write + Send> Stream for T {}

struct Connection {
    server: String,
    stream: BufReader<Box<dyn Stream>>,
    until: Until,
}

/// When what is being read has to be whole.
type Until = Arc<Mutex<Instant>>;

/// A connection that fails when its time is over, also if bytes go on arriving one by one.
struct Timed {
    stream: TcpStream,
    until: Until,
}

impl Timed {
    fn left(&self) -> std::io::Result<Duration> {
        let until = *self.until.lock().map_err(|_| std::io::ErrorKind::Other)?;
        match until.saturating_duration_since(Instant::now()) {
            Duration::ZERO => Err(std::io::Error::other("what it sends takes too long")),
            left => Ok(left.min(SECONDS)),
        }
    }
}

impl Read for Timed {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        self.stream.set_read_timeout(Some(self.left()?))?;
        self.stream.read(bytes)
    }
}

impl Write for Timed {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.stream.set_write_timeout(Some(self.left()?))?;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.stream.flush()
    }
}

#[derive(Clone)]
struct Address {
    is_secure: bool,
    host: String,
    port: u16,
    path: String,
}

/// Asks a server for files under a URL.
pub struct Web {
    prefix: String,
    whole: Duration,
    open: RefCell<Option<Connection>>,
    secure: RefCell<Option<Arc<ClientConfig>>>,
}

impl Web {
    pub fn new(url: &str) -> Result<Web> {
        let prefix = url.trim_end_matches('/').to_string();
        Address::parse(&prefix)?;
        Ok(Web { prefix, whole: WHOLE, open: RefCell::new(None), secure: RefCell::new(None) })
    }

    /// Get a file, at most one byte longer than a bound; `None` if the server has none.
    pub fn get(&self, path: &str, bytes_max: usize) -> Result<Option<Vec<u8>>> {
        let mut url = format!("{}/{path}", self.prefix);
        for _ in 0..=REDIRECTS_MAX {
            let address = Address::parse(&url)?;
            // A server may have closed a connection that was kept: then another one is opened.
            let kept = self.open.borrow_mut().take().filter(|one| one.server == address.server());
            let answer = match kept.map(|connection| self.ask(connection, &address, bytes_max)) {
                Some(Ok(answer)) => answer,
                _ => {
                    let connection = self.connect(&address)?;
                    self.ask(connection, &address, bytes_max).map_err(|error| {
                        unavailable(format!("{url} can't be read ({error}): try again later"))
                    })?
                }
            };
            match answer {
                Answer::Content(content) => return Ok(Some(content)),
                Answer::Missing => return Ok(None),
                Answer::Elsewhere(place) => url = address.joined(&place),
                Answer::Refused(status) => {
                    let text = format!("{url} answers {status}: try again later");
                    return Err(unavailable(text));
                }
            }
        }
        Err(unavailable(format!("{url} redirects too often")))
    }

    fn connect(&self, address: &Address) -> Result<Connection> {
        use std::net::ToSocketAddrs;
        let failed = |error: std::io::Error| {
            unavailable(format!("{} can't be reached ({error}): try again later", address.host))
        };
        let places = (address.host.as_str(), address.port).to_socket_addrs().map_err(failed)?;
        let mut cause = std::io::Error::other("it has no address");
        let mut found = None;
        for place in places {
            match TcpStream::connect_timeout(&place, SECONDS) {
                Ok(stream) => {
                    found = Some(stream);
                    break;
                }
                Err(error) => cause = error,
            }
        }
        let stream = found.ok_or(cause).map_err(failed)?;
        stream.set_nodelay(true).map_err(failed)?;
        let until = Arc::new(Mutex::new(Instant::now() + self.whole));
        let stream = Timed { stream, until: until.clone() };
        let stream: Box<dyn Stream> = if address.is_secure {
            let name = ServerName::try_from(address.host.clone())
                .map_err(|_| input(format!("{} is no name of a server", address.host)))?;
            let client = ClientConnection::new(self.config()?, name)
                .map_err(|error| unavailable(error.to_string()))?;
            Box::new(StreamOwned::new(client, stream))
        } else {
            Box::new(stream)
        };
        Ok(Connection { server: address.server(), stream: BufReader::new(stream), until })
    }

    fn config(&self) -> Result<Arc<ClientConfig>> {
        if let Some(config) = &*self.secure.borrow() {
            return Ok(config.clone());
        }
        let mut roots = RootCertStore::empty();
        let named = std::env::var("SSL_CERT_FILE").ok();
        let pem = named
            .iter()
            .map(String::as_str)
            .chain(BUNDLES.into_iter().filter(|_| named.is_none()))
            .find_map(|path| std::fs::read_to_string(path).ok())
            .ok_or_else(|| {
                input("no certificates of authorities were found: name a file with SSL_CERT_FILE")
            })?;
        let certificates: Vec<CertificateDer> = crate::stamp::read_roots(&pem)
            .map_err(|what| input(format!("SSL_CERT_FILE: {what}")))?;
        roots.add_parsable_certificates(certificates);
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| unavailable(error.to_string()))?
            .with_root_certificates(roots)
            .with_no_client_auth();
        let config = Arc::new(config);
        *self.secure.borrow_mut() = Some(config.clone());
        Ok(config)
    }

    fn ask(
        &self, mut connection: Connection, address: &Address, bytes_max: usize,
    ) -> std::io::Result<Answer> {
        if let Ok(mut until) = connection.until.lock() {
            *until = Instant::now() + self.whole;
        }
        let stream = &mut connection.stream;
        let request = format!(
            "GET {} HTTP/1.1\r\nHost: {}\r\nAccept-Encoding: identity\r\nUser-Agent: gameledger-verify\r\n\r\n",
            address.path,
            address.host_and_port(),
        );
        stream.get_mut().write_all(request.as_bytes())?;
        stream.get_mut().flush()?;
        let status = line(stream)?;
        let code: u16 = status.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        let mut headers = Vec::new();
        loop {
            let header = line(stream)?;
            if header.is_empty() {
                break;
            }
            if headers.len() == HEADERS_MAX {
                return Err(std::io::Error::other("too many headers"));
            }
            let (name, value) = header.split_once(':').unwrap_or((&header, ""));
            headers.push((name.to_ascii_lowercase(), value.trim().to_string()));
        }
        let header = |wanted: &str| {
            headers.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str())
        };
        match code {
            200 => {}
            404 | 410 => return Ok(Answer::Missing),
            301 | 302 | 303 | 307 | 308 => {
                return Ok(Answer::Elsewhere(header("location").unwrap_or("").to_string()))
            }
            _ => return Ok(Answer::Refused(status)),
        }
        if header("content-encoding").is_some_and(|encoding| encoding != "identity") {
            return Err(std::io::Error::other("it is compressed, which was not asked for"));
        }
        let is_chunked = header("transfer-encoding").is_some_and(|value| value == "chunked");
        let length = header("content-length").and_then(|value| value.parse::<u64>().ok());
        let most = bytes_max as u64 + 1;
        let mut content = Vec::new();
        if is_chunked {
            read_chunks(stream, most, &mut content)?;
        } else if let Some(length) = length {
            stream.by_ref().take(length.min(most)).read_to_end(&mut content)?;
            if (content.len() as u64) < length.min(most) {
                return Err(std::io::Error::other("what it sends was cut off"));
            }
        } else {
            stream.by_ref().take(most).read_to_end(&mut content)?;
        }
        let is_kept = !header("connection")
            .is_some_and(|value| value.eq_ignore_ascii_case("close"))
            && status.starts_with("HTTP/1.1")
            && (is_chunked || length == Some(content.len() as u64));
        if is_kept && content.len() as u64 != most {
            *self.open.borrow_mut() = Some(connection);
        }
        Ok(Answer::Content(content))
    }
}

enum Answer {
    Content(Vec<u8>),
    Missing,
    Elsewhere(String),
    Refused(String),
}

fn line(stream: &mut impl BufRead) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    stream.take(LINE_MAX).read_until(b'\n', &mut bytes)?;
    if bytes.last() != Some(&b'\n') {
        return Err(std::io::Error::other("its answer was cut off"));
    }
    Ok(String::from_utf8_lossy(&bytes).trim_end().to_string())
}

fn read_chunks(stream: &mut impl BufRead, most: u64, content: &mut Vec<u8>) -> std::io::Result<()> {
    loop {
        let header = line(stream)?;
        let digits = header.split(';').next().unwrap_or("").trim();
        let size = u64::from_str_radix(digits, 16)
            .map_err(|_| std::io::Error::other("its answer is in no chunks"))?;
        if size == 0 {
            while !line(stream)?.is_empty() {}
            return Ok(());
        }
        let wanted = size.min(most - content.len() as u64);
        let before = content.len();
        stream.by_ref().take(wanted).read_to_end(content)?;
        if ((content.len() - before) as u64) < wanted {
            return Err(std::io::Error::other("what it sends was cut off"));
        }
        if wanted < size || content.len() as u64 == most {
            return Ok(());
        }
        line(stream)?;
    }
}

impl Address {
    fn parse(url: &str) -> Result<Address> {
        let wrong = || {
            input(format!("{url} is no address of a log: http or https, host and path, in ASCII"))
        };
        let (scheme, rest) = url.split_once("://").ok_or_else(wrong)?;
        let is_secure = scheme.eq_ignore_ascii_case("https");
        if !is_secure && !scheme.eq_ignore_ascii_case("http") {
            return Err(wrong());
        }
        if !url.bytes().all(|sign| sign.is_ascii_graphic()) {
            return Err(wrong());
        }
        let (server, path) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
        if server.contains('@') {
            return Err(wrong());
        }
        let port = if is_secure { 443 } else { 80 };
        let (host, port) = match server.rsplit_once(':') {
            Some((host, digits)) if !server.ends_with(']') => {
                (host, digits.parse().map_err(|_| wrong())?)
            }
            _ => (server, port),
        };
        let host = host.trim_start_matches('[').trim_end_matches(']').to_string();
        if host.is_empty() || port == 0 {
            return Err(wrong());
        }
        let path = if path.is_empty() { "/" } else { path };
        Ok(Address { is_secure, host, port, path: path.to_string() })
    }

    fn server(&self) -> String {
        format!("{}://{}", if self.is_secure { "https" } else { "http" }, self.host_and_port())
    }

    fn host_and_port(&self) -> String {
        let host =
            if self.host.contains(':') { format!("[{}]", self.host) } else { self.host.clone() };
        let usual = if self.is_secure { 443 } else { 80 };
        if self.port == usual {
            host
        } else {
            format!("{host}:{}", self.port)
        }
    }

    fn joined(&self, place: &str) -> String {
        if place.contains("://") {
            return place.to_string();
        }
        if place.starts_with('/') {
            return format!("{}{place}", self.server());
        }
        let folder = self.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        format!("{}{folder}/{place}", self.server())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_sends_byte_by_byte_is_left() {
        let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = server.local_addr().unwrap();
        std::thread::spawn(move || {
            for mut stream in server.incoming().flatten() {
                while stream.write_all(b"H").is_ok() {
                    std::thread::sleep(Duration::from_millis(20));
                }
            }
        });
        let mut web = Web::new(&format!("http://{address}/log")).unwrap();
        web.whole = Duration::from_millis(200);
        let began = Instant::now();
        assert!(web.get("checkpoint", 1000).is_err());
        assert!(began.elapsed() < SECONDS);
    }
}
