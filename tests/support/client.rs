//! An MCP client: the messages of the protocol, line by line, to the real server.

use super::Laptop;
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    last: u64,
    /// What it answers when the server asks the person.
    pub elicitation_action: &'static str,
    /// The folders that it names when the server asks, if it is one that names any.
    pub roots: Option<Vec<PathBuf>>,
    /// What the server sent that answers nothing.
    pub other_messages: Vec<Value>,
}

/// What a tool answered.
#[derive(Debug)]
pub struct ToolAnswer {
    pub text: String,
    pub is_error: bool,
}

impl Client {
    /// A server as agents start it: with HOME alone, in a folder.
    pub fn start(laptop: &Laptop, folder: &Path, options: &[&str]) -> Client {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("co"));
        command.arg("mcp").args(options).env_clear().env("HOME", &laptop.home).current_dir(folder);
        // Where `scripts/coverage.sh` counts; an instrumented co would write into the folder.
        command.envs(std::env::var_os("LLVM_PROFILE_FILE").map(|file| ("LLVM_PROFILE_FILE", file)));
        Client::spawn(command)
    }

    /// Started with every variable of the laptop, and initialized.
    pub fn ready_with_env(laptop: &Laptop) -> Client {
        let mut client = Client::spawn(laptop.command(&["mcp"]));
        client.initialize(json!({}));
        client
    }

    fn spawn(mut command: Command) -> Client {
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn().expect("co runs");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Client {
            child,
            input,
            output,
            last: 0,
            elicitation_action: "accept",
            roots: None,
            other_messages: Vec::new(),
        }
    }

    /// Started as agents do, and initialized.
    pub fn ready(laptop: &Laptop, options: &[&str]) -> Client {
        let mut client = Client::start(laptop, &laptop.home, options);
        client.initialize(json!({}));
        client
    }

    pub fn initialize(&mut self, capabilities: Value) -> Value {
        let mut params = json!({
            "protocolVersion": "2025-11-25",
            "clientInfo": { "name": "Test Client", "version": "1" },
        });
        params["capabilities"] = capabilities;
        let answer = self.ask("initialize", params);
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string());
        answer["result"].clone()
    }

    pub fn send(&mut self, line: &str) {
        let input = self.input.as_mut().expect("open");
        input.write_all(format!("{line}\n").as_bytes()).expect("the server reads");
    }

    /// Sends a request without waiting for its answer; its number.
    pub fn send_request(&mut self, method: &str, params: Value) -> u64 {
        self.last += 1;
        let id = self.last;
        let mut line = json!({ "jsonrpc": "2.0", "id": id, "method": method });
        line["params"] = params;
        self.send(&line.to_string());
        id
    }

    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.send_request(method, params);
        loop {
            let message = self.receive();
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
            if message["method"] == "elicitation/create" {
                let result = json!({ "action": self.elicitation_action, "content": {} });
                let answer = json!({ "jsonrpc": "2.0", "id": message["id"], "result": result });
                self.send(&answer.to_string());
            }
            if let (true, Some(roots)) = (message["method"] == "roots/list", &self.roots) {
                let uri = |root: &PathBuf| json!({ "uri": format!("file://{}", root.display()) });
                let roots: Vec<Value> = roots.iter().map(uri).collect();
                let result = json!({ "roots": roots });
                let answer = json!({ "jsonrpc": "2.0", "id": message["id"], "result": result });
                self.send(&answer.to_string());
            }
            self.other_messages.push(message);
        }
    }

    /// The next message: each line is one.
    pub fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("the server writes");
        assert!(!line.is_empty(), "the server is gone");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    pub fn call(&mut self, tool: &str, arguments: Value) -> ToolAnswer {
        let mut params = json!({ "name": tool });
        params["arguments"] = arguments;
        let answer = self.ask("tools/call", params);
        let result = &answer["result"];
        assert!(result.is_object(), "{answer}");
        assert!(result.get("structuredContent").is_none(), "text only: {answer}");
        let text = result["content"][0]["text"].as_str().expect("a text").to_owned();
        ToolAnswer { text, is_error: result["isError"] == true }
    }

    /// The text of a call that must succeed.
    pub fn call_ok(&mut self, tool: &str, arguments: Value) -> String {
        let said = self.call(tool, arguments);
        assert!(!said.is_error, "{said:?}");
        said.text
    }

    pub fn tools(&mut self) -> Vec<Value> {
        let answer = self.ask("tools/list", json!({}));
        answer["result"]["tools"].as_array().expect("tools").clone()
    }

    /// Ends its standard input; the server ends then.
    pub fn end(mut self) -> bool {
        self.input = None;
        self.child.wait().expect("it ends").success()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
