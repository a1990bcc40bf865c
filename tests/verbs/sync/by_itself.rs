//! `co sync --every`: the timer that each system has is set up, shown and removed byte for byte;
//! and what the timer runs, through a week in which everything goes wrong.

use crate::support::{
    Laptop, Said, Session, World,
    files::put,
    git,
    pair::{assert_agree, pair},
    require_tool,
};
use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

/// A folder with the tools that a timer needs and these programs, as the only folder of a PATH.
fn programs(world: &World, name: &str, fakes: &[(&str, &str)]) -> PathBuf {
    let bin = world.path(name);
    fs::create_dir_all(&bin).expect("a folder");
    for tool in ["git", "sh", "cat", "env", "ln", "mkdir", "mv", "rm", "rmdir", "uname"] {
        let found = Command::new("sh").args(["-c", &format!("command -v {tool}")]).output();
        let found = String::from_utf8(found.expect("sh runs").stdout).expect("a path");
        symlink(found.trim(), bin.join(tool)).expect("linked");
    }
    for (fake, script) in fakes {
        let script = format!("#!/bin/sh\necho \"{fake} $*\" >>\"$HOME/log\"\n{script}");
        fs::write(bin.join(fake), script).expect("a program");
        let everybody = fs::Permissions::from_mode(0o755);
        fs::set_permissions(bin.join(fake), everybody).expect("it can be run");
    }
    bin
}

const SYSTEMCTL: &str = r#"wants="$HOME/.config/systemd/user/timers.target.wants"
case "$*" in
*show*) echo Version=252 ;;
*enable*) for unit; do :; done; mkdir -p "$wants" && ln -sf "../$unit" "$wants/$unit" ;;
*disable*) for unit; do :; done; rm -f "$wants/$unit" && rmdir "$wants" 2>/dev/null || true ;;
esac
"#;
const LAUNCHCTL: &str = r#"case "$1" in
bootstrap) mkdir "$HOME/loaded" ;;
print) [ -d "$HOME/loaded" ] ;;
bootout) rmdir "$HOME/loaded" ;;
esac
"#;
const SCHTASKS: &str = r#"case "$1" in
/Create) cat "$6" >"$HOME/task" ;;
/Query) [ -f "$HOME/task" ] ;;
/Delete) rm "$HOME/task" ;;
esac
"#;
const NO_SYSTEMD: &str = "echo 'Failed to connect to bus: No medium found' >&2; exit 1\n";
const CRONTAB: &str = r#"case "$1" in
-l) [ -f "$HOME/cron" ] || { echo "no crontab for bin" >&2; exit 1; }; cat "$HOME/cron" ;;
-r) rm "$HOME/cron" ;;
-) cat >"$HOME/cron" ;;
esac
"#;

/// A laptop with a remote, and the log of what was started on it.
fn laptop(world: &World, name: &str, bin: &Path) -> Laptop {
    let a = world.laptop(name).with_env("PATH", &bin.display().to_string());
    let remote = world.path(&format!("{name}.git")).display().to_string();
    git(world.dir.path(), &["init", "-q", "--bare", "-b", "main", &remote]);
    a.co(&["init", "--yes", "--name", "Bin", "--remote", &remote]);
    a.co(&["sync"]);
    a
}

fn log(a: &Laptop) -> String {
    fs::read_to_string(a.home.join("log")).unwrap_or_default()
}

/// Every file, link and folder of a home but co's own, and the log of the test.
fn elsewhere(a: &Laptop) -> BTreeMap<PathBuf, String> {
    fn walk(folder: &Path, own: &Path, found: &mut BTreeMap<PathBuf, String>) {
        for entry in fs::read_dir(folder).expect("a folder").map(|one| one.expect("one").path()) {
            if entry == own || entry.ends_with("log") {
                continue;
            }
            let what = match (fs::read_link(&entry), entry.is_dir()) {
                (Ok(target), _) => format!("link to {}", target.display()),
                (_, true) => "folder".to_owned(),
                _ => String::from_utf8_lossy(&fs::read(&entry).expect("bytes")).into_owned(),
            };
            let is_folder = what == "folder";
            found.insert(entry.clone(), what);
            if is_folder {
                walk(&entry, own, found);
            }
        }
    }
    let mut found = BTreeMap::new();
    walk(&a.home, &a.config(), &mut found);
    found
}

/// What a home has before: names of folders (that end with `/`) and files.
type Before = &'static [&'static str];

