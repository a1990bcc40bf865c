//! What a person sees, screen by screen, at 80 and at 40 columns. `cargo insta review`, or
//! `INSTA_UPDATE=always`, accepts changed screens.

use crate::support::{Laptop, World, folder, git, terminal::screen};
use std::{
    cell::Cell,
    fs,
    io::{Cursor, Write},
    os::unix::fs::PermissionsExt,
    path::Path,
};
use zip::{ZipWriter, write::SimpleFileOptions};

const WIDTHS: [u16; 2] = [80, 40];
const URL: &str = "git@github.com:bin/co-identity.git";

/// One person's day at one width: every command a minute after the one before.
struct Story {
    world: World,
    columns: u16,
    minute: Cell<u32>,
    told: std::cell::RefCell<String>,
}

impl Story {
    fn at(columns: u16) -> Story {
        let story = Story {
            // Lines break by the length of its path.
            world: World::within(folder::on_disk()),
            columns,
            minute: Cell::new(0),
            told: std::cell::RefCell::default(),
        };
        story.world.remote();
        story
    }

    /// A laptop for which the URL leads to the bare repository beside it.
    fn laptop(&self, name: &str) -> Laptop {
        let laptop = self.world.laptop(name);
        let remote = self.world.path("remote.git");
        let config = format!(
            "[user]\n\tname = Bin Chen\n\temail = bin@example.org\n[url \"{}\"]\n\tinsteadOf = {URL}\n",
            remote.display()
        );
        fs::write(laptop.home.join(".gitconfig"), config).expect("a configuration");
        laptop.with_env("TZ", "UTC").with_env("HOSTNAME", name)
    }

    fn clock(&self, laptop: &Laptop) -> Laptop {
        let minute = self.minute.replace(self.minute.get() + 1);
        let now = format!("2026-11-20T{:02}:{:02}:00Z", 9 + minute / 60, minute % 60);
        laptop.with_env("CO_TEST_CLOCK", &now)
    }

    /// Not part of the story.
    fn quietly(&self, laptop: &Laptop, arguments: &[&str]) {
        self.clock(laptop).try_co(arguments);
    }

    /// An edit by hand, at the story's time.
    fn edits(&self, laptop: &Laptop, path: &str, from: &str, to: &str) {
        laptop.edit(path, from, to);
        let minute = self.minute.replace(self.minute.get() + 1);
        let day: jiff::Timestamp = "2026-11-20T09:00:00Z".parse().expect("a time");
        let at = day + jiff::SignedDuration::from_mins(minute.into());
        let file = fs::File::options().write(true).open(laptop.identity().join(path));
        file.expect("the file").set_modified(at.into()).expect("a time");
    }

    fn sees(&self, laptop: &Laptop, arguments: &[&str]) {
        self.answers(laptop, arguments, &[]);
    }

    fn answers(&self, laptop: &Laptop, arguments: &[&str], answers: &[(&str, &str)]) {
        let seen = screen(&self.clock(laptop), self.columns, arguments, answers);
        let quoted = |word: &&str| {
            if word.contains(' ') { format!("\"{word}\"") } else { (*word).to_owned() }
        };
        let typed: Vec<String> = arguments.iter().map(quoted).collect();
        self.told
            .borrow_mut()
            .push_str(&format!("$ co {}\n{seen}\n\n", typed.join(" ")).replace("co \n", "co\n"));
    }

    fn is(&self, name: &str) {
        let mut settings = insta::Settings::clone_current();
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.add_filter(&regex_of(self.world.dir.path()), "[WORLD]");
        settings.add_filter(r"\b[0-9a-f]{40}\b", "[COMMIT]");
        let told = self.told.borrow();
        let columns = self.columns;
        settings.bind(|| insta::assert_snapshot!(format!("{name}-{columns}"), told.trim_end()));
    }
}

fn regex_of(path: &Path) -> String {
    path.display().to_string().replace('.', r"\.")
}

