# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_co_global_optspecs
    string join \n identity= C= json q/quiet v/verbose color= h/help V/version
end

function __fish_co_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_co_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_co_using_subcommand
    set -l cmd (__fish_co_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c co -n "__fish_co_needs_command" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_needs_command" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_needs_command" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_needs_command" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_needs_command" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_needs_command" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_needs_command" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_needs_command" -f -a "init" -d 'Create your identity, adopt a folder, or bring it from another laptop'
complete -c co -n "__fish_co_needs_command" -f -a "status" -d 'Show identity, repository and remote on one screen'
complete -c co -n "__fish_co_needs_command" -f -a "learn" -d 'Save a fact'
complete -c co -n "__fish_co_needs_command" -f -a "recall" -d 'Find facts that answer a question'
complete -c co -n "__fish_co_needs_command" -f -a "list" -d 'List all facts'
complete -c co -n "__fish_co_needs_command" -f -a "show" -d 'Print one fact'
complete -c co -n "__fish_co_needs_command" -f -a "edit" -d 'Change a fact\'s text or tags'
complete -c co -n "__fish_co_needs_command" -f -a "forget" -d 'Forget a fact, here and with the next sync everywhere'
complete -c co -n "__fish_co_needs_command" -f -a "sync" -d 'Merge with the remote: commit, fetch, merge by fact, push'
complete -c co -n "__fish_co_needs_command" -f -a "diff" -d 'Show what an import, a sync, or your own edits change'
complete -c co -n "__fish_co_needs_command" -f -a "check" -d 'Find what is wrong with the files, and mend what can be mended'
complete -c co -n "__fish_co_needs_command" -f -a "log" -d 'Show what each command changed here, newest first; with a handle, the life of one fact'
complete -c co -n "__fish_co_needs_command" -f -a "undo" -d 'Take back the last operation of this laptop'
complete -c co -n "__fish_co_needs_command" -f -a "redo" -d 'Take the last undo back'
complete -c co -n "__fish_co_needs_command" -f -a "context" -d 'Print what an agent should know at the start of a session'
complete -c co -n "__fish_co_needs_command" -f -a "identity" -d 'Check, sync and look after the identity'
complete -c co -n "__fish_co_needs_command" -f -a "memory" -d 'Save, find, change and forget single facts'
complete -c co -n "__fish_co_needs_command" -f -a "knowledge" -d 'List what is known'
complete -c co -n "__fish_co_needs_command" -f -a "secret" -d 'Keep values in the keyring, and tokens out of the identity'
complete -c co -n "__fish_co_needs_command" -f -a "hook" -d 'What git and agents call'
complete -c co -n "__fish_co_needs_command" -f -a "completions" -d 'Print the completions of a shell'
complete -c co -n "__fish_co_needs_command" -f -a "man" -d 'Print the manual page of co'
complete -c co -n "__fish_co_needs_command" -f -a "help" -d 'Explain a command or a topic'
complete -c co -n "__fish_co_needs_command" -f -a "home" -d 'Where things stand, in three lines'
complete -c co -n "__fish_co_using_subcommand init" -l name -d 'Your name, for the profile' -r
complete -c co -n "__fish_co_using_subcommand init" -l timezone -d 'Your time zone, as Europe/Berlin' -r
complete -c co -n "__fish_co_using_subcommand init" -l remote -d 'The git remote of a new identity' -r
complete -c co -n "__fish_co_using_subcommand init" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand init" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand init" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand init" -l hooks -d 'Also install the merge driver and the git hooks (`co identity install`)'
complete -c co -n "__fish_co_using_subcommand init" -s y -l yes -d 'Do not ask'
complete -c co -n "__fish_co_using_subcommand init" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand init" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand init" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand init" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand init" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand status" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand status" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand status" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand status" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand status" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand status" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand status" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand status" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand learn" -s t -l tag -d 'A tag; may be given several times' -r
complete -c co -n "__fish_co_using_subcommand learn" -l scope -d 'Where it belongs (default: the project when inside one)' -r -f -a "identity\t'Travels with you'
project\t'`.co-cli/` of the project you stand in'"
complete -c co -n "__fish_co_using_subcommand learn" -l source -d 'Who said it' -r
complete -c co -n "__fish_co_using_subcommand learn" -l allow-secret -d 'Let pass what this rule of the secret scanner finds; may be given several times' -r
complete -c co -n "__fish_co_using_subcommand learn" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand learn" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand learn" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand learn" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand learn" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand learn" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand learn" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand learn" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand recall" -s n -l limit -d 'At most so many answers' -r
complete -c co -n "__fish_co_using_subcommand recall" -l scope -d 'Only in this scope' -r -f -a "identity\t'Travels with you'
project\t'`.co-cli/` of the project you stand in'"
complete -c co -n "__fish_co_using_subcommand recall" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand recall" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand recall" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand recall" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand recall" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand recall" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand recall" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand recall" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand list" -s t -l tag -d 'Only facts with this tag; may be given several times' -r
complete -c co -n "__fish_co_using_subcommand list" -l scope -d 'Only in this scope' -r -f -a "identity\t'Travels with you'
project\t'`.co-cli/` of the project you stand in'"
complete -c co -n "__fish_co_using_subcommand list" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand list" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand list" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand list" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand list" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand list" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand list" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand show" -l scope -d 'Only in this scope' -r -f -a "identity\t'Travels with you'
project\t'`.co-cli/` of the project you stand in'"
complete -c co -n "__fish_co_using_subcommand show" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand show" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand show" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand show" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand show" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand show" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand show" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand edit" -s t -l tag -d 'The new tags, replacing the old ones; may be given several times' -r
complete -c co -n "__fish_co_using_subcommand edit" -l scope -d 'Only in this scope' -r -f -a "identity\t'Travels with you'
project\t'`.co-cli/` of the project you stand in'"
complete -c co -n "__fish_co_using_subcommand edit" -l allow-secret -d 'Let pass what this rule of the secret scanner finds; may be given several times' -r
complete -c co -n "__fish_co_using_subcommand edit" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand edit" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand edit" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand edit" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand edit" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand edit" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand edit" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand edit" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand forget" -l scope -d 'Only in this scope' -r -f -a "identity\t'Travels with you'
project\t'`.co-cli/` of the project you stand in'"
complete -c co -n "__fish_co_using_subcommand forget" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand forget" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand forget" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand forget" -s y -l yes -d 'Do not ask before forgetting a single match'
complete -c co -n "__fish_co_using_subcommand forget" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand forget" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand forget" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand forget" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand forget" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand sync" -l allow-secret -d 'Let pass what this rule of the secret scanner finds; may be given several times' -r
complete -c co -n "__fish_co_using_subcommand sync" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand sync" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand sync" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand sync" -l accept-deletions -d 'Let facts go for good whose files were removed without `co forget`'
complete -c co -n "__fish_co_using_subcommand sync" -l require-remote -d 'Fail (exit 8) when the remote cannot be reached'
complete -c co -n "__fish_co_using_subcommand sync" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand sync" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand sync" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand sync" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand sync" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand diff" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand diff" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand diff" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand diff" -l replace -d 'As `import --replace` would change it'
complete -c co -n "__fish_co_using_subcommand diff" -l restore-forgotten -d 'As `import --restore-forgotten` would change it'
complete -c co -n "__fish_co_using_subcommand diff" -l stat -d 'One line per file'
complete -c co -n "__fish_co_using_subcommand diff" -s p -l patch -d 'The files line by line, as `git diff` prints them'
complete -c co -n "__fish_co_using_subcommand diff" -l exit-code -d 'Exit 1 when something differs'
complete -c co -n "__fish_co_using_subcommand diff" -l no-pager -d 'Do not page, even on a terminal'
complete -c co -n "__fish_co_using_subcommand diff" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand diff" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand diff" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand diff" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand diff" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand check" -l allow-secret -d 'Let pass what this rule of the secret scanner finds; may be given several times' -r
complete -c co -n "__fish_co_using_subcommand check" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand check" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand check" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand check" -l fix -d 'Mend what can be mended'
complete -c co -n "__fish_co_using_subcommand check" -l staged -d 'What the next `git commit` would commit, instead of the files'
complete -c co -n "__fish_co_using_subcommand check" -l history -d 'Every version in every commit, instead of the files'
complete -c co -n "__fish_co_using_subcommand check" -l strict -d 'Fail on warnings, too'
complete -c co -n "__fish_co_using_subcommand check" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand check" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand check" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand check" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand check" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand log" -s n -l limit -d 'At most so many operations' -r
complete -c co -n "__fish_co_using_subcommand log" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand log" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand log" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand log" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand log" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand log" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand log" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand log" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand undo" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand undo" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand undo" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand undo" -l dry-run -d 'Only show what would come back'
complete -c co -n "__fish_co_using_subcommand undo" -l accept-deletions -d 'Also take back what came from other laptops'
complete -c co -n "__fish_co_using_subcommand undo" -s y -l yes -d 'Do not ask'
complete -c co -n "__fish_co_using_subcommand undo" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand undo" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand undo" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand undo" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand undo" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand redo" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand redo" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand redo" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand redo" -l dry-run -d 'Only show what would come back'
complete -c co -n "__fish_co_using_subcommand redo" -s y -l yes -d 'Do not ask'
complete -c co -n "__fish_co_using_subcommand redo" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand redo" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand redo" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand redo" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand redo" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand context" -l format -d 'How it is written' -r -f -a "markdown\t'As it stands in the files'
xml\t'One element per layer'
json\t'The JSON envelope'"
complete -c co -n "__fish_co_using_subcommand context" -l token-budget -d 'Cut to about so many tokens' -r
complete -c co -n "__fish_co_using_subcommand context" -l layer -d 'Only this layer; may be given several times' -r -f -a "system\t'system.md'
personality\t'personality.md'
profile\t'profile.md and profile/*.md'
global-knowledge\t'knowledge/context.md'
traits\t'traits/*.md'
project-knowledge\t'.co-cli/knowledge/context.md'
project-instructions\t'.co-cli/instructions.md'
memories\t'Pinned facts, then the newest'"
complete -c co -n "__fish_co_using_subcommand context" -l wrap -d 'Wrap it as agents expect a reminder' -r -f -a "system-reminder\t'`<system-reminder>`'"
complete -c co -n "__fish_co_using_subcommand context" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand context" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand context" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand context" -l explain -d 'Show each layer with its file, bytes, tokens and what was cut, instead of the text'
complete -c co -n "__fish_co_using_subcommand context" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand context" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand context" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand context" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand context" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand identity; and not __fish_seen_subcommand_from path show check sync diff import export restore log undo redo install uninstall move remote" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand identity; and not __fish_seen_subcommand_from path show check sync diff import export restore log undo redo install uninstall move remote" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand identity; and not __fish_seen_subcommand_from path show check sync diff import export restore log undo redo install uninstall move remote" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand identity; and not __fish_seen_subcommand_from path show check sync diff import export restore log undo redo install uninstall move remote" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand identity; and not __fish_seen_subcommand_from path show check sync diff import export restore log undo redo install uninstall move remote" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand identity; and not __fish_seen_subcommand_from path show check sync diff import export restore log undo redo install uninstall move remote" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand identity; and not __fish_seen_subcommand_from path show check sync diff import export restore log undo redo install uninstall move remote" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand identity; and not __fish_seen_subcommand_from path show check sync diff import export restore log undo redo install uninstall move remote" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand identity; and not __fish_seen_subcommand_from path show check sync diff import export restore log undo redo install uninstall move remote" -f -a "path" -d 'Print where the identity is'
complete -c co -n "__fish_co_using_subcommand identity; and not __fish_seen_subcommand_from path show check sync diff import export restore log undo redo install uninstall move remote" -f -a "show" -d 'Print the identity\'s files, or one of them, now or as a commit has it'
complete -c co -n "__fish_co_using_subcommand identity; and not __fish_seen_subcommand_from path show check sync diff import export restore log undo redo install uninstall move remote" -f -a "check" -d 'Find what is wrong with the files, and mend what can be mended'
complete -c co -n "__fish_co_using_subcommand identity; and not __fish_seen_subcommand_from path show check sync diff import export restore log undo redo install uninstall move remote" -f -a "sync" -d 'Merge with the remote: commit, fetch, merge by fact, push'
complete -c co -n "__fish_co_using_subcommand identity; and not __fish_seen_subcommand_from path show check sync diff import export restore log undo redo install uninstall move remote" -f -a "diff" -d 'Show what an import, a sync, or your own edits change; without a source, your edits since the last commit'
complete -c co -n "__fish_co_using_subcommand identity; and not __fish_seen_subcommand_from path show check sync diff import export restore log undo redo install uninstall move remote" -f -a "import" -d 'Take in another identity, after showing what it changes'
complete -c co -n "__fish_co_using_subcommand identity; and not __fish_seen_subcommand_from path show check sync diff import export restore log undo redo install uninstall move remote" -f -a "export" -d 'Write the identity into an archive or a folder'
complete -c co -n "__fish_co_using_subcommand identity; and not __fish_seen_subcommand_from path show check sync diff import export restore log undo redo install uninstall move remote" -f -a "restore" -d 'Bring files back as a commit has them'
complete -c co -n "__fish_co_using_subcommand identity; and not __fish_seen_subcommand_from path show check sync diff import export restore log undo redo install uninstall move remote" -f -a "log" -d 'Show what each command changed here, newest first; with a handle, the life of one fact'
complete -c co -n "__fish_co_using_subcommand identity; and not __fish_seen_subcommand_from path show check sync diff import export restore log undo redo install uninstall move remote" -f -a "undo" -d 'Take back the last operation of this laptop'
complete -c co -n "__fish_co_using_subcommand identity; and not __fish_seen_subcommand_from path show check sync diff import export restore log undo redo install uninstall move remote" -f -a "redo" -d 'Take the last undo back'
complete -c co -n "__fish_co_using_subcommand identity; and not __fish_seen_subcommand_from path show check sync diff import export restore log undo redo install uninstall move remote" -f -a "install" -d 'Let plain git merge facts as sync does (merge driver), and check before each commit (hooks)'
complete -c co -n "__fish_co_using_subcommand identity; and not __fish_seen_subcommand_from path show check sync diff import export restore log undo redo install uninstall move remote" -f -a "uninstall" -d 'Take the merge driver and the hooks out again'
complete -c co -n "__fish_co_using_subcommand identity; and not __fish_seen_subcommand_from path show check sync diff import export restore log undo redo install uninstall move remote" -f -a "move" -d 'Move the identity into another folder, as into a dotfiles repository'
complete -c co -n "__fish_co_using_subcommand identity; and not __fish_seen_subcommand_from path show check sync diff import export restore log undo redo install uninstall move remote" -f -a "remote" -d 'Print the remote, or set it'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from path" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from path" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from path" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from path" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from path" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from path" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from path" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from path" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from show" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from show" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from show" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from show" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from show" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from show" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from show" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from check" -l allow-secret -d 'Let pass what this rule of the secret scanner finds; may be given several times' -r
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from check" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from check" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from check" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from check" -l fix -d 'Mend what can be mended'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from check" -l staged -d 'What the next `git commit` would commit, instead of the files'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from check" -l history -d 'Every version in every commit, instead of the files'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from check" -l strict -d 'Fail on warnings, too'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from check" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from check" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from check" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from check" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from check" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from sync" -l allow-secret -d 'Let pass what this rule of the secret scanner finds; may be given several times' -r
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from sync" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from sync" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from sync" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from sync" -l accept-deletions -d 'Let facts go for good whose files were removed without `co forget`'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from sync" -l require-remote -d 'Fail (exit 8) when the remote cannot be reached'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from sync" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from sync" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from sync" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from sync" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from sync" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from diff" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from diff" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from diff" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from diff" -l replace -d 'As `import --replace` would change it'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from diff" -l restore-forgotten -d 'As `import --restore-forgotten` would change it'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from diff" -l stat -d 'One line per file'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from diff" -s p -l patch -d 'The files line by line, as `git diff` prints them'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from diff" -l exit-code -d 'Exit 1 when something differs'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from diff" -l no-pager -d 'Do not page, even on a terminal'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from diff" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from diff" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from diff" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from diff" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from diff" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from import" -l allow-secret -d 'Let pass what this rule of the secret scanner finds; may be given several times' -r
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from import" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from import" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from import" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from import" -l merge -d 'Join with what is here (the default)'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from import" -l replace -d 'Take it in place of what is here'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from import" -l restore-forgotten -d 'Also take facts that were forgotten here'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from import" -l select -d 'Choose fact by fact'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from import" -l dry-run -d 'Only show what would change'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from import" -s y -l yes -d 'Agree to all of it'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from import" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from import" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from import" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from import" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from import" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from export" -l format -d 'An archive, or a plain folder' -r -f -a "tar.gz\t'One gzipped tar archive'
dir\t'A folder'"
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from export" -l allow-secret -d 'Let pass what this rule of the secret scanner finds; may be given several times' -r
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from export" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from export" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from export" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from export" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from export" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from export" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from export" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from export" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from restore" -l from -d 'The commit to take them from' -r
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from restore" -l allow-secret -d 'Let pass what this rule of the secret scanner finds; may be given several times' -r
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from restore" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from restore" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from restore" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from restore" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from restore" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from restore" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from restore" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from restore" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from log" -s n -l limit -d 'At most so many operations' -r
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from log" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from log" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from log" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from log" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from log" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from log" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from log" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from log" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from undo" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from undo" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from undo" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from undo" -l dry-run -d 'Only show what would come back'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from undo" -l accept-deletions -d 'Also take back what came from other laptops'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from undo" -s y -l yes -d 'Do not ask'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from undo" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from undo" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from undo" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from undo" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from undo" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from redo" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from redo" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from redo" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from redo" -l dry-run -d 'Only show what would come back'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from redo" -s y -l yes -d 'Do not ask'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from redo" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from redo" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from redo" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from redo" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from redo" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from install" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from install" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from install" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from install" -l dry-run -d 'Only show what would be done'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from install" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from install" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from install" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from install" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from install" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from uninstall" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from uninstall" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from uninstall" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from uninstall" -l dry-run -d 'Only show what would be done'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from uninstall" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from uninstall" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from uninstall" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from uninstall" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from uninstall" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from move" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from move" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from move" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from move" -l dry-run -d 'Only show what would be done'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from move" -s y -l yes -d 'Do not ask'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from move" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from move" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from move" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from move" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from move" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from remote" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from remote" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from remote" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from remote" -s y -l yes -d 'Do not ask'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from remote" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from remote" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from remote" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from remote" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand identity; and __fish_seen_subcommand_from remote" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand memory; and not __fish_seen_subcommand_from save recall list show edit pin forget" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand memory; and not __fish_seen_subcommand_from save recall list show edit pin forget" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand memory; and not __fish_seen_subcommand_from save recall list show edit pin forget" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand memory; and not __fish_seen_subcommand_from save recall list show edit pin forget" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand memory; and not __fish_seen_subcommand_from save recall list show edit pin forget" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand memory; and not __fish_seen_subcommand_from save recall list show edit pin forget" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand memory; and not __fish_seen_subcommand_from save recall list show edit pin forget" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand memory; and not __fish_seen_subcommand_from save recall list show edit pin forget" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand memory; and not __fish_seen_subcommand_from save recall list show edit pin forget" -f -a "save" -d 'Save a fact'
complete -c co -n "__fish_co_using_subcommand memory; and not __fish_seen_subcommand_from save recall list show edit pin forget" -f -a "recall" -d 'Find facts that answer a question'
complete -c co -n "__fish_co_using_subcommand memory; and not __fish_seen_subcommand_from save recall list show edit pin forget" -f -a "list" -d 'List all facts'
complete -c co -n "__fish_co_using_subcommand memory; and not __fish_seen_subcommand_from save recall list show edit pin forget" -f -a "show" -d 'Print one fact'
complete -c co -n "__fish_co_using_subcommand memory; and not __fish_seen_subcommand_from save recall list show edit pin forget" -f -a "edit" -d 'Change a fact\'s text or tags'
complete -c co -n "__fish_co_using_subcommand memory; and not __fish_seen_subcommand_from save recall list show edit pin forget" -f -a "pin" -d 'Keep a fact on top of lists'
complete -c co -n "__fish_co_using_subcommand memory; and not __fish_seen_subcommand_from save recall list show edit pin forget" -f -a "forget" -d 'Forget a fact, here and with the next sync everywhere'
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from save" -s t -l tag -d 'A tag; may be given several times' -r
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from save" -l scope -d 'Where it belongs (default: the project when inside one)' -r -f -a "identity\t'Travels with you'
project\t'`.co-cli/` of the project you stand in'"
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from save" -l source -d 'Who said it' -r
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from save" -l allow-secret -d 'Let pass what this rule of the secret scanner finds; may be given several times' -r
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from save" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from save" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from save" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from save" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from save" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from save" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from save" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from save" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from recall" -s n -l limit -d 'At most so many answers' -r
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from recall" -l scope -d 'Only in this scope' -r -f -a "identity\t'Travels with you'
project\t'`.co-cli/` of the project you stand in'"
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from recall" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from recall" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from recall" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from recall" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from recall" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from recall" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from recall" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from recall" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from list" -s t -l tag -d 'Only facts with this tag; may be given several times' -r
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from list" -l scope -d 'Only in this scope' -r -f -a "identity\t'Travels with you'
project\t'`.co-cli/` of the project you stand in'"
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from list" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from list" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from list" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from list" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from list" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from list" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from list" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from show" -l scope -d 'Only in this scope' -r -f -a "identity\t'Travels with you'
project\t'`.co-cli/` of the project you stand in'"
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from show" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from show" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from show" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from show" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from show" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from show" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from show" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from edit" -s t -l tag -d 'The new tags, replacing the old ones; may be given several times' -r
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from edit" -l scope -d 'Only in this scope' -r -f -a "identity\t'Travels with you'
project\t'`.co-cli/` of the project you stand in'"
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from edit" -l allow-secret -d 'Let pass what this rule of the secret scanner finds; may be given several times' -r
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from edit" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from edit" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from edit" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from edit" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from edit" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from edit" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from edit" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from edit" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from pin" -l scope -d 'Only in this scope' -r -f -a "identity\t'Travels with you'
project\t'`.co-cli/` of the project you stand in'"
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from pin" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from pin" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from pin" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from pin" -l off -d 'Take the pin out again'
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from pin" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from pin" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from pin" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from pin" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from pin" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from forget" -l scope -d 'Only in this scope' -r -f -a "identity\t'Travels with you'
project\t'`.co-cli/` of the project you stand in'"
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from forget" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from forget" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from forget" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from forget" -s y -l yes -d 'Do not ask before forgetting a single match'
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from forget" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from forget" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from forget" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from forget" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand memory; and __fish_seen_subcommand_from forget" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand knowledge" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand knowledge" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand knowledge" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand knowledge" -l list -d 'List all facts'
complete -c co -n "__fish_co_using_subcommand knowledge" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand knowledge" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand knowledge" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand knowledge" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand knowledge" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand secret; and not __fish_seen_subcommand_from set get list rm status scan" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand secret; and not __fish_seen_subcommand_from set get list rm status scan" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand secret; and not __fish_seen_subcommand_from set get list rm status scan" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand secret; and not __fish_seen_subcommand_from set get list rm status scan" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand secret; and not __fish_seen_subcommand_from set get list rm status scan" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand secret; and not __fish_seen_subcommand_from set get list rm status scan" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand secret; and not __fish_seen_subcommand_from set get list rm status scan" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand secret; and not __fish_seen_subcommand_from set get list rm status scan" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand secret; and not __fish_seen_subcommand_from set get list rm status scan" -f -a "set" -d 'Store a value in the keyring: asked for without echo, or read from standard input'
complete -c co -n "__fish_co_using_subcommand secret; and not __fish_seen_subcommand_from set get list rm status scan" -f -a "get" -d 'Print a value'
complete -c co -n "__fish_co_using_subcommand secret; and not __fish_seen_subcommand_from set get list rm status scan" -f -a "list" -d 'List the names in the keyring, never the values'
complete -c co -n "__fish_co_using_subcommand secret; and not __fish_seen_subcommand_from set get list rm status scan" -f -a "rm" -d 'Remove a value from the keyring'
complete -c co -n "__fish_co_using_subcommand secret; and not __fish_seen_subcommand_from set get list rm status scan" -f -a "status" -d 'Show which secrets the identity mentions, and which of them this laptop lacks'
complete -c co -n "__fish_co_using_subcommand secret; and not __fish_seen_subcommand_from set get list rm status scan" -f -a "scan" -d 'Find tokens, keys and passwords in files, and in what is committed already'
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from set" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from set" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from set" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from set" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from set" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from set" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from set" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from set" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from get" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from get" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from get" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from get" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from get" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from get" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from get" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from get" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from list" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from list" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from list" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from list" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from list" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from list" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from list" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from rm" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from rm" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from rm" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from rm" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from rm" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from rm" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from rm" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from rm" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from status" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from status" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from status" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from status" -l exit-code -d 'Exit 1 when one is missing'
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from status" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from status" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from status" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from status" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from status" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from scan" -l allow-secret -d 'Let pass what this rule of the secret scanner finds; may be given several times' -r
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from scan" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from scan" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from scan" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from scan" -l history -d 'Every version in every commit, instead of the files'
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from scan" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from scan" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from scan" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from scan" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand secret; and __fish_seen_subcommand_from scan" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand hook; and not __fish_seen_subcommand_from pre-commit post-merge post-rewrite session-start credential merge-driver" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand hook; and not __fish_seen_subcommand_from pre-commit post-merge post-rewrite session-start credential merge-driver" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand hook; and not __fish_seen_subcommand_from pre-commit post-merge post-rewrite session-start credential merge-driver" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand hook; and not __fish_seen_subcommand_from pre-commit post-merge post-rewrite session-start credential merge-driver" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand hook; and not __fish_seen_subcommand_from pre-commit post-merge post-rewrite session-start credential merge-driver" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand hook; and not __fish_seen_subcommand_from pre-commit post-merge post-rewrite session-start credential merge-driver" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand hook; and not __fish_seen_subcommand_from pre-commit post-merge post-rewrite session-start credential merge-driver" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand hook; and not __fish_seen_subcommand_from pre-commit post-merge post-rewrite session-start credential merge-driver" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand hook; and not __fish_seen_subcommand_from pre-commit post-merge post-rewrite session-start credential merge-driver" -f -a "pre-commit" -d 'Check what is about to be committed (exit 1 stops the commit)'
complete -c co -n "__fish_co_using_subcommand hook; and not __fish_seen_subcommand_from pre-commit post-merge post-rewrite session-start credential merge-driver" -f -a "post-merge" -d 'Put the identity in order after plain git merged'
complete -c co -n "__fish_co_using_subcommand hook; and not __fish_seen_subcommand_from pre-commit post-merge post-rewrite session-start credential merge-driver" -f -a "post-rewrite" -d 'Put the identity in order after plain git rebased'
complete -c co -n "__fish_co_using_subcommand hook; and not __fish_seen_subcommand_from pre-commit post-merge post-rewrite session-start credential merge-driver" -f -a "session-start" -d 'Print what an agent should know, at most 10,000 characters'
complete -c co -n "__fish_co_using_subcommand hook; and not __fish_seen_subcommand_from pre-commit post-merge post-rewrite session-start credential merge-driver" -f -a "credential" -d 'Answer git\'s question for the login of a remote, from sync.username and sync.password in settings.json'
complete -c co -n "__fish_co_using_subcommand hook; and not __fish_seen_subcommand_from pre-commit post-merge post-rewrite session-start credential merge-driver" -f -a "merge-driver" -d 'Merge one file for git (%O %A %B %L %P)'
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from pre-commit" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from pre-commit" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from pre-commit" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from pre-commit" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from pre-commit" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from pre-commit" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from pre-commit" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from pre-commit" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from post-merge" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from post-merge" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from post-merge" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from post-merge" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from post-merge" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from post-merge" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from post-merge" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from post-merge" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from post-rewrite" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from post-rewrite" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from post-rewrite" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from post-rewrite" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from post-rewrite" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from post-rewrite" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from post-rewrite" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from post-rewrite" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from session-start" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from session-start" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from session-start" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from session-start" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from session-start" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from session-start" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from session-start" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from session-start" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from credential" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from credential" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from credential" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from credential" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from credential" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from credential" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from credential" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from credential" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from merge-driver" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from merge-driver" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from merge-driver" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from merge-driver" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from merge-driver" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from merge-driver" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from merge-driver" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand hook; and __fish_seen_subcommand_from merge-driver" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand completions" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand completions" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand completions" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand completions" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand completions" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand completions" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand completions" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand completions" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand man" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand man" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand man" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand man" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand man" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand man" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand man" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand man" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand help" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand help" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand help" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand help" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand help" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand help" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand help" -s V -l version -d 'Print version'
complete -c co -n "__fish_co_using_subcommand home" -l identity -d 'Use the identity in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand home" -s C -d 'Work as if started in this folder' -r -F
complete -c co -n "__fish_co_using_subcommand home" -l color -d 'When to use colours (NO_COLOR is honoured)' -r -f -a "auto\t'On a terminal'
always\t'Always'
never\t'Never'"
complete -c co -n "__fish_co_using_subcommand home" -l json -d 'Print one JSON object instead of text'
complete -c co -n "__fish_co_using_subcommand home" -s q -l quiet -d 'Print nothing but data and errors'
complete -c co -n "__fish_co_using_subcommand home" -s v -l verbose -d 'Print why, not only what'
complete -c co -n "__fish_co_using_subcommand home" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c co -n "__fish_co_using_subcommand home" -s V -l version -d 'Print version'