fn furnish(a: &Laptop, before: Before) {
    for name in before {
        let path = a.home.join(name);
        if name.ends_with('/') {
            fs::create_dir_all(path).expect("a folder");
        } else {
            put(&path, "[Unit]\nDescription=mine\n");
        }
    }
}

#[test]
fn systemd_gets_two_units_and_loses_them_again() {
    let world = World::new();
    let bin = programs(&world, "bin", &[("systemctl", SYSTEMCTL)]);
    let homes: [Before; 5] = [
        &[],
        &[".config/systemd/"],
        &[".config/systemd/user/mine.service", ".config/systemd/user/mine.timer"],
        &[".config/systemd/user/timers.target.wants/mine.timer"],
        &["dotfiles/units/mine.service"],
    ];
    for (at, before) in homes.into_iter().enumerate() {
        let a = laptop(&world, &format!("a{at}"), &bin);
        furnish(&a, before);
        if at == 4 {
            fs::create_dir_all(a.home.join(".config/systemd")).expect("a folder");
            symlink("../../dotfiles/units", a.home.join(".config/systemd/user")).expect("linked");
        }
        let before = elsewhere(&a);
        let said = a.co(&["sync", "--every", "15m"]);
        for shown in [
            "✓ This laptop now syncs by itself every 15 minutes, through systemd.",
            "~/.config/systemd/user/co-sync.service",
            "│ ExecStart=:\"",
            "│ OnUnitInactiveSec=15min",
            "systemctl --user enable co-sync.timer",
            "co sync --every off",
        ] {
            assert!(said.contains(shown), "{shown}: {said}");
        }
        let units = a.home.join(".config/systemd/user");
        let service = fs::read_to_string(units.join("co-sync.service")).expect("a unit");
        assert!(service.contains("\"sync\" \"--timed\" \"15m\"\n"), "{service}");
        let status = a.co(&["status"]);
        assert!(status.contains("every 15 minutes (systemd), has not run yet"), "{status}");
        // Another interval takes its place.
        let said = a.json(&["sync", "--every", "2h"]);
        assert_eq!(
            (&said["data"]["every"], &said["data"]["system"]),
            (&"2h".into(), &"systemd".into())
        );
        let timer = fs::read_to_string(units.join("co-sync.timer")).expect("a unit");
        assert!(timer.contains("\nOnUnitInactiveSec=120min\n"), "{timer}");
        assert!(log(&a).ends_with(
            "systemctl --user daemon-reload\nsystemctl --user enable co-sync.timer\nsystemctl \
             --user restart co-sync.timer\n"
        ));
        let said = a.co(&["sync", "--every", "off"]);
        assert!(said.contains("does not sync by itself any more"), "{said}");
        assert_eq!(elsewhere(&a), before, "home {at}");
        assert!(!a.co(&["status"]).contains("by itself"));
        assert_eq!(a.co(&["sync", "--every", "off"]), "This laptop does not sync by itself.\n");
    }
}

#[test]
fn what_is_set_up_is_removed_although_nobody_remembers() {
    let world = World::new();
    let bin = programs(&world, "bin", &[("systemctl", SYSTEMCTL)]);
    let a = laptop(&world, "a", &bin);
    furnish(&a, &[".config/systemd/user/mine.service"]);
    let before = elsewhere(&a);
    a.co(&["sync", "--every", "30m"]);
    fs::remove_dir_all(a.config().join("local")).expect("disposable");
    a.co(&["sync", "--every", "off"]);
    assert_eq!(elsewhere(&a), before);
}

