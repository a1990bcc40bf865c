//! What the systems' timers are told: units of systemd, an agent of launchd, a task of Windows, a
//! line of a crontab.
//!
//! Invariant: pure; every word is quoted as its system reads it. Must not know where the text goes,
//! nor how a system is made to read it.

use super::interval::Interval;
use crate::identity::shell;

/// What a timer starts, and how often.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Job {
    /// Of the units, the agent, the task: `co-sync`.
    pub name: String,
    pub every: Interval,
    pub program: String,
    pub arguments: Vec<String>,
    /// A timer starts with next to none of a person's variables.
    pub variables: Vec<(String, String)>,
    pub home: String,
}

/// Whether a unit, an agent or a task was written by co.
pub fn is_ours(text: &str) -> bool {
    text.contains("Written by `co sync")
}

impl Job {
    /// The first text with a character that no line can have.
    pub fn unfit(&self) -> Option<&str> {
        let of_variables = self.variables.iter().map(|(_, value)| value);
        let mut texts =
            self.arguments.iter().chain([&self.program, &self.home]).chain(of_variables);
        texts.find(|text| text.chars().any(char::is_control)).map(String::as_str)
    }

    fn head(&self) -> String {
        format!("Written by `co sync --every {}`; `co sync --every off` removes it.", self.every)
    }

    pub fn systemd_service(&self) -> String {
        let words = std::iter::once(&self.program).chain(&self.arguments);
        let command: Vec<String> = words.map(|word| of_systemd(word)).collect();
        let variable =
            |(name, value): &(String, String)| of_systemd(&format!("{name}={value}")) + "\n";
        let variables: String =
            self.variables.iter().map(|one| format!("Environment={}", variable(one))).collect();
        // The colon: nothing in it is a variable.
        format!(
            "# {}\n[Unit]\nDescription=Sync what AI agents know about you (co)\n\n[Service]\n\
             Type=oneshot\nExecStart=:{}\nWorkingDirectory=~\n{variables}\
             # The remote refused (8), or another co was at work (9): `co status` says so.\n\
             SuccessExitStatus=8 9\nTimeoutStartSec=15min\nNice=10\nLogLevelMax=notice\n",
            self.head(),
            command.join(" "),
        )
    }

    /// The time counts from the end of the last run, so that none overlaps.
    pub fn systemd_timer(&self) -> String {
        format!(
            "# {}\n[Unit]\nDescription=Sync what AI agents know about you (co), every {}\n\n\
             [Timer]\nOnStartupSec=2min\nOnUnitInactiveSec={}min\nAccuracySec=1min\n\n[Install]\n\
             WantedBy=timers.target\n",
            self.head(),
            self.every.in_words(),
            self.every.minutes(),
        )
    }

