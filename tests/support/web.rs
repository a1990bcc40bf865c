//! A browser without a window: HTTP to the real server of `co web`, byte by byte.

use super::Laptop;
use serde_json::Value;
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Stdio},
    time::Duration,
};

pub struct Site {
    pub child: Child,
    pub port: u16,
    /// The address that was printed.
    pub address: String,
    /// What the key was exchanged for.
    pub token: String,
    pub output: BufReader<std::process::ChildStderr>,
}

/// An answer: its status (0 if nobody listens), its head as it came, its body.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Site {
    /// A server that was just started, with its key not used yet.
    pub fn start(laptop: &Laptop, options: &[&str]) -> Site {
        let mut command = laptop.command(&[&["web", "--no-open"], options].concat());
        let piped = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = piped.spawn().expect("co runs");
        let mut output = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut line = String::new();
        output.read_line(&mut line).expect("a line");
        let address = line.trim().rsplit(' ').next().unwrap_or_default().to_owned();
        let port =
            address.strip_prefix("http://127.0.0.1:").and_then(|rest| rest.split('/').next());
        let port = port.and_then(|port| port.parse().ok()).unwrap_or_else(|| panic!("{line}"));
        Site { child, port, address, token: String::new(), output }
    }

    /// Past the exchange of its key for a token.
    pub fn entered(laptop: &Laptop, options: &[&str]) -> Site {
        let mut site = Site::start(laptop, options);
        let answer = site.enter(&site.key());
        assert_eq!(answer.status, 200, "{answer:?}");
        site.token = token_of(&answer);
        site
    }

    /// The key in the address that was printed.
    pub fn key(&self) -> String {
        self.address.split_once("/#key=").expect("a key").1.to_owned()
    }

    pub fn enter(&self, key: &str) -> Answer {
        self.call("enter", &serde_json::json!({ "key": key }).to_string())
    }

    pub fn origin(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    pub fn get(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        let host = self.host();
        let mut all = vec![("Host", host.as_str())];
        all.extend(headers);
        self.send("GET", path, &all, "")
    }

    /// A call as the page makes it.
    pub fn call(&self, name: &str, body: &str) -> Answer {
        let (host, origin) = (self.host(), self.origin());
        let bearer = format!("Bearer {}", self.token);
        let headers = [
            ("Host", host.as_str()),
            ("Origin", &origin),
            ("Authorization", &bearer),
            ("Content-Type", "application/json"),
        ];
        self.send("POST", &format!("/api/{name}"), &headers, body)
    }

    /// A call that answers; its envelope.
    pub fn envelope(&self, name: &str, fields: &Value) -> Value {
        let answer = self.call(name, &fields.to_string());
        assert_eq!(answer.status, 200, "{name}: {answer:?}");
        serde_json::from_str(&answer.body).expect("JSON")
    }

    /// A call that succeeds; its data.
    pub fn data(&self, name: &str, fields: &Value) -> Value {
        let envelope = self.envelope(name, fields);
        assert_eq!(envelope["ok"], true, "{name}: {envelope}");
        envelope["data"].clone()
    }

    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) else {
            return Answer { status: 0, head: String::new(), body: String::new() };
        };
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a limit");
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str(&format!("Content-Length: {}\r\n\r\n", body.len()));
        // A server may refuse a large body before it has read it.
        let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or_default();
        Answer { status, head: head.to_owned(), body: body.to_owned() }
    }
}

/// The token in the answer to a key.
pub fn token_of(answer: &Answer) -> String {
    let body: Value = serde_json::from_str(&answer.body).expect("JSON");
    body["token"].as_str().expect("a token").to_owned()
}

impl Answer {
    /// The operation that a change logged.
    pub fn operation(&self) -> Option<u64> {
        let value = self.head.lines().find_map(|line| line.strip_prefix("co-operation: "));
        value.and_then(|number| number.trim().parse().ok())
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