/// The units are what systemd itself reads, whatever is in the paths.
#[test]
fn systemd_finds_no_fault_in_the_units() {
    if !require_tool("systemd-analyze") {
        eprintln!("skipped: systemd-analyze is missing");
        return;
    }
    let world = World::new();
    let bin = programs(&world, "b %h in $HOME & 'q'", &[("systemctl", SYSTEMCTL)]);
    let a = laptop(&world, "a", &bin);
    let odd = world.path("c %n $X");
    fs::create_dir_all(&odd).expect("a folder");
    let a = a.with_env("CO_CONFIG_DIR", &odd.display().to_string());
    let remote = world.path("a.git").display().to_string();
    a.co(&["init", "--yes", &remote]);
    a.co(&["sync", "--every", "15m"]);
    let units = a.home.join(".config/systemd/user");
    let names = fs::read_dir(&units).expect("units").map(|one| one.expect("one").path());
    let ours = names.filter(|file| file.is_file()).map(|file| file.display().to_string());
    let ours: Vec<String> = ours.collect();
    assert!(ours.len() == 2 && ours.iter().all(|unit| unit.contains("co-sync-")), "{ours:?}");
    fs::create_dir_all(world.path("run")).expect("a folder");
    let mut verify = a.command_of("systemd-analyze", &["--user", "verify"]);
    let path = std::env::var("PATH").expect("a path");
    verify.env("XDG_RUNTIME_DIR", world.path("run")).env("PATH", path);
    let output = verify.args(&ours).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && said.is_empty(), "{said}");
    let service = ours.iter().find(|unit| unit.ends_with(".service")).expect("a service");
    let service = fs::read_to_string(service).expect("a unit");
    assert!(service.contains("CO_CONFIG_DIR=") && service.contains("c %%n $X\""), "{service}");
}

#[test]
fn launchd_gets_an_agent_and_loses_it_again() {
    let world = World::new();
    let bin = programs(&world, "bin", &[("launchctl", LAUNCHCTL)]);
    let homes: [Before; 3] = [&[], &["Library/"], &["Library/LaunchAgents/com.example.mine.plist"]];
    for (at, before) in homes.into_iter().enumerate() {
        let a = laptop(&world, &format!("a{at}"), &bin);
        furnish(&a, before);
        let before = elsewhere(&a);
        let said = a.co(&["sync", "--every", "1h"]);
        assert!(said.contains("every hour, through launchd"), "{said}");
        let file = a.home.join("Library/LaunchAgents/co-sync.plist");
        let agent = fs::read_to_string(&file).expect("an agent");
        assert!(agent.contains("<key>StartInterval</key>\n\t<integer>3600</integer>"), "{agent}");
        assert!(
            log(&a).contains("launchctl bootstrap gui/") && log(&a).contains("co-sync.plist"),
            "{}",
            log(&a)
        );
        a.co(&["sync", "--every", "2h"]);
        // Whoever unloaded it by hand did half of the work.
        if at == 1 {
            fs::remove_dir(a.home.join("loaded")).expect("it was loaded");
        }
        a.co(&["sync", "--every", "off"]);
        assert_eq!(elsewhere(&a), before, "home {at}");
    }
}

#[test]
fn windows_gets_a_task_in_its_own_letters() {
    let world = World::new();
    let bin = programs(&world, "bin", &[("schtasks", SCHTASKS)]);
    let a = laptop(&world, "a", &bin);
    let before = elsewhere(&a);
    let said = a.co(&["sync", "--every", "15m"]);
    assert!(said.contains("through Task Scheduler"), "{said}");
    let task = fs::read(a.home.join("task")).expect("a task");
    assert_eq!(task[..2], [0xff, 0xfe], "the mark that schtasks asks for");
    let letters: Vec<u16> =
        task[2..].chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]])).collect();
    let task = String::from_utf16(&letters).expect("text");
    assert!(task.contains("<Interval>PT15M</Interval>") && task.contains("--timed"), "{task}");
    a.co(&["sync", "--every", "off"]);
    assert_eq!(elsewhere(&a), before);
    // A task has the account's variables alone.
    let other = a.with_env("CO_CONFIG_DIR", &world.path("other").display().to_string());
    other.co(&["init", "--yes", &world.path("a.git").display().to_string()]);
    assert!(other.fails(6, &["sync", "--every", "15m"]).contains("CO_CONFIG_DIR"));
}

