
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'co' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'co'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'co' {
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Use the identity in this folder')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work as if started in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours (NO_COLOR is honoured)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('init', 'init', [CompletionResultType]::ParameterValue, 'Create your identity, adopt a folder, or bring it from another laptop')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Show identity, repository and remote on one screen')
            [CompletionResult]::new('identity', 'identity', [CompletionResultType]::ParameterValue, 'Check, sync and look after the identity')
            [CompletionResult]::new('memory', 'memory', [CompletionResultType]::ParameterValue, 'Save, find, change and forget single facts')
            [CompletionResult]::new('learn', 'learn', [CompletionResultType]::ParameterValue, 'Save a fact (short for `co memory save`)')
            [CompletionResult]::new('recall', 'recall', [CompletionResultType]::ParameterValue, 'Find facts (short for `co memory recall`)')
            [CompletionResult]::new('forget', 'forget', [CompletionResultType]::ParameterValue, 'Forget a fact (short for `co memory forget`)')
            [CompletionResult]::new('context', 'context', [CompletionResultType]::ParameterValue, 'Print what an agent should know at the start of a session')
            [CompletionResult]::new('knowledge', 'knowledge', [CompletionResultType]::ParameterValue, 'List what is known')
            [CompletionResult]::new('hook', 'hook', [CompletionResultType]::ParameterValue, 'What git and agents call')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print the completions of a shell')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Print the manual page of co')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Explain a command or a topic')
            break
        }
        'co;init' {
            [CompletionResult]::new('--name', '--name', [CompletionResultType]::ParameterName, 'Your name, for the profile')
            [CompletionResult]::new('--timezone', '--timezone', [CompletionResultType]::ParameterName, 'Your time zone, as Europe/Berlin')
            [CompletionResult]::new('--remote', '--remote', [CompletionResultType]::ParameterName, 'The git remote of a new identity')
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Use the identity in this folder')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work as if started in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours (NO_COLOR is honoured)')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'co;status' {
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Use the identity in this folder')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work as if started in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours (NO_COLOR is honoured)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'co;identity' {
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Use the identity in this folder')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work as if started in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours (NO_COLOR is honoured)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('path', 'path', [CompletionResultType]::ParameterValue, 'Print where the identity is')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Print the identity''s files, or one of them, now or as a commit has it')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Find what is wrong with the files, and mend what can be mended')
            [CompletionResult]::new('sync', 'sync', [CompletionResultType]::ParameterValue, 'Merge with the remote: commit, fetch, merge by fact, push')
            [CompletionResult]::new('diff', 'diff', [CompletionResultType]::ParameterValue, 'Show what an import, a sync, or your own edits change; without a source, your edits since the last commit')
            [CompletionResult]::new('import', 'import', [CompletionResultType]::ParameterValue, 'Take in another identity, after showing what it changes')
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Write the identity into an archive or a folder')
            [CompletionResult]::new('restore', 'restore', [CompletionResultType]::ParameterValue, 'Bring files back as a commit has them')
            [CompletionResult]::new('log', 'log', [CompletionResultType]::ParameterValue, 'Show what each command changed here, newest first; with a handle, the life of one fact')
            [CompletionResult]::new('undo', 'undo', [CompletionResultType]::ParameterValue, 'Take back the last operation of this laptop')
            [CompletionResult]::new('install', 'install', [CompletionResultType]::ParameterValue, 'Let plain git merge facts as sync does (merge driver), and check before each commit (hooks)')
            [CompletionResult]::new('uninstall', 'uninstall', [CompletionResultType]::ParameterValue, 'Take the merge driver and the hooks out again')
            [CompletionResult]::new('remote', 'remote', [CompletionResultType]::ParameterValue, 'Print the remote, or set it')
            break
        }
        'co;identity;path' {
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Use the identity in this folder')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work as if started in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours (NO_COLOR is honoured)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'co;identity;show' {
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Use the identity in this folder')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work as if started in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours (NO_COLOR is honoured)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'co;identity;check' {
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Use the identity in this folder')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work as if started in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours (NO_COLOR is honoured)')
            [CompletionResult]::new('--fix', '--fix', [CompletionResultType]::ParameterName, 'Mend what can be mended')
            [CompletionResult]::new('--staged', '--staged', [CompletionResultType]::ParameterName, 'What the next `git commit` would commit, instead of the files')
            [CompletionResult]::new('--history', '--history', [CompletionResultType]::ParameterName, 'Every version in every commit, instead of the files')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Fail on warnings, too')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'co;identity;sync' {
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Use the identity in this folder')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work as if started in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours (NO_COLOR is honoured)')
            [CompletionResult]::new('--accept-deletions', '--accept-deletions', [CompletionResultType]::ParameterName, 'Let facts go for good whose files were removed without `co forget`')
            [CompletionResult]::new('--require-remote', '--require-remote', [CompletionResultType]::ParameterName, 'Fail (exit 8) when the remote cannot be reached')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'co;identity;diff' {
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Use the identity in this folder')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work as if started in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours (NO_COLOR is honoured)')
            [CompletionResult]::new('--replace', '--replace', [CompletionResultType]::ParameterName, 'As `import --replace` would change it')
            [CompletionResult]::new('--restore-forgotten', '--restore-forgotten', [CompletionResultType]::ParameterName, 'As `import --restore-forgotten` would change it')
            [CompletionResult]::new('--stat', '--stat', [CompletionResultType]::ParameterName, 'One line per file')
            [CompletionResult]::new('-p', '-p', [CompletionResultType]::ParameterName, 'The files line by line, as `git diff` prints them')
            [CompletionResult]::new('--patch', '--patch', [CompletionResultType]::ParameterName, 'The files line by line, as `git diff` prints them')
            [CompletionResult]::new('--exit-code', '--exit-code', [CompletionResultType]::ParameterName, 'Exit 1 when something differs')
            [CompletionResult]::new('--no-pager', '--no-pager', [CompletionResultType]::ParameterName, 'Do not page, even on a terminal')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'co;identity;import' {
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Use the identity in this folder')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work as if started in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours (NO_COLOR is honoured)')
            [CompletionResult]::new('--merge', '--merge', [CompletionResultType]::ParameterName, 'Join with what is here (the default)')
            [CompletionResult]::new('--replace', '--replace', [CompletionResultType]::ParameterName, 'Take it in place of what is here')
            [CompletionResult]::new('--restore-forgotten', '--restore-forgotten', [CompletionResultType]::ParameterName, 'Also take facts that were forgotten here')
            [CompletionResult]::new('--select', '--select', [CompletionResultType]::ParameterName, 'Choose fact by fact')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Only show what would change')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Agree to all of it')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Agree to all of it')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'co;identity;export' {
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'An archive, or a plain folder')
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Use the identity in this folder')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work as if started in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours (NO_COLOR is honoured)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'co;identity;restore' {
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'The commit to take them from')
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Use the identity in this folder')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work as if started in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours (NO_COLOR is honoured)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'co;identity;log' {
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'At most so many operations')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'At most so many operations')
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Use the identity in this folder')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work as if started in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours (NO_COLOR is honoured)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'co;identity;undo' {
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Use the identity in this folder')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work as if started in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours (NO_COLOR is honoured)')
            [CompletionResult]::new('--accept-deletions', '--accept-deletions', [CompletionResultType]::ParameterName, 'Also let facts go that came from other laptops')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'co;identity;install' {
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Use the identity in this folder')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work as if started in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours (NO_COLOR is honoured)')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Only show what would be done')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'co;identity;uninstall' {
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Use the identity in this folder')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work as if started in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours (NO_COLOR is honoured)')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Only show what would be done')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'co;identity;remote' {
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Use the identity in this folder')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work as if started in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours (NO_COLOR is honoured)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'co;memory' {
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Use the identity in this folder')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work as if started in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours (NO_COLOR is honoured)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('save', 'save', [CompletionResultType]::ParameterValue, 'Save a fact')
            [CompletionResult]::new('recall', 'recall', [CompletionResultType]::ParameterValue, 'Find facts that answer a question')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List all facts')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Print one fact')
            [CompletionResult]::new('edit', 'edit', [CompletionResultType]::ParameterValue, 'Change a fact''s text or tags')
            [CompletionResult]::new('forget', 'forget', [CompletionResultType]::ParameterValue, 'Forget a fact, here and with the next sync everywhere')
            break
        }
        'co;memory;save' {
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'A tag; may be given several times')
            [CompletionResult]::new('--tag', '--tag', [CompletionResultType]::ParameterName, 'A tag; may be given several times')
            [CompletionResult]::new('--scope', '--scope', [CompletionResultType]::ParameterName, 'Where it belongs (default: the project when inside one)')
            [CompletionResult]::new('--source', '--source', [CompletionResultType]::ParameterName, 'Who said it')
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Use the identity in this folder')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work as if started in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours (NO_COLOR is honoured)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'co;memory;recall' {
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'At most so many answers')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'At most so many answers')
            [CompletionResult]::new('--scope', '--scope', [CompletionResultType]::ParameterName, 'Only in this scope')
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Use the identity in this folder')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work as if started in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours (NO_COLOR is honoured)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'co;memory;list' {
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Only facts with this tag; may be given several times')
            [CompletionResult]::new('--tag', '--tag', [CompletionResultType]::ParameterName, 'Only facts with this tag; may be given several times')
            [CompletionResult]::new('--scope', '--scope', [CompletionResultType]::ParameterName, 'Only in this scope')
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Use the identity in this folder')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work as if started in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours (NO_COLOR is honoured)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'co;memory;show' {
            [CompletionResult]::new('--scope', '--scope', [CompletionResultType]::ParameterName, 'Only in this scope')
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Use the identity in this folder')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work as if started in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours (NO_COLOR is honoured)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'co;memory;edit' {
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'The new tags, replacing the old ones; may be given several times')
            [CompletionResult]::new('--tag', '--tag', [CompletionResultType]::ParameterName, 'The new tags, replacing the old ones; may be given several times')
            [CompletionResult]::new('--scope', '--scope', [CompletionResultType]::ParameterName, 'Only in this scope')
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Use the identity in this folder')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work as if started in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours (NO_COLOR is honoured)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'co;memory;forget' {
            [CompletionResult]::new('--scope', '--scope', [CompletionResultType]::ParameterName, 'Only in this scope')
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Use the identity in this folder')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work as if started in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours (NO_COLOR is honoured)')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask before forgetting a single match')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask before forgetting a single match')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'co;learn' {
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'A tag; may be given several times')
            [CompletionResult]::new('--tag', '--tag', [CompletionResultType]::ParameterName, 'A tag; may be given several times')
            [CompletionResult]::new('--scope', '--scope', [CompletionResultType]::ParameterName, 'Where it belongs (default: the project when inside one)')
            [CompletionResult]::new('--source', '--source', [CompletionResultType]::ParameterName, 'Who said it')
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Use the identity in this folder')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work as if started in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours (NO_COLOR is honoured)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'co;recall' {
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'At most so many answers')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'At most so many answers')
            [CompletionResult]::new('--scope', '--scope', [CompletionResultType]::ParameterName, 'Only in this scope')
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Use the identity in this folder')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work as if started in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours (NO_COLOR is honoured)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'co;forget' {
            [CompletionResult]::new('--scope', '--scope', [CompletionResultType]::ParameterName, 'Only in this scope')
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Use the identity in this folder')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work as if started in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours (NO_COLOR is honoured)')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask before forgetting a single match')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask before forgetting a single match')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'co;context' {
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'How it is written')
            [CompletionResult]::new('--token-budget', '--token-budget', [CompletionResultType]::ParameterName, 'Cut to about so many tokens')
            [CompletionResult]::new('--layer', '--layer', [CompletionResultType]::ParameterName, 'Only this layer; may be given several times')
            [CompletionResult]::new('--wrap', '--wrap', [CompletionResultType]::ParameterName, 'Wrap it as agents expect a reminder')
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Use the identity in this folder')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work as if started in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours (NO_COLOR is honoured)')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Show each layer with its file, bytes, tokens and what was cut, instead of the text')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'co;knowledge' {
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Use the identity in this folder')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work as if started in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours (NO_COLOR is honoured)')
            [CompletionResult]::new('--list', '--list', [CompletionResultType]::ParameterName, 'List all facts')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'co;hook' {
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Use the identity in this folder')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work as if started in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours (NO_COLOR is honoured)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('pre-commit', 'pre-commit', [CompletionResultType]::ParameterValue, 'Check what is about to be committed (exit 1 stops the commit)')
            [CompletionResult]::new('post-merge', 'post-merge', [CompletionResultType]::ParameterValue, 'Put the identity in order after plain git merged')
            [CompletionResult]::new('post-rewrite', 'post-rewrite', [CompletionResultType]::ParameterValue, 'Put the identity in order after plain git rebased')
            [CompletionResult]::new('session-start', 'session-start', [CompletionResultType]::ParameterValue, 'Print what an agent should know, at most 10,000 characters')
            [CompletionResult]::new('merge-driver', 'merge-driver', [CompletionResultType]::ParameterValue, 'Merge one file for git (%O %A %B %L %P)')
            break
        }
        'co;hook;pre-commit' {
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Use the identity in this folder')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work as if started in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours (NO_COLOR is honoured)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'co;hook;post-merge' {
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Use the identity in this folder')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work as if started in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours (NO_COLOR is honoured)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'co;hook;post-rewrite' {
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Use the identity in this folder')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work as if started in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours (NO_COLOR is honoured)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'co;hook;session-start' {
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Use the identity in this folder')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work as if started in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours (NO_COLOR is honoured)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'co;hook;merge-driver' {
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Use the identity in this folder')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work as if started in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours (NO_COLOR is honoured)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'co;completions' {
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Use the identity in this folder')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work as if started in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours (NO_COLOR is honoured)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'co;man' {
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Use the identity in this folder')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work as if started in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours (NO_COLOR is honoured)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'co;help' {
            [CompletionResult]::new('--identity', '--identity', [CompletionResultType]::ParameterName, 'Use the identity in this folder')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Work as if started in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours (NO_COLOR is honoured)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object instead of text')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing but data and errors')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print why, not only what')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