    pub fn launchd_agent(&self) -> String {
        let string = |text: &str| format!("<string>{}</string>", of_xml(text));
        let words = std::iter::once(&self.program).chain(&self.arguments);
        let words: String = words.map(|word| format!("\t\t{}\n", string(word))).collect();
        let variable = |(name, value): &(String, String)| {
            format!("\t\t<key>{}</key>\n\t\t{}\n", of_xml(name), string(value))
        };
        let variables: String = self.variables.iter().map(variable).collect();
        // No two hyphens, which a comment cannot have.
        let head = format!("Written by `co sync`, every {}; `co status` tells of it.", self.every);
        let text = |key: &str, text: &str| format!("\t<key>{key}</key>\n\t{}\n", string(text));
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE plist PUBLIC \"-//Apple//DTD \
             PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n<!-- {head} -->\n\
             <plist version=\"1.0\">\n<dict>\n{}\t<key>ProgramArguments</key>\n\t<array>\n{words}\
             \t</array>\n\t<key>EnvironmentVariables</key>\n\t<dict>\n{variables}\t</dict>\n{}\
             \t<key>StartInterval</key>\n\t<integer>{}</integer>\n\t<key>RunAtLoad</key>\n\
             \t<true/>\n\t<key>LowPriorityIO</key>\n\t<true/>\n{}{}{}</dict>\n</plist>\n",
            text("Label", &self.name),
            text("WorkingDirectory", &self.home),
            self.every.minutes() * 60,
            text("ProcessType", "Background"),
            text("StandardOutPath", "/dev/null"),
            text("StandardErrorPath", "/dev/null"),
        )
    }

    /// A task starts with the account's own variables. `conhost --headless` keeps its window away.
    pub fn windows_task(&self) -> String {
        let words = std::iter::once(&self.program).chain(&self.arguments);
        let words: Vec<String> = words.map(|word| format!("\"{word}\"")).collect();
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-16\"?>\r\n<Task version=\"1.2\" \
             xmlns=\"http://schemas.microsoft.com/windows/2004/02/mit/task\">\r\n  \
             <RegistrationInfo><Description>{}</Description></RegistrationInfo>\r\n  <Triggers>\
             <TimeTrigger><Repetition><Interval>PT{}M</Interval></Repetition><StartBoundary>\
             2026-01-01T00:00:00</StartBoundary></TimeTrigger></Triggers>\r\n  <Settings>\
             <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>\
             <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>\
             <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries><StartWhenAvailable>true\
             </StartWhenAvailable><ExecutionTimeLimit>PT15M</ExecutionTimeLimit><Priority>8\
             </Priority></Settings>\r\n  <Actions><Exec><Command>conhost.exe</Command><Arguments>\
             --headless {}</Arguments><WorkingDirectory>{}</WorkingDirectory></Exec></Actions>\r\n\
             </Task>\r\n",
            of_xml(&self.head()),
            self.every.minutes(),
            of_xml(&words.join(" ")),
            of_xml(&self.home),
        )
    }

    /// Co's block of a crontab; `None` if cron cannot run anything this often.
    pub fn cron_block(&self) -> Option<String> {
        let minutes = self.every.minutes();
        let times = match (minutes, minutes / 60) {
            (..60, _) if 60 % minutes == 0 => format!("*/{minutes} * * * *"),
            (60, _) => "0 * * * *".to_owned(),
            (1440, _) => "0 12 * * *".to_owned(),
            (_, hours) if minutes.is_multiple_of(60) && 24 % hours == 0 => {
                format!("0 */{hours} * * *")
            }
            _ => return None,
        };
        let variable =
            |(name, value): &(String, String)| format!("{name}={} ", shell::quoted(value));
        let variables: String = self.variables.iter().map(variable).collect();
        let words = std::iter::once(&self.program).chain(&self.arguments);
        let command: Vec<String> = words.map(|word| shell::quoted(word)).collect();
        // To cron, `%` is a line end.
        let command = format!("env {variables}{}", command.join(" ")).replace('%', "\\%");
        let block = format!(
            "# >>> co identity >>>\n# {}: {}\n{times} {command} >/dev/null 2>&1\n\
             # <<< co identity <<<",
            self.name,
            self.head()
        );
        Some(block)
    }
}

/// Whether the block of co in a crontab is that of this name.
pub fn is_block_of(crontab: &str, name: &str) -> bool {
    shell::has_block(crontab) && shell::block_of(crontab).contains(&format!("\n# {name}: "))
}

/// A word of a unit, in quotes, without its specifiers.
fn of_systemd(word: &str) -> String {
    let escaped = word.replace('\\', "\\\\").replace('"', "\\\"").replace('%', "%%");
    format!("\"{escaped}\"")
}

fn of_xml(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The folders of a search path that a timer gets: absolute ones, each once, and no more than a
/// line has room for; then those that every system has.
pub fn search_path(path: &str, separator: char) -> String {
    const ROOM: usize = 600;
    const USUAL: [&str; 3] = ["/usr/local/bin", "/usr/bin", "/bin"];
    let usual = USUAL.into_iter().filter(|_| separator == ':');
    let (mut kept, mut length): (Vec<&str>, usize) = (Vec::new(), 0);
    for folder in path.split(separator) {
        let is_absolute = folder.starts_with('/') || separator != ':';
        let is_new = !folder.is_empty() && !kept.contains(&folder);
        if is_absolute && is_new && length + folder.len() < ROOM {
            length += folder.len() + 1;
            kept.push(folder);
        }
    }
    let usual: Vec<&str> = usual.filter(|folder| !kept.contains(folder)).collect();
    kept.into_iter().chain(usual).collect::<Vec<&str>>().join(&separator.to_string())
}

#[cfg(test)]
mod tests;