#[test]
fn cron_gets_a_block_and_loses_it_again() {
    let world = World::new();
    let bin = programs(&world, "bin", &[("systemctl", NO_SYSTEMD), ("crontab", CRONTAB)]);
    let tables: [Option<&[u8]>; 7] = [
        None,
        Some(b"0 1 * * * backup\n"),
        Some(b"MAILTO=me@example.org\nSHELL=/bin/fish\n\n*/5 * * * * fetch 100\\%\n"),
        Some(b"# only a comment\n"),
        Some(b"0 1 * * * no line end"),
        Some(b"\n\n"),
        // Not every crontab is in UTF-8.
        Some(b"# f\xfcr den Server \xc3\xbc\n0 1 * * * copy /home/bin/B\xfccher\n"),
    ];
    for (at, before) in tables.into_iter().enumerate() {
        let a = laptop(&world, &format!("a{at}"), &bin);
        let table = a.home.join("cron");
        if let Some(text) = before {
            fs::write(&table, text).expect("written");
        }
        let said = a.co(&["sync", "--every", "15m"]);
        assert!(said.contains("through cron") && said.contains("your crontab"), "{said}");
        let read = || String::from_utf8_lossy(&fs::read(&table).expect("a crontab")).into_owned();
        let with = read();
        let line = with.lines().find(|line| line.contains("--timed")).expect("a line");
        assert!(line.starts_with("*/15 * * * * env PATH='"), "{line}");
        assert!(line.ends_with("'sync' '--timed' '15m' >/dev/null 2>&1"), "{line}");
        a.co(&["sync", "--every", "6h"]);
        let later = read();
        assert_eq!(later.matches("--timed").count(), 1, "{later}");
        assert!(later.contains("\n0 */6 * * * env "), "{later}");
        if at % 2 == 1 {
            fs::remove_dir_all(a.config().join("local")).expect("disposable");
        }
        a.co(&["sync", "--every", "off"]);
        assert_eq!(fs::read(&table).ok().as_deref(), before, "crontab {at}");
        // The command line is the one that cron gives to a shell.
        let command = line.splitn(6, ' ').nth(5).expect("a command").replace("\\%", "%");
        let ran = a.command_of("sh", &["-c", &command]).output().expect("sh runs");
        assert!(ran.status.success() && ran.stdout.is_empty() && ran.stderr.is_empty());
    }
    let a = laptop(&world, "b", &bin);
    for every in ["7m", "45m", "90m", "5h", "23h"] {
        let said = a.fails(2, &["sync", "--every", every]);
        assert!(said.contains("cron cannot run anything every"), "{every}: {said}");
    }
    assert!(!a.home.join("cron").exists());
}

#[test]
fn what_cannot_be_set_up_changes_nothing() {
    let world = World::new();
    let systemd = programs(&world, "systemd", &[("systemctl", SYSTEMCTL)]);
    let refusing = SYSTEMCTL.replace("mkdir -p", "echo 'Unit is masked' >&2; exit 1; mkdir -p");
    let refusing = programs(&world, "refusing", &[("systemctl", refusing.as_str())]);
    let nothing = programs(&world, "nothing", &[]);
    let dead = programs(&world, "dead", &[("systemctl", NO_SYSTEMD)]);

    let a = laptop(&world, "a", &systemd);
    for every in ["", "15", "4m", "2d", "soon", "-1"] {
        let said = a.try_co(&["sync", &format!("--every={every}")]);
        assert_eq!(said.code, 2, "{every}: {}{}", said.out, said.err);
    }
    let before = elsewhere(&a);
    for (bin, code, told) in [
        (&nothing, 4, "no systemd for users"),
        (&dead, 4, "no systemd for users"),
        (&refusing, 10, "Unit is masked"),
    ] {
        let a = a.with_env("PATH", &bin.display().to_string());
        let said = a.fails(code, &["sync", "--every", "15m"]);
        assert!(said.contains(told), "{said}");
        assert_eq!(elsewhere(&a), before, "{told}");
        assert!(!a.co(&["status"]).contains("every 15 minutes"));
    }
    // A timer that is there goes on if another interval is refused.
    let often = r#"case "$(cat "$HOME/.config/systemd/user/$unit")" in
*"--every 2h"*) echo 'Unit is masked' >&2; exit 1 ;;
esac; mkdir -p"#;
    let often = SYSTEMCTL.replace("mkdir -p", often);
    let often = programs(&world, "often", &[("systemctl", often.as_str())]);
    let there = a.with_env("PATH", &often.display().to_string());
    there.co(&["sync", "--every", "15m"]);
    let with = elsewhere(&a);
    assert!(there.fails(10, &["sync", "--every", "2h"]).contains("Unit is masked"));
    assert_eq!(elsewhere(&a), with, "it is enabled as before");
    assert!(log(&a).trim_end().ends_with("--user restart co-sync.timer"), "{}", log(&a));
    there.co(&["sync", "--every", "off"]);
    // Somebody else's unit of that name stays.
    furnish(&a, &[".config/systemd/user/co-sync.timer"]);
    let before = elsewhere(&a);
    let said = a.fails(6, &["sync", "--every", "15m"]);
    assert!(said.contains("co-sync.timer was not written by co"), "{said}");
    assert_eq!(elsewhere(&a), before);

    let alone = world.laptop("alone").with_env("PATH", &systemd.display().to_string());
    alone.fails(4, &["sync", "--every", "15m"]);
    alone.co(&["init", "--yes"]);
    assert!(alone.fails(8, &["sync", "--every", "15m"]).contains("no remote"));
}

