//! What once went wrong in a first week, as screens at 80 and at 40 columns: a number that could be
//! an operation, a move, another remote, a host that is not known, questions that stay, numbers
//! after an undo, what uses up no undo, sample tokens, downloaded exports, agents at the first init.

use super::screens::{Story, WIDTHS};
use crate::support::{Laptop, git};
use std::{
    fs,
    io::{Cursor, Write},
    os::unix::fs::PermissionsExt,
};
use zip::{ZipWriter, write::SimpleFileOptions};

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
        story.sees(&a.with("GIT_SSH_COMMAND", &ssh.display().to_string()), &["sync"]);
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
