//! The texts of all four systems, with paths that each would read as something else.

use super::*;

fn job(program: &str, every: &str) -> Job {
    Job {
        name: "co-sync".to_owned(),
        every: Interval::parse(every).expect("an interval"),
        program: program.to_owned(),
        arguments: ["sync", "--timed", every].map(str::to_owned).to_vec(),
        variables: vec![("PATH".to_owned(), "/opt/a b/bin:/usr/bin".to_owned())],
        home: "/home/bin".to_owned(),
    }
}

const ODD: &str = "/home/b %h/$HOME/\"q\"/it's/a&b<c>/\\co";

#[test]
fn systemd_reads_every_word_as_it_is() {
    let service = job("/home/bin/.cargo/bin/co", "15m").systemd_service();
    let command = "ExecStart=:\"/home/bin/.cargo/bin/co\" \"sync\" \"--timed\" \"15m\"\n";
    assert!(service.contains(command), "{service}");
    assert!(service.contains("Environment=\"PATH=/opt/a b/bin:/usr/bin\"\n"), "{service}");
    assert!(service.contains("\nType=oneshot\n") && service.contains("\nSuccessExitStatus=8 9\n"));
    let odd = job(ODD, "15m").systemd_service();
    let read = "ExecStart=:\"/home/b %%h/$HOME/\\\"q\\\"/it's/a&b<c>/\\\\co\" ";
    assert!(odd.contains(read), "{odd}");
    let timer = job("/co", "2h").systemd_timer();
    assert!(timer.contains("\nOnUnitInactiveSec=120min\n"), "{timer}");
    assert!(timer.contains("every 2 hours") && timer.contains("\nWantedBy=timers.target\n"));
    assert!(is_ours(&service) && is_ours(&timer) && !is_ours("[Unit]\nDescription=mine\n"));
}

#[test]
fn launchd_and_windows_get_markup() {
    let agent = job(ODD, "1h").launchd_agent();
    assert!(agent.contains("<string>/home/b %h/$HOME/\"q\"/it's/a&amp;b&lt;c&gt;/\\co</string>"));
    assert!(agent.contains("<key>StartInterval</key>\n\t<integer>3600</integer>"), "{agent}");
    let task = job(ODD, "1h").windows_task();
    assert!(task.contains("<Interval>PT60M</Interval>") && task.contains("a&amp;b&lt;c&gt;"));
    for text in [&agent, &task] {
        let declared = text.split_once("?>").expect("a declaration").1;
        let body = declared.split_once("dtd\">").map_or(declared, |(_, body)| body);
        assert!(roxmltree::Document::parse(body.trim()).is_ok(), "{text}");
    }
    let comment = agent.split_once("<!--").and_then(|(_, rest)| rest.split_once("-->"));
    let comment = comment.expect("a comment").0;
    assert!(comment.contains("co sync") && !comment.contains("--"), "{comment}");
}

#[test]
fn cron_gets_a_line_between_marks() {
    let block = job("/home/b%h/it's/co", "15m").cron_block().expect("it can");
    let line = "*/15 * * * * env PATH='/opt/a b/bin:/usr/bin' '/home/b\\%h/it'\\''s/co' 'sync' \
                '--timed' '15m' >/dev/null 2>&1";
    assert!(block.lines().any(|found| found == line), "{block}");
    for (every, times) in [
        ("5m", Some("*/5 * * * *")),
        ("30m", Some("*/30 * * * *")),
        ("1h", Some("0 * * * *")),
        ("6h", Some("0 */6 * * *")),
        ("1d", Some("0 12 * * *")),
        ("7m", None),
        ("45m", None),
        ("90m", None),
        ("5h", None),
    ] {
        let block = job("/co", every).cron_block();
        let has = |times: &str| block.as_ref().is_some_and(|block| block.contains(times));
        assert!(times.map_or(block.is_none(), has), "{every}: {block:?}");
    }
    for before in ["", "MAILTO=me\n0 1 * * * backup\n", "0 1 * * * backup"] {
        let with = shell::with_block(before, &block);
        assert!(is_block_of(&with, "co-sync") && !is_block_of(&with, "co-sync-1"), "{with}");
        assert_eq!(shell::without_block(&with), before);
    }
}

#[test]
fn no_line_ends_early() {
    for odd in ["/a\nb/co", "/a\rb/co", "/a\u{1b}b/co", "/a\0b", "/\tco"] {
        assert_eq!(job(odd, "15m").unfit(), Some(odd));
    }
    assert_eq!(job(ODD, "15m").unfit(), None);
}

#[test]
fn of_a_path_what_is_absolute_and_fits_is_kept() {
    assert_eq!(search_path("/a:/b:/a:.:rel::/usr/bin", ':'), "/a:/b:/usr/bin:/usr/local/bin:/bin");
    assert_eq!(search_path("", ':'), "/usr/local/bin:/usr/bin:/bin");
    assert_eq!(search_path("C:\\a;C:\\b;C:\\a", ';'), "C:\\a;C:\\b");
    let long: Vec<String> = (0..200).map(|at| format!("/mnt/c/folder-{at}")).collect();
    let kept = search_path(&long.join(":"), ':');
    assert!(kept.len() < 650 && kept.starts_with("/mnt/c/folder-0:") && kept.ends_with(":/bin"));
}