#[test]
fn what_the_timer_needs_and_is_gone_is_named() {
    let world = World::new();
    let bin = programs(&world, "bin", &[("systemctl", SYSTEMCTL)]);
    let a = laptop(&world, "a", &bin);
    a.co(&["sync", "--every", "15m"]);
    fs::remove_file(a.home.join(".config/systemd/user/co-sync.service")).expect("removed");
    for verb in [&["status"][..], &[]] {
        let said = a.co(verb);
        assert!(said.contains("co-sync.service is gone; `co sync --every 15m`"), "{said}");
    }
    assert!(a.json(&["status"])["data"]["timer"]["missing"].is_string());
    a.co(&["sync", "--every", "15m"]);
    assert!(!a.co(&["status"]).contains("gone"));
}

/// The words that the unit starts co with.
fn command_of_unit(a: &Laptop) -> Vec<String> {
    let file = a.home.join(".config/systemd/user/co-sync.service");
    let unit = fs::read_to_string(file).expect("a unit");
    let line = unit.lines().find_map(|line| line.strip_prefix("ExecStart=:")).expect("a command");
    let words = line.trim_matches('"').split("\" \"").map(str::to_owned);
    words.collect()
}

/// One run of the timer at a time of the week.
fn run(a: &Laptop, words: &[String]) -> Said {
    let words: Vec<&str> = words[1..].iter().map(String::as_str).collect();
    a.try_co(&words)
}

fn is_silent(said: &Said) -> bool {
    said.code == 0 && said.out.is_empty() && said.err.is_empty()
}

fn at(a: &Laptop, minutes: u64) -> Laptop {
    let (day, minutes) = (20 + minutes / 1440, minutes % 1440);
    let clock = format!("2026-11-{day}T{:02}:{:02}:00Z", minutes / 60, minutes % 60);
    a.with_env("CO_TEST_CLOCK", &clock)
}

const DAY: u64 = 24 * 60;

/// Where this laptop's git looks for the remote.
fn reroute(a: &Laptop, remote: &str, instead: Option<&str>) {
    let file = a.home.join(".gitconfig");
    match instead {
        Some(url) => {
            fs::write(file, format!("[url \"{url}\"]\n\tinsteadOf = {remote}\n")).expect("written");
        }
        None => fs::remove_file(file).expect("removed"),
    }
}

/// Minutes between two runs: two hours, or a real quarter of an hour with `CO_WEEK=1`.
fn step() -> u64 {
    if std::env::var_os("CO_WEEK").is_some() { 15 } else { 120 }
}