#[test]
fn first_day() {
    for columns in WIDTHS {
        let story = Story::at(columns);
        let a = story.laptop("Bin-MacBook-Pro");
        story.sees(&a, &[]);
        story.answers(
            &a,
            &["init"],
            &[
                ("Your name", "\r"),
                ("Time zone", "\u{15}America/Los_Angeles\r"),
                ("Git remote", &format!("{URL}\r")),
                ("Check facts before each commit", "y\r"),
                ("Proceed", "y\r"),
            ],
        );
        story.sees(&a, &["learn", "I prefer async/await over callbacks", "--tag", "python"]);
        story.sees(&a, &["learn", "prefers async and await to callbacks"]);
        story.sees(
            &a,
            &["learn", &format!("the token is ghp_{}", "9xKq2LmV7RtZ4WcY8NbJ3HdF6GsP1Qe05AuT")],
        );
        story.sees(&a, &["sync"]);
        story.sees(&a, &["list"]);
        story.sees(&a, &[]);
        story.sees(&a, &["status"]);
        story.is("first-day");
    }
}

#[test]
fn second_laptop() {
    for columns in WIDTHS {
        let story = Story::at(columns);
        let (a, b) = (story.laptop("Bin-MacBook-Pro"), story.laptop("work"));
        story.quietly(
            &a,
            &["init", "--yes", "--name", "Bin Chen", "--timezone", "Europe/Berlin", URL],
        );
        for fact in ["Deploys with heroku", "Prefers tabs", "Commits with conventional messages"] {
            story.quietly(&a, &["learn", fact]);
        }
        story.quietly(&a, &["sync"]);
        story.answers(
            &b,
            &["init", URL],
            &[("Check facts before each commit", "\r"), ("Proceed", "\r")],
        );
        story.quietly(&a, &["edit", "1", "Deploys with fly.io"]);
        story.quietly(&a, &["learn", "Always run uv sync before pytest"]);
        story.quietly(&a, &["learn", "Uses SQLAlchemy ORM exclusively"]);
        story.edits(&a, "profile.md", "Europe/Berlin", "Europe/Paris");
        story.quietly(&b, &["edit", "1", "Deploys with kubernetes"]);
        story.quietly(&b, &["learn", "Uses SQLAlchemy ORM exclusively"]);
        story.quietly(&b, &["forget", "2"]);
        story.edits(&b, "profile.md", "Europe/Berlin", "America/Los_Angeles");
        story.quietly(&b, &["sync"]);
        story.sees(&a, &["sync"]);
        story.sees(&a, &["sync"]);
        story.sees(&a, &[]);
        story.sees(&a, &["log"]);
        story.sees(&a, &["undo", "--dry-run"]);
        story.answers(&a, &["undo"], &[("Proceed", "y\r")]);
        story.sees(&a, &["redo", "--dry-run"]);
        story.is("second-laptop");
    }
}

#[test]
fn an_import() {
    for columns in WIDTHS {
        let story = Story::at(columns);
        let (a, b) = (story.laptop("Bin-MacBook-Pro"), story.laptop("work"));
        story.quietly(&a, &["init", "--yes", "--timezone", "UTC"]);
        for fact in
            ["Builds CLIs with typer", "Uses poetry", "Prefers tabs in Makefiles, spaces elsewhere"]
        {
            story.quietly(&a, &["learn", fact, "--tag", "python"]);
        }
        let archive = b.home.join("my-co.tar.gz").display().to_string();
        story.quietly(&a, &["identity", "export", &archive]);
        story.quietly(&b, &["init", "--yes", "--timezone", "America/Los_Angeles"]);
        for fact in ["Uses poetry", "Runs k3s at home"] {
            story.quietly(&b, &["learn", fact]);
        }
        story.quietly(&b, &["forget", "1"]);
        story.sees(&b, &["diff", "my-co.tar.gz"]);
        story.answers(&b, &["identity", "import", "my-co.tar.gz"], &[("? Import ", "y\r")]);
        story.sees(&b, &["undo", "--yes"]);
        story.is("import");
    }
}

#[test]
fn something_is_wrong() {
    for columns in WIDTHS {
        let story = Story::at(columns);
        let a = story.laptop("Bin-MacBook-Pro");
        story.quietly(&a, &["init", "--yes", "--timezone", "UTC"]);
        story.quietly(&a, &["learn", "Uses vim"]);
        story.quietly(&a, &["learn", "Deploys with {{secret:fly-token}}"]);
        let vim = a.file_of("Uses vim");
        a.edit(&vim, "created: 2026-11-20T09:01:00", "created: yesterday #");
        a.write("traits/loud.md", "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n");
        story.sees(&a, &["check"]);
        story.sees(&a, &["secret", "status"]);
        story.sees(&a, &["recall", "kubernets"]);
        story.sees(&a, &["forget", "9"]);
        story.sees(&a, &["sycn"]);
        story.sees(&a, &["similar"]);
        story.is("something-is-wrong");
    }
}

