//! A terminal of a given width: what a person sees after a command, including what they typed.

use super::Laptop;
use rustix::{
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
    termios::{Winsize, tcsetwinsize},
};
use std::{
    fs::{self, File},
    io::{Read, Write},
    process::Stdio,
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant},
};

/// High enough that nothing scrolls out and no pager starts.
const LINES: u16 = 200;
const PATIENCE: Duration = Duration::from_secs(30);

/// Runs co on a terminal. Each answer is typed once its question is on the screen.
pub fn screen(
    laptop: &Laptop,
    columns: u16,
    arguments: &[&str],
    answers: &[(&str, &str)],
) -> String {
    screen_and_bytes(laptop, columns, arguments, answers).0
}

/// What is on the screen in the end, and every byte that the terminal was sent.
pub fn screen_and_bytes(
    laptop: &Laptop,
    columns: u16,
    arguments: &[&str],
    answers: &[(&str, &str)],
) -> (String, Vec<u8>) {
    let main = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&main).and_then(|()| unlockpt(&main)).expect("a terminal");
    let size = Winsize { ws_row: LINES, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&main, size).expect("a size");
    let name = ptsname(&main, Vec::new()).expect("a name").into_string().expect("a path");
    let stream = || -> Stdio {
        File::options().read(true).write(true).open(&name).expect("the terminal").into()
    };
    let mut command = laptop.command(arguments);
    command.stdin(stream()).stdout(stream()).stderr(stream());
    command.env("TERM", "xterm-256color");
    let mut child = command.spawn().expect("co runs");
    // Its end of the terminal is closed when it ends, and not kept open here.
    drop(command);

    let mut typing = File::from(main);
    let mut reading = typing.try_clone().expect("a second handle");
    let parser = Arc::new(Mutex::new(vt100::Parser::new(cells(LINES), cells(columns), 0)));
    let shown = Arc::clone(&parser);
    let reader = thread::spawn(move || {
        let (mut bytes, mut all) = ([0; 4096], Vec::new());
        while let Ok(count @ 1..) = reading.read(&mut bytes) {
            shown.lock().expect("a screen").process(&bytes[..count]);
            all.extend_from_slice(&bytes[..count]);
        }
        all
    });
    let now = || parser.lock().expect("a screen").screen().contents();
    for (question, answer) in answers {
        let end = Instant::now() + PATIENCE;
        // At the narrow width a question may be broken by the terminal.
        let flat = |text: &str| text.split_whitespace().collect::<String>();
        while !flat(&now()).contains(&flat(question)) {
            assert!(Instant::now() < end, "{question:?} is not asked:\n{}", now());
            thread::sleep(Duration::from_millis(5));
        }
        until_it_waits(child.id());
        typing.write_all(answer.as_bytes()).expect("typed");
    }
    let end = Instant::now() + PATIENCE;
    while child.try_wait().expect("a child").is_none() {
        if Instant::now() > end {
            child.kill().expect("killed");
            panic!("co {arguments:?} waits:\n{}", now());
        }
        thread::sleep(Duration::from_millis(5));
    }
    let all = reader.join().expect("read");
    (now().trim_end().to_owned(), all)
}

/// Until a process is not in the middle of something: a prompt for a passphrase or for single keys
/// switches the terminal right after it is drawn, and with that, what was typed before is lost.
fn until_it_waits(process: u32) {
    thread::sleep(Duration::from_millis(50));
    let is_busy = || {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        // Its state is behind its name, which is in parentheses.
        stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with(['R', 'D']))
    };
    let end = Instant::now() + PATIENCE;
    while is_busy() && Instant::now() < end {
        thread::sleep(Duration::from_millis(5));
    }
}

fn cells(count: u16) -> std::num::NonZero<u16> {
    std::num::NonZero::new(count).expect("a screen has a size")
}