/// A week of one laptop: a good day, one offline, one with a rewritten remote, one whose login is
/// refused, one asleep, one with others at the same time, and a good one.
#[test]
fn a_week_in_which_everything_goes_wrong() {
    let world = World::new();
    let bin = programs(&world, "bin", &[("systemctl", SYSTEMCTL)]);
    let (a, b) = pair(&world);
    let remote = world.path("remote.git").display().to_string();
    let a = a.with_env("PATH", &bin.display().to_string());
    let (span, step) = (format!("{}m", step()), step() as usize);
    a.co(&["sync", "--every", &span]);
    let words = command_of_unit(&a);
    let runs = |day: u64| (day * DAY..(day + 1) * DAY).step_by(step);
    let mut learned = 3;

    // Monday: what either learns is soon with the other.
    for minute in runs(0) {
        if minute % (6 * 60) == 0 {
            at(&b, minute).co(&["learn", &format!("There at minute {minute}")]);
            at(&b, minute).co(&["sync"]);
            at(&a, minute).co(&["learn", &format!("Here at minute {minute}")]);
            learned += 2;
        }
        assert!(is_silent(&run(&at(&a, minute), &words)), "minute {minute}");
    }
    assert_eq!(a.facts().len(), learned);
    let status = at(&a, DAY).co(&["status"]);
    assert!(status.contains("last worked"), "{status}");
    assert!(!status.contains("not since"), "{status}");

    // Tuesday: offline. It says nothing, and is told once, in the status.
    reroute(&a, &remote, Some("http://127.0.0.1:1/x"));
    at(&a, DAY).co(&["learn", "On the train"]);
    learned += 1;
    for minute in runs(1) {
        assert!(is_silent(&run(&at(&a, minute), &words)), "minute {minute}");
    }
    for verb in [&["status"][..], &[]] {
        let said = at(&a, 2 * DAY - 1).co(verb);
        assert!(said.contains("not since: origin cannot be reached"), "{said}");
    }
    reroute(&a, &remote, None);

    // Wednesday: it is back within the hour, and somebody rewrote the remote.
    git(Path::new(&remote), &["update-ref", "refs/heads/main", "main~2"]);
    for minute in runs(2) {
        let said = run(&at(&a, minute), &words);
        assert!(said.code == 0 && said.out.is_empty(), "{}{}", said.out, said.err);
    }
    assert!(!at(&a, 3 * DAY).co(&["status"]).contains("not since"));
    b.co(&["sync"]);
    assert_eq!(b.facts().len(), learned);

    // Thursday: the login is refused. That is news once, and it asks less and less often.
    reroute(&a, &remote, Some("git@nowhere.invalid:x"));
    let refusing = world.path("ssh");
    let script = "#!/bin/sh\necho x >>\"$HOME/tries\"\necho 'Permission denied (publickey).' >&2\n\
                  exit 255\n";
    fs::write(&refusing, script).expect("a program");
    fs::set_permissions(&refusing, fs::Permissions::from_mode(0o755)).expect("it can be run");
    let refused = a.with_env("GIT_SSH_COMMAND", &refusing.display().to_string());
    let said: Vec<Said> = runs(3).map(|minute| run(&at(&refused, minute), &words)).collect();
    let told: Vec<&Said> = said.iter().filter(|said| !is_silent(said)).collect();
    let first = told.first().expect("news");
    assert!(told.len() == 1 && first.code == 8, "{} times, {}", told.len(), first.err);
    assert!(
        first.err.contains("refused the login") && first.err.contains("hint:"),
        "{}",
        first.err
    );
    let tries = fs::read_to_string(a.home.join("tries")).expect("tries").lines().count();
    // ssh is started more than once for a try; of 96 runs, 8 try.
    assert!(tries <= 24, "{tries} logins in a day");
    let said = at(&a, 4 * DAY - 1).json(&["status"]);
    let timer = &said["data"]["timer"];
    assert!(timer["why"].as_str().is_some_and(|why| why.contains("refused")), "{timer}");
    reroute(&a, &remote, None);

    // Friday: asleep. On Saturday morning a person syncs, and with that the timer goes on as well.
    at(&a, 5 * DAY).co(&["learn", "Slept well"]);
    at(&a, 5 * DAY).co(&["sync"]);
    learned += 1;
    assert!(!at(&a, 5 * DAY + 1).co(&["status"]).contains("not since"));

    // Saturday: two runs at once, while the other laptop syncs.
    for minute in runs(5).skip(1).take(6) {
        at(&b, minute).co(&["learn", &format!("At once, there, {minute}")]);
        at(&a, minute).co(&["learn", &format!("At once, here, {minute}")]);
        learned += 2;
        let words: Vec<&str> = words[1..].iter().map(String::as_str).collect();
        let start = |who: &Laptop, words: &[&str]| -> Child {
            let mut command = at(who, minute).command(words);
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("co runs")
        };
        let running =
            [start(&a, &words), start(&a, &words), start(&b, &["sync"]), start(&a, &words)];
        for child in running {
            let output = child.wait_with_output().expect("co ends");
            let err = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(matches!(output.status.code(), Some(0)), "{err}");
        }
    }

    // Sunday: all is well, and nothing has grown.
    for minute in runs(6) {
        assert!(is_silent(&run(&at(&a, minute), &words)), "minute {minute}");
    }
    at(&b, 7 * DAY).co(&["sync"]);
    assert!(is_silent(&run(&at(&a, 7 * DAY), &words)));
    at(&b, 7 * DAY + 1).co(&["sync"]);
    assert_agree(&[&a, &b]);
    assert_eq!(a.facts().len(), learned);
    let kept = sizes(&a.config().join("local"), "timed-sync.json");
    assert!(kept.len() == 1 && kept[0] < 1_000, "{kept:?}");
    let before = sizes(&a.config().join("local"), "").iter().sum::<u64>();
    for minute in (7 * DAY + 60..).step_by(step).take(10) {
        assert!(is_silent(&run(&at(&a, minute), &words)));
    }
    let after = sizes(&a.config().join("local"), "").iter().sum::<u64>();
    assert!(after <= before + 2_000, "{before} bytes became {after}");
}

