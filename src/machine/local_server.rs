//! What a local server needs of the machine: a listener, random keys, clock and signals, and the
//! person's browser.
//!
//! Invariant: it listens on 127.0.0.1 and nowhere else; on Linux, connections of other accounts of
//! the machine are refused, because the kernel tells who owns a connection.

use super::{context::Context, files, keyring, platform, process::Process};
use std::{
    io,
    net::{Ipv4Addr, SocketAddr, TcpListener},
    path::Path,
    time::{Duration, Instant},
};
use tokio::net::TcpStream;

/// The pause after a connection could not be accepted.
const PAUSE: Duration = Duration::from_millis(100);

pub struct LocalServer {
    listener: TcpListener,
    port: u16,
}

impl LocalServer {
    /// `port` 0 takes a free one.
    pub fn bind(port: u16) -> io::Result<LocalServer> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        Ok(LocalServer { listener, port })
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// Begins to accept. Only inside a runtime.
    pub fn listen(self) -> io::Result<Connections> {
        tokio::net::TcpListener::from_std(self.listener).map(Connections)
    }
}

/// The connections of this account, one after the other.
pub struct Connections(tokio::net::TcpListener);

impl Connections {
    pub async fn next(&self) -> TcpStream {
        loop {
            match self.0.accept().await {
                Ok((stream, peer)) if is_of_this_account(&stream, peer) => return stream,
                Ok(_) => {}
                // The machine's error, such as too many open files.
                Err(_) => tokio::time::sleep(PAUSE).await,
            }
        }
    }
}

/// 32 random bytes as hexadecimal digits.
pub fn secret() -> io::Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Counts from its start, whatever happens to the time of day.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    pub fn start() -> Stopwatch {
        Stopwatch(Instant::now())
    }

    pub fn age(self) -> Duration {
        self.0.elapsed()
    }
}

/// Whether the other end of a connection belongs to the account that runs this process, or to the
/// administrator. Where the machine does not tell (macOS), it is taken for granted.
fn is_of_this_account(stream: &TcpStream, peer: SocketAddr) -> bool {
    let Ok(own) = stream.local_addr() else { return false };
    let table = |name| files::read_text(Path::new(name)).ok().flatten();
    let Some(ipv4) = table("/proc/net/tcp") else { return true };
    let ipv6 = table("/proc/net/tcp6").unwrap_or_default();
    let account = platform::account();
    let owner = ipv4.lines().chain(ipv6.lines()).find_map(|line| owner(line, peer, own));
    owner.is_some_and(|owner| Some(owner) == account || owner == 0)
}

/// As the kernel numbers the states of a connection.
const ESTABLISHED: &str = "01";

/// The account of the socket that a line of `/proc/net/tcp` is about, if it is the one that
/// connects `from` to `to`.
fn owner(line: &str, from: SocketAddr, to: SocketAddr) -> Option<u32> {
    let mut columns = line.split_ascii_whitespace().skip(1);
    let is_there = columns.next()?.ends_with(&endpoint(from)?);
    let is_here = columns.next()?.ends_with(&endpoint(to)?);
    // One that was closed no longer has an owner.
    let is_open = columns.next()? == ESTABLISHED;
    let account = columns.nth(3)?.parse().ok()?;
    let is_held = columns.nth(1)? != "0";
    (is_there && is_here && is_open && is_held).then_some(account)
}

/// As the kernel writes it: `0100007F:1F90`. An IPv6 socket has the same at its end.
fn endpoint(address: SocketAddr) -> Option<String> {
    let SocketAddr::V4(address) = address else { return None };
    let bytes = u32::from_ne_bytes(address.ip().octets());
    Some(format!("{bytes:08X}:{:04X}", address.port()))
}

/// Returns at Ctrl-C, when the terminal goes, or when the process is asked to end.
pub async fn interrupted() -> io::Result<()> {
    platform::interrupted().await
}

/// Opens an address in the person's browser; whether there is one. A browser in the terminal would
/// take the terminal over, so it needs a desktop.
pub fn open_browser(context: &Context, address: &str) -> bool {
    if !keyring::has_desktop(context) {
        return false;
    }
    if cfg!(target_os = "linux") {
        return Process::new(platform::OPENER).arg(address).detached().is_ok();
    }
    // Other accounts see the arguments of programs, and connect as this one does.
    let file = context.config_dir.join("local/open.html");
    let page = format!("<meta http-equiv=\"refresh\" content=\"0;url={address}\">");
    let is_written = files::write_private(&file, page.as_bytes()).is_ok();
    is_written && Process::new(platform::OPENER).arg(&file).detached().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_tells_whose_connection_it_is() {
        let address = |text: &str| text.parse::<SocketAddr>().expect("an address");
        let (from, to) = (address("127.0.0.1:40000"), address("127.0.0.1:8080"));
        let line =
            "  12: 0100007F:9C40 0100007F:1F90 01 00000000:00000000 02:000A 00000000  1000  0 55";
        let mapped = line.replace("0100007F", "0000000000000000FFFF00000100007F");
        assert_eq!(owner(line, from, to), Some(1000));
        assert_eq!(owner(&mapped, from, to), Some(1000));
        assert_eq!(owner(line, to, from), None);
        // Closed by its owner: the kernel says 0.
        let closed = line.replace(" 01 ", " 05 ").replace(" 1000 ", " 0 ");
        assert_eq!(owner(&closed, from, to), None);
        assert_eq!(owner(&line.replace(" 0 55", " 0 0"), from, to), None);
        assert_eq!(owner(line, address("127.0.0.1:40001"), to), None);
        assert_eq!(owner("  sl  local_address rem_address   st", from, to), None);
        assert_eq!(owner("", from, to), None);
    }
}