#[test]
fn the_remote_does_not_answer() {
    for columns in WIDTHS {
        let story = Story::at(columns);
        let a = story.laptop("Bin-MacBook-Pro");
        story.quietly(&a, &["init", "--yes", "--timezone", "UTC", URL]);
        fs::write(
            a.home.join(".gitconfig"),
            "[user]\n\tname = Bin Chen\n\temail = b@example.org\n",
        )
        .expect("a configuration");
        // What ssh says, word for word; the real ones are met in `servers`.
        for words in [
            "ssh: Could not resolve hostname github.com: Name or service not known",
            "git@github.com: Permission denied (publickey).",
            "Host key verification failed.",
            "ERROR: Repository not found.",
        ] {
            story.quietly(&a, &["learn", words]);
            let ssh = format!("printf '%s\\n' '{words}' >&2; exit 255 #");
            story.sees(&a.with_env("GIT_SSH_COMMAND", &ssh), &["sync"]);
        }
        story.sees(&a, &["identity", "remote", "git@github.com:bin/nothing"]);
        story.is("remote-does-not-answer");
    }
}

#[test]
fn an_agents_session() {
    for columns in WIDTHS {
        let story = Story::at(columns);
        let a = story.laptop("Bin-MacBook-Pro");
        story.quietly(&a, &["init", "--yes", "--timezone", "UTC"]);
        story.quietly(&a, &["learn", "Runs k3s at home", "--tag", "ops"]);
        story.quietly(&a, &["learn", "Runs pytest with uv", "--tag", "python"]);
        story.quietly(&a, &["memory", "pin", "2"]);
        let project = a.home.join("project");
        fs::create_dir_all(project.join(".co-cli")).expect("a folder");
        git(&project, &["init", "-q"]);
        story.sees(&a, &["recall", "which test runner do I like?"]);
        story.sees(&a, &["show", "2"]);
        story.sees(&a, &["context", "--explain"]);
        story.sees(&a, &["-C", "project", "learn", "The build needs protoc"]);
        story.sees(&a, &["-C", "project", "list"]);
        story.is("agents-session");
    }
}

#[test]
fn the_help() {
    for columns in WIDTHS {
        let story = Story::at(columns);
        let a = story.laptop("Bin-MacBook-Pro");
        for arguments in [&["--help"][..], &["help", "merging"], &["help", "dotfiles"]] {
            story.sees(&a, arguments);
        }
        story.is("help");
    }
}

fn begun(story: &Story, name: &str) -> Laptop {
    let laptop = story.laptop(name);
    let init = ["init", "--yes", "--name", "Bin Chen", "--timezone", "Europe/Berlin"];
    story.quietly(&laptop, &init);
    laptop
}

#[test]
fn numbers_and_undo() {
    for columns in WIDTHS {
        let story = Story::at(columns);
        let a = begun(&story, "Bin-MacBook-Pro");
        for fact in ["Deploys with heroku", "Prefers tabs", "Likes night trains"] {
            story.quietly(&a, &["learn", fact]);
        }
        story.sees(&a, &["undo", "2"]);
        story.sees(&a, &["learn", "Prefers tabs"]);
        story.quietly(&a, &["export", "backup.tar.gz"]);
        story.answers(&a, &["undo"], &[("[Y/n]", "y\r")]);
        story.sees(&a, &["log"]);
        story.sees(&a, &["show", "9"]);
        story.is("numbers-and-undo");
    }
}

#[test]
fn a_move_and_another_remote() {
    for columns in WIDTHS {
        let story = Story::at(columns);
        let a = story.laptop("Bin-MacBook-Pro");
        let url = story.world.path("remote.git").display().to_string();
        story.quietly(&a, &["init", "--yes", "--name", "Bin Chen", &url]);
        story.quietly(&a, &["learn", "Prefers tabs"]);
        story.quietly(&a, &["sync"]);
        story.answers(&a, &["identity", "move", "notes/me"], &[("[Y/n]", "y\r")]);
        story.sees(&a, &["sync"]);
        story.answers(&a, &["undo"], &[("[Y/n]", "y\r")]);
        git(story.world.dir.path(), &["init", "-q", "--bare", "-b", "main", "other.git"]);
        let other = story.world.path("other.git").display().to_string();
        story.sees(&a, &["identity", "remote", &other]);
        story.sees(&a, &["sync"]);
        story.is("a-move-and-another-remote");
    }
}