/// The sizes of the files below a folder whose names end like this.
fn sizes(folder: &Path, end: &str) -> Vec<u64> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").map(|one| one.expect("one").path()) {
        if entry.is_dir() {
            found.extend(sizes(&entry, end));
        } else if entry.to_string_lossy().ends_with(end) {
            found.push(fs::metadata(&entry).expect("there").len());
        }
    }
    found
}

/// A person's unfinished work in a dotfiles repository is theirs to publish.
#[test]
fn a_persons_own_commits_wait_for_the_person() {
    let world = World::new();
    let bin = programs(&world, "bin", &[("systemctl", SYSTEMCTL)]);
    let (code, remote) = world.code("main");
    let a = world.laptop("a").with_env("PATH", &bin.display().to_string());
    let folder = code.join("co-identity").display().to_string();
    fs::create_dir_all(&folder).expect("a folder");
    a.co(&["init", "--yes", &folder]);
    a.co(&["sync"]);
    a.co(&["sync", "--every", "15m"]);
    let tip = || git(Path::new(&remote), &["rev-parse", "main"]);
    let (before, words) = (tip(), command_of_unit(&a));
    fs::write(code.join("main.c"), "int draft;\n").expect("written");
    git(&code, &["commit", "-qam", "draft"]);
    a.co(&["learn", "--scope", "identity", "A fact beside a draft"]);
    assert!(is_silent(&run(&a, &words)));
    assert_eq!(tip(), before, "nobody asked to publish the draft");
    assert!(a.co(&["status"]).contains("1 of your own commits are not published yet"));
    a.co(&["sync"]);
    assert_ne!(tip(), before);
    assert!(is_silent(&run(&a, &words)));
    assert!(!a.co(&["status"]).contains("of your own commits"));

    // Commits of co that an offline day left are no work of the person's.
    reroute(&a, &remote, Some("http://127.0.0.1:1/x"));
    a.co(&["learn", "--scope", "identity", "A fact of the train"]);
    let before = tip();
    assert!(is_silent(&run(&a, &words)));
    assert!(a.co(&["status"]).contains("cannot be reached"));
    reroute(&a, &remote, None);
    fs::remove_file(state_of(&a)).expect("the wait is over");
    assert!(is_silent(&run(&a, &words)));
    assert_ne!(tip(), before);

    // A draft that the person put into one of those is theirs all the same.
    reroute(&a, &remote, Some("http://127.0.0.1:1/x"));
    a.co(&["learn", "--scope", "identity", "A fact of the ferry"]);
    assert!(is_silent(&run(&a, &words)));
    fs::write(code.join("main.c"), "int half;\n").expect("written");
    git(&code, &["commit", "-qa", "--amend", "--no-edit"]);
    reroute(&a, &remote, None);
    fs::remove_file(state_of(&a)).expect("the wait is over");
    let before = tip();
    assert!(is_silent(&run(&a, &words)));
    assert_eq!(tip(), before, "nobody asked to publish what was put into a commit of co's");
}

/// Where co keeps how the runs ended.
fn state_of(a: &Laptop) -> PathBuf {
    let caches = fs::read_dir(a.config().join("local/cache")).expect("caches");
    let mut states = caches.map(|one| one.expect("one").path().join("timed-sync.json"));
    states.find(|file| file.is_file()).expect("a run was kept")
}

#[test]
fn a_locked_keyring_is_no_failure_and_no_question() {
    let world = World::new();
    let bin = programs(&world, "bin", &[("systemctl", SYSTEMCTL)]);
    let a = world.laptop("a").with_env("PATH", &bin.display().to_string());
    let Some(session) = Session::start(&a.home) else { return };
    let a = a.with_env("DBUS_SESSION_BUS_ADDRESS", &session.address);
    a.co(&["init", "--yes", "--name", "Bin"]);
    git(world.dir.path(), &["init", "-q", "--bare", "-b", "main", "sealed.git"]);
    let (url, key) = (world.path("sealed.git"), world.path("key.txt"));
    let [url, key] = [url, key].map(|path| path.display().to_string());
    a.co(&["seal", "on", &url, "--key-out", &key, "--yes"]);
    a.co(&["sync", "--every", "15m"]);
    let words = command_of_unit(&a);
    assert!(is_silent(&run(&a, &words)));
    session.run("secret-tool", &["lock", "--collection=login"], "");
    a.co(&["learn", "While the keyring is locked"]);
    for _ in 0..3 {
        let said = run(&a, &words);
        assert!(is_silent(&said), "{} {}{}", said.code, said.out, said.err);
    }
    let said = a.co(&["status"]);
    assert!(said.contains("not since") && said.contains("locked"), "{said}");
    drop(session);
    let session = Session::start(&a.home).expect("as before");
    let a = a.with_env("DBUS_SESSION_BUS_ADDRESS", &session.address);
    a.co(&["sync"]);
    assert!(is_silent(&run(&a, &words)));
    assert!(!a.co(&["status"]).contains("not since"));
}

