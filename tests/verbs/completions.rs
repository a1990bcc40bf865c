//! `co completions`: what a shell asks co, and what it is answered.

use crate::support::World;

#[test]
fn a_shell_completes_handles_tags_operations_and_topics() {
    let world = World::new();
    let laptop = world.laptop("a");
    laptop.co(&["init", "--yes"]);
    laptop.co(&["learn", "Prefers tea", "--tag", "drinks"]);
    laptop.co(&["learn", "Lives in Bern", "--tag", "home"]);
    let script = r#"
        eval "$(co completions bash)"
        for line in "co show " "co learn x --tag " "co undo " "co help dot" "co --identity nowhere show "; do
            COMP_LINE=$line COMP_TYPE=9; read -ra COMP_WORDS <<<"$line"
            [ "${line% }" = "$line" ] || COMP_WORDS+=("")
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
            _clap_complete_co co "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
            echo "$line: $(printf '%s\n' "${COMPREPLY[@]}" | grep -v ^- | tr '\n' ' ')"
        done"#;
    let folder = std::path::Path::new(env!("CARGO_BIN_EXE_co")).parent().expect("a folder");
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    let output = laptop
        .with_env("PATH", &path)
        .command_of("bash", &["--norc", "-c", script])
        .output()
        .expect("bash runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(
        said.lines().collect::<Vec<_>>(),
        [
            "co show : 1 2 last ",
            "co learn x --tag : drinks home ",
            "co undo : o2 o1 ",
            "co help dot: dotfiles ",
            "co --identity nowhere show : ",
        ],
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