#[test]
fn a_host_that_is_not_known_yet() {
    for columns in WIDTHS {
        let story = Story::at(columns);
        let a = begun(&story, "Bin-MacBook-Pro");
        let ssh = a.home.join("ssh");
        fs::write(&ssh, "#!/bin/sh\necho 'Host key verification failed.' >&2\nexit 255\n")
            .expect("written");
        fs::set_permissions(&ssh, fs::Permissions::from_mode(0o755)).expect("executable");
        a.git(&["remote", "add", "origin", "git@git.example.org:bin/identity.git"]);
        story.sees(&a.with_env("GIT_SSH_COMMAND", &ssh.display().to_string()), &["sync"]);
        story.is("a-host-that-is-not-known-yet");
    }
}

#[test]
fn questions_stay_until_they_are_answered() {
    for columns in WIDTHS {
        let story = Story::at(columns);
        let url = story.world.path("remote.git").display().to_string();
        let (a, b) = (story.laptop("Bin-MacBook-Pro"), story.laptop("work"));
        story.quietly(&a, &["init", "--yes", "--name", "Bin Chen", &url]);
        story.quietly(&a, &["learn", "Prefers tabs"]);
        story.quietly(&a, &["learn", "Likes trains"]);
        story.quietly(&a, &["sync"]);
        story.quietly(&b, &["init", "--yes", &url]);
        story.quietly(&a, &["edit", "1", "Prefers tabs in Makefiles"]);
        story.quietly(&b, &["edit", "1", "Prefers spaces"]);
        story.quietly(&a, &["forget", "--yes", "2"]);
        story.quietly(&b, &["edit", "2", "Likes night trains"]);
        story.quietly(&a, &["sync"]);
        story.sees(&b, &["sync"]);
        story.quietly(&a, &["sync"]);
        story.sees(&a, &["status"]);
        story.sees(&a, &["list"]);
        story.sees(&a, &["forget", "--yes", "2"]);
        story.quietly(&a, &["sync"]);
        story.quietly(&b, &["sync"]);
        story.sees(&b, &["status"]);
        story.is("questions-stay-until-they-are-answered");
    }
}

#[test]
fn samples_and_downloads() {
    for columns in WIDTHS {
        let story = Story::at(columns);
        let a = begun(&story, "Bin-MacBook-Pro");
        story.sees(&a, &["learn", "The docs use AKIAIOSFODNN7EXAMPLE as a key"]);
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        let saved = serde_json::json!([{ "title": "Trip", "mapping": { "x": { "message": {
            "author": { "role": "assistant" }, "recipient": "bio", "create_time": 1_763_000_000,
            "content": { "content_type": "text", "parts": ["Lives in Berlin and likes trains."] },
        } } } }]);
        zip.start_file("conversations.json", SimpleFileOptions::default()).expect("a member");
        zip.write_all(saved.to_string().as_bytes()).expect("written");
        zip.start_file("user.json", SimpleFileOptions::default()).expect("a member");
        zip.write_all(b"{\"id\":\"user-x\"}").expect("written");
        let zip = zip.finish().expect("an archive").into_inner();
        fs::write(a.home.join("chatgpt.zip"), zip).expect("written");
        story.sees(&a, &["import", "chatgpt.zip"]);
        story.answers(&a, &["agent", "import", "--from", "chatgpt.zip"], &[("[Y/n]", "y\r")]);
        let rules =
            "# Rules\n\n- [CRITICAL] never push on Fridays\n- 使用中文回答\n\n```\nmake\n```\n";
        fs::write(a.home.join("CLAUDE.md"), rules).expect("written");
        story.answers(&a, &["agent", "import", "--from", "CLAUDE.md"], &[("[Y/n]", "y\r")]);
        story.is("samples-and-downloads");
    }
}

#[test]
fn agents_at_the_first_init() {
    for columns in WIDTHS {
        let story = Story::at(columns);
        let url = story.world.path("remote.git").display().to_string();
        let (a, b) = (story.laptop("Bin-MacBook-Pro"), story.laptop("work"));
        for laptop in [&a, &b] {
            fs::create_dir_all(laptop.home.join(".claude")).expect("a folder");
            fs::write(laptop.home.join(".claude.json"), "{}\n").expect("written");
        }
        story.sees(&a, &["init", "--yes", "--name", "Bin Chen", &url]);
        story.quietly(&a, &["sync"]);
        story.sees(&b, &["init", "--yes", &url]);
        story.is("agents-at-the-first-init");
    }
}