/// A systemd of a test's own, where this machine lets one run.
struct Manager {
    child: Child,
    runtime: PathBuf,
}

impl Manager {
    fn start(a: &Laptop, runtime: PathBuf) -> Option<Manager> {
        let places = ["/usr/lib/systemd/systemd", "/lib/systemd/systemd"];
        let program = places.into_iter().find(|place| Path::new(place).is_file())?;
        fs::create_dir_all(&runtime).expect("a folder");
        fs::set_permissions(&runtime, fs::Permissions::from_mode(0o700)).expect("for us alone");
        let mut command = a.command_of(program, &["--user"]);
        command.env("XDG_RUNTIME_DIR", &runtime).env_remove("DBUS_SESSION_BUS_ADDRESS");
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()?;
        let mut manager = Manager { child, runtime };
        for _ in 0..30 {
            thread::sleep(Duration::from_millis(100));
            if manager.child.try_wait().is_ok_and(|ended| ended.is_some()) {
                return None;
            }
            if manager.asked(a, &["--user", "show", "--property=Version"]).contains("Version=") {
                return Some(manager);
            }
        }
        None
    }

    fn asked(&self, a: &Laptop, words: &[&str]) -> String {
        let mut command = a.command_of("systemctl", words);
        command.env("XDG_RUNTIME_DIR", &self.runtime).env_remove("DBUS_SESSION_BUS_ADDRESS");
        let output = command.output();
        output.map_or_else(|_| String::new(), |it| String::from_utf8_lossy(&it.stdout).into_owned())
    }
}

impl Drop for Manager {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_real_systemd_runs_it() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes", "--name", "Bin", "--remote", &world.remote()]);
    a.co(&["sync"]);
    let Some(manager) = Manager::start(&a, world.path("run")) else {
        eprintln!("skipped: no systemd for users runs on this machine");
        return;
    };
    let a = a.with_env("XDG_RUNTIME_DIR", &manager.runtime.display().to_string());
    let before = elsewhere(&a);
    a.co(&["learn", "By a real timer"]);
    let said = a.co(&["sync", "--every", "5m"]);
    assert!(said.contains("through systemd"), "{said}");
    // It runs at once where the session began long ago; else it is told to.
    manager.asked(&a, &["--user", "start", "co-sync.service"]);
    let has_run = |_| {
        thread::sleep(Duration::from_millis(200));
        git(&world.path("remote.git"), &["ls-tree", "-r", "--name-only", "main"]).contains("real")
    };
    assert!((0..50).any(has_run), "{}", a.co(&["status"]));
    assert!(a.co(&["status"]).contains("every 5 minutes (systemd), last worked"));
    let listed = manager.asked(&a, &["--user", "list-timers", "--all"]);
    assert!(listed.contains("co-sync.timer"), "{listed}");
    a.co(&["sync", "--every", "off"]);
    let listed = manager.asked(&a, &["--user", "list-timers", "--all"]);
    assert!(!listed.contains("co-sync.timer"), "{listed}");
    assert_eq!(elsewhere(&a), before);
}

#[test]
fn the_page_can_be_typed() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/sync-by-itself.md");
    let page = fs::read_to_string(page).expect("a page");
    let typed: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("$ co ")).collect();
    assert!(typed.len() >= 4, "{typed:?}");
    let world = World::new();
    let bin = programs(&world, "bin", &[("systemctl", SYSTEMCTL)]);
    let a = laptop(&world, "a", &bin);
    let before = elsewhere(&a);
    for line in typed {
        a.co(&line.split(' ').collect::<Vec<&str>>());
    }
    assert_eq!(elsewhere(&a), before);
}
