module completions {

  def "nu-complete co color" [] {
    [ "auto" "always" "never" ]
  }

  # Keeps what your AI assistants know about you in one git repository of plain markdown, the same on every laptop
  export extern co [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
  ]

  def "nu-complete co learn color" [] {
    [ "auto" "always" "never" ]
  }

  def "nu-complete co learn scope" [] {
    [ "identity" "project" ]
  }

  # Save a fact
  export extern "co learn" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co learn color" # When to use colours (NO_COLOR is honoured)
    --tag(-t): string         # A tag; may be given several times
    --scope: string@"nu-complete co learn scope" # Where it belongs (default: the project when inside one)
    --source: string          # Who said it
    --allow-secret: string    # Let pass what this rule of the secret scanner finds; may be given several times
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    ...text: string           # The fact, or `-` to read it from standard input
  ]

  def "nu-complete co recall color" [] {
    [ "auto" "always" "never" ]
  }

  def "nu-complete co recall kind" [] {
    [ "memory" "document" ]
  }

  def "nu-complete co recall scope" [] {
    [ "identity" "project" ]
  }

  # Find facts that answer a question
  export extern "co recall" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co recall color" # When to use colours (NO_COLOR is honoured)
    --limit(-n): string       # At most so many answers
    --kind: string@"nu-complete co recall kind" # Only facts, or only documents
    --scope: string@"nu-complete co recall scope" # Only in this scope
    --tag(-t): string         # Only facts with this tag; of several, all
    --since: string           # Only facts learned on this day or later: 2026-11-20
    --source: string          # Only facts that this one said: user-told, an agent
    --explain                 # Print what each signal gave to the score
    --batch                   # Answer questions from standard input, one JSON object a line: {"qid", "query", "limit"}
    --at: string              # As it was then: a day (2026-10-01), a moment, or a revision of git (HEAD~3)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    ...query: string          # The question
  ]

  def "nu-complete co list color" [] {
    [ "auto" "always" "never" ]
  }

  def "nu-complete co list scope" [] {
    [ "identity" "project" ]
  }

  # List all facts
  export extern "co list" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co list color" # When to use colours (NO_COLOR is honoured)
    --tag(-t): string         # Only facts with this tag; may be given several times
    --scope: string@"nu-complete co list scope" # Only in this scope
    --at: string              # As it was then: a day (2026-10-01), a moment, or a revision of git (HEAD~3)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
  ]

  def "nu-complete co show color" [] {
    [ "auto" "always" "never" ]
  }

  def "nu-complete co show scope" [] {
    [ "identity" "project" ]
  }

  # Print one fact
  export extern "co show" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co show color" # When to use colours (NO_COLOR is honoured)
    --scope: string@"nu-complete co show scope" # Only in this scope
    --at: string              # As it was then: a day (2026-10-01), a moment, or a revision of git (HEAD~3)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    ...handles: string        # Its number (`12`), `12-3fa9` or `sha256:3fa9…`
  ]

  def "nu-complete co edit color" [] {
    [ "auto" "always" "never" ]
  }

  def "nu-complete co edit scope" [] {
    [ "identity" "project" ]
  }

  # Change a fact's text or tags
  export extern "co edit" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co edit color" # When to use colours (NO_COLOR is honoured)
    --tag(-t): string         # The new tags, replacing the old ones; may be given several times
    --scope: string@"nu-complete co edit scope" # Only in this scope
    --allow-secret: string    # Let pass what this rule of the secret scanner finds; may be given several times
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    handle: string            # Its number (`12`), `12-3fa9` or `sha256:3fa9…`
    ...text: string           # The new text, or `-` for standard input; without it your editor opens
  ]

  def "nu-complete co pin color" [] {
    [ "auto" "always" "never" ]
  }

  def "nu-complete co pin scope" [] {
    [ "identity" "project" ]
  }

  # Keep a fact in every context
  export extern "co pin" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co pin color" # When to use colours (NO_COLOR is honoured)
    --off                     # Take the pin out again
    --scope: string@"nu-complete co pin scope" # Only in this scope
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    ...handles: string        # Its number (`12`), `12-3fa9` or `sha256:3fa9…`
  ]

  def "nu-complete co forget color" [] {
    [ "auto" "always" "never" ]
  }

  def "nu-complete co forget scope" [] {
    [ "identity" "project" ]
  }

  # Forget a fact, here and with the next sync everywhere
  export extern "co forget" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co forget color" # When to use colours (NO_COLOR is honoured)
    --scope: string@"nu-complete co forget scope" # Only in this scope
    --yes(-y)                 # Do not ask; needed where there is no terminal and the fact is named by words
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    ...what: string           # Handles, or words of a fact
  ]

  def "nu-complete co sync color" [] {
    [ "auto" "always" "never" ]
  }

  # Merge with the remote: commit, fetch, merge by fact, push
  export extern "co sync" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co sync color" # When to use colours (NO_COLOR is honoured)
    --accept-deletions        # Let facts go for good whose files were removed without `co forget`
    --require-remote          # Fail (exit 8) when the remote cannot be reached
    --allow-secret: string    # Let pass what this rule of the secret scanner finds; may be given several times
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
  ]

  def "nu-complete co status color" [] {
    [ "auto" "always" "never" ]
  }

  # Show identity, repository and remote on one screen
  export extern "co status" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co status color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
  ]

  def "nu-complete co diff color" [] {
    [ "auto" "always" "never" ]
  }

  # Show what an import, a sync, or your own edits change
  export extern "co diff" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co diff color" # When to use colours (NO_COLOR is honoured)
    --replace                 # As `import --replace` would change it
    --restore-forgotten       # As `import --restore-forgotten` would change it
    --stat                    # One line per file
    --patch(-p)               # The files line by line, as `git diff` prints them
    --exit-code               # Exit 1 when something differs
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    source?: string           # What to compare with
  ]

  def "nu-complete co check color" [] {
    [ "auto" "always" "never" ]
  }

  # Find what is wrong with the files, and mend what can be mended
  export extern "co check" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co check color" # When to use colours (NO_COLOR is honoured)
    --fix                     # Mend what can be mended
    --staged                  # What the next `git commit` would commit, instead of the files
    --history                 # Every version in every commit, instead of the files
    --strict                  # Fail on warnings, too
    --allow-secret: string    # Let pass what this rule of the secret scanner finds; may be given several times
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    ...paths: string          # Only these files or folders of the identity
  ]

  def "nu-complete co review color" [] {
    [ "auto" "always" "never" ]
  }

  # Answer what agents would add to your facts
  export extern "co review" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co review color" # When to use colours (NO_COLOR is honoured)
    --editor                  # Answer in your editor: what you delete is rejected, what you change is kept as you wrote it
    --scan                    # Also look for facts that say the same, contradict each other, or are out of date
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
  ]

  def "nu-complete co review accept color" [] {
    [ "auto" "always" "never" ]
  }

  # Agree to proposals
  export extern "co review accept" [
    --all                     # All that agents proposed
    --merge                   # Put it into the fact that it is much like
    --text: string            # Keep it in these words
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co review accept color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    ...ids: string            # Proposals, as `co review --json` names them
  ]

  def "nu-complete co review reject color" [] {
    [ "auto" "always" "never" ]
  }

  # Reject proposals; they are not asked again
  export extern "co review reject" [
    --all                     # All that agents proposed
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co review reject color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    ...ids: string            # Proposals, as `co review --json` names them
  ]

  def "nu-complete co log color" [] {
    [ "auto" "always" "never" ]
  }

  # Show what each command changed here, newest first; with a handle, the life of one fact
  export extern "co log" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co log color" # When to use colours (NO_COLOR is honoured)
    --limit(-n): string       # At most so many operations
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    handle?: string           # A fact: its number (`12`), `12-3fa9` or `sha256:3fa9…`
  ]

  def "nu-complete co undo color" [] {
    [ "auto" "always" "never" ]
  }

  # Take back the last operation of this laptop
  export extern "co undo" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co undo color" # When to use colours (NO_COLOR is honoured)
    --dry-run                 # Only show what would come back
    --session: string         # Take back all that this session of an agent wrote, from `co log`
    --accept-deletions        # Also take back what came from other laptops
    --patch                   # Show every line that changes, not only the first ones
    --yes(-y)                 # Do not ask
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    op?: string               # The number of an operation, from `co log`: `o7`
  ]

  def "nu-complete co redo color" [] {
    [ "auto" "always" "never" ]
  }

  # Take the last undo back
  export extern "co redo" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co redo color" # When to use colours (NO_COLOR is honoured)
    --dry-run                 # Only show what would come back
    --patch                   # Show every line that changes, not only the first ones
    --yes(-y)                 # Do not ask
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    op?: string               # The number of the operation that was taken back, from `co log`: `o7`
  ]

  def "nu-complete co init color" [] {
    [ "auto" "always" "never" ]
  }

  # Create your identity, adopt a folder, or bring it from another laptop
  export extern "co init" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co init color" # When to use colours (NO_COLOR is honoured)
    --name: string            # Your name, for the profile
    --timezone: string        # Your time zone, e.g. Europe/Berlin
    --remote: string          # The git remote of a new identity
    --hooks                   # Also install the merge driver and the git hooks (`co hook install`)
    --agents                  # Also connect the agents that are installed here (`co agent install --all`)
    --yes(-y)                 # Do not ask
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    target?: string           # The URL of your identity's repository, or a folder to use as the identity
  ]

  def "nu-complete co agent color" [] {
    [ "auto" "always" "never" ]
  }

  # Connect agents and check the connection
  export extern "co agent" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co agent color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
  ]

  def "nu-complete co agent list color" [] {
    [ "auto" "always" "never" ]
  }

  # Show which agents are here, and which are connected
  export extern "co agent list" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co agent list color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
  ]

  def "nu-complete co agent install color" [] {
    [ "auto" "always" "never" ]
  }

  # Connect agents: a server, a block in their instructions, a skill; hooks with --hooks
  export extern "co agent install" [
    --all                     # All that are installed here
    --hooks                   # Also run co when a session starts (to add your context) and when it ends (to sync)
    --count-tools             # Also report each tool call of Claude Code and Gemini CLI to co, which then lists the documents about the tools you use; only the names of tools and programs are kept
    --notes                   # Also share the notes that Claude Code keeps about projects between your laptops, at every sync and session
    --no-notes                # Stop sharing them; the notes stay where they are
    --dry-run                 # Only show what would change, as a diff
    --yes(-y)                 # Do not ask
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co agent install color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    ...names: string          # Agents, as `co agent list` names them
  ]

  def "nu-complete co agent uninstall color" [] {
    [ "auto" "always" "never" ]
  }

  # Take co out of the files of agents again
  export extern "co agent uninstall" [
    --all                     # All that have a part of co
    --dry-run                 # Only show what would change, as a diff
    --yes(-y)                 # Do not ask
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co agent uninstall color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    ...names: string          # Agents, as `co agent list` names them
  ]

  def "nu-complete co agent doctor color" [] {
    [ "auto" "always" "never" ]
  }

  # Prove that each agent can use co, as it would
  export extern "co agent doctor" [
    --strict                  # Warnings fail as well
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co agent doctor color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    ...names: string          # Agents, as `co agent list` names them (default: all that are here)
  ]

  def "nu-complete co agent notes color" [] {
    [ "auto" "always" "never" ]
  }

  # Show the notes that agents keep about projects, and whether your laptops share them
  export extern "co agent notes" [
    --project                 # Only the project of this folder, with its notes
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co agent notes color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
  ]

  def "nu-complete co agent import color" [] {
    [ "auto" "always" "never" ]
  }

  # Bring what agents know already into the identity, after you have seen it
  export extern "co agent import" [
    --all                     # All that know something
    --from: path              # A file or folder of another program
    --similar                 # Also take what says nearly the same as a fact that is here
    --review                  # Leave the facts to `co review`, and take nothing now
    --select                  # Choose fact by fact
    --dry-run                 # Only show what would change
    --yes(-y)                 # Agree to all of it
    --allow-secret: string    # Let pass what this rule of the secret scanner finds; may be given several times
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co agent import color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    ...names: string          # Agents, as `co agent list` names them
  ]

  def "nu-complete co secret color" [] {
    [ "auto" "always" "never" ]
  }

  # Keep values in the keyring, and tokens out of the identity
  export extern "co secret" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co secret color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
  ]

  def "nu-complete co secret set color" [] {
    [ "auto" "always" "never" ]
  }

  # Store a value in the keyring: asked for without echo, or read from standard input
  export extern "co secret set" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co secret set color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    name: string              # Its name, as `staging-token`
    ...value: string          # Never here: every program can read a command line
  ]

  def "nu-complete co secret get color" [] {
    [ "auto" "always" "never" ]
  }

  # Print a value
  export extern "co secret get" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co secret get color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    name: string              # Its name
  ]

  def "nu-complete co secret list color" [] {
    [ "auto" "always" "never" ]
  }

  # List the names in the keyring, never the values
  export extern "co secret list" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co secret list color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
  ]

  def "nu-complete co secret rm color" [] {
    [ "auto" "always" "never" ]
  }

  # Remove a value from the keyring
  export extern "co secret rm" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co secret rm color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    name: string              # Its name
  ]

  def "nu-complete co secret status color" [] {
    [ "auto" "always" "never" ]
  }

  # Show which secrets the identity mentions, and which of them this laptop lacks
  export extern "co secret status" [
    --exit-code               # Exit 1 when one is missing
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co secret status color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
  ]

  def "nu-complete co secret scan color" [] {
    [ "auto" "always" "never" ]
  }

  # Find tokens, keys and passwords in files, and in what is committed already
  export extern "co secret scan" [
    --history                 # Every version in every commit, instead of the files
    --allow-secret: string    # Let pass what this rule of the secret scanner finds; may be given several times
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co secret scan color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    path?: string             # A file or folder; with --history a path in the identity
  ]

  def "nu-complete co config color" [] {
    [ "auto" "always" "never" ]
  }

  # Show and change the settings of this laptop
  export extern "co config" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co config color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
  ]

  def "nu-complete co config list color" [] {
    [ "auto" "always" "never" ]
  }

  # List all settings, where each value comes from, and what it is for
  export extern "co config list" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co config list color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
  ]

  def "nu-complete co config get color" [] {
    [ "auto" "always" "never" ]
  }

  # Print one value
  export extern "co config get" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co config get color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    key: string               # The setting, such as `sync.timeout`
  ]

  def "nu-complete co config set color" [] {
    [ "auto" "always" "never" ]
  }

  # Change a setting
  export extern "co config set" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co config set color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    key: string               # The setting, such as `sync.timeout`
    value: string             # The value; an object is JSON
  ]

  def "nu-complete co config unset color" [] {
    [ "auto" "always" "never" ]
  }

  # Take a setting out of settings.json, so that its default holds
  export extern "co config unset" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co config unset color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    key: string               # The setting, such as `sync.timeout`
  ]

  def "nu-complete co doctor color" [] {
    [ "auto" "always" "never" ]
  }

  # Find problems on this laptop, and how to fix them
  export extern "co doctor" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co doctor color" # When to use colours (NO_COLOR is honoured)
    --strict                  # Treat warnings as errors
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
  ]

  def "nu-complete co doctor agents color" [] {
    [ "auto" "always" "never" ]
  }

  # Start each agent's server as the agent does, and check its files
  export extern "co doctor agents" [
    --strict                  # Warnings fail as well
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co doctor agents color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    ...names: string          # Agents, as `co agent list` names them (default: all that are here)
  ]

  def "nu-complete co identity color" [] {
    [ "auto" "always" "never" ]
  }

  # Check, sync and look after the identity
  export extern "co identity" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co identity color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
  ]

  def "nu-complete co identity path color" [] {
    [ "auto" "always" "never" ]
  }

  # Print where the identity is
  export extern "co identity path" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co identity path color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
  ]

  def "nu-complete co identity show color" [] {
    [ "auto" "always" "never" ]
  }

  # Print the identity's files, or one of them, now or as a commit has it
  export extern "co identity show" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co identity show color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    path?: string             # A file of the identity (profile.md), also in a commit (HEAD~3:profile.md)
  ]

  def "nu-complete co identity check color" [] {
    [ "auto" "always" "never" ]
  }

  # Find what is wrong with the files, and mend what can be mended
  export extern "co identity check" [
    --fix                     # Mend what can be mended
    --staged                  # What the next `git commit` would commit, instead of the files
    --history                 # Every version in every commit, instead of the files
    --strict                  # Fail on warnings, too
    --allow-secret: string    # Let pass what this rule of the secret scanner finds; may be given several times
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co identity check color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    ...paths: string          # Only these files or folders of the identity
  ]

  def "nu-complete co identity sync color" [] {
    [ "auto" "always" "never" ]
  }

  # Merge with the remote: commit, fetch, merge by fact, push
  export extern "co identity sync" [
    --accept-deletions        # Let facts go for good whose files were removed without `co forget`
    --require-remote          # Fail (exit 8) when the remote cannot be reached
    --allow-secret: string    # Let pass what this rule of the secret scanner finds; may be given several times
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co identity sync color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
  ]

  def "nu-complete co identity diff color" [] {
    [ "auto" "always" "never" ]
  }

  # Show what an import, a sync, or your own edits change; without a source, your edits since the last commit
  export extern "co identity diff" [
    --replace                 # As `import --replace` would change it
    --restore-forgotten       # As `import --restore-forgotten` would change it
    --stat                    # One line per file
    --patch(-p)               # The files line by line, as `git diff` prints them
    --exit-code               # Exit 1 when something differs
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co identity diff color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    source?: string           # What to compare with
  ]

  def "nu-complete co identity import color" [] {
    [ "auto" "always" "never" ]
  }

  # Take in another identity, after showing what it changes
  export extern "co identity import" [
    --merge                   # Join with what is here (the default)
    --replace                 # Take it in place of what is here
    --restore-forgotten       # Also take facts that were forgotten here
    --select                  # Choose fact by fact
    --dry-run                 # Only show what would change
    --yes(-y)                 # Agree to all of it
    --allow-secret: string    # Let pass what this rule of the secret scanner finds; may be given several times
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co identity import color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    source?: string           # An archive, a folder, or `-`; without one, the newest export in this folder is proposed
  ]

  def "nu-complete co identity export format" [] {
    [ "tar.gz" "dir" ]
  }

  def "nu-complete co identity export color" [] {
    [ "auto" "always" "never" ]
  }

  # Write the identity into an archive or a folder
  export extern "co identity export" [
    --format: string@"nu-complete co identity export format" # An archive, or a plain folder
    --allow-secret: string    # Let pass what this rule of the secret scanner finds; may be given several times
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co identity export color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    path?: string             # The file or folder to write
  ]

  def "nu-complete co identity restore color" [] {
    [ "auto" "always" "never" ]
  }

  # Bring files back as a commit has them
  export extern "co identity restore" [
    --missing                 # Only what is not there; without a path, all of it
    --from: string            # The commit to take them from
    --allow-secret: string    # Let pass what this rule of the secret scanner finds; may be given several times
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co identity restore color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    ...paths: string          # Files or folders of the identity
  ]

  def "nu-complete co identity log color" [] {
    [ "auto" "always" "never" ]
  }

  # Show what each command changed here, newest first; with a handle, the life of one fact
  export extern "co identity log" [
    --limit(-n): string       # At most so many operations
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co identity log color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    handle?: string           # A fact: its number (`12`), `12-3fa9` or `sha256:3fa9…`
  ]

  def "nu-complete co identity undo color" [] {
    [ "auto" "always" "never" ]
  }

  # Take back the last operation of this laptop
  export extern "co identity undo" [
    --dry-run                 # Only show what would come back
    --session: string         # Take back all that this session of an agent wrote, from `co log`
    --accept-deletions        # Also take back what came from other laptops
    --patch                   # Show every line that changes, not only the first ones
    --yes(-y)                 # Do not ask
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co identity undo color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    op?: string               # The number of an operation, from `co log`: `o7`
  ]

  def "nu-complete co identity redo color" [] {
    [ "auto" "always" "never" ]
  }

  # Take the last undo back
  export extern "co identity redo" [
    --dry-run                 # Only show what would come back
    --patch                   # Show every line that changes, not only the first ones
    --yes(-y)                 # Do not ask
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co identity redo color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    op?: string               # The number of the operation that was taken back, from `co log`: `o7`
  ]

  def "nu-complete co identity install color" [] {
    [ "auto" "always" "never" ]
  }

  # Let plain git merge facts as sync does (merge driver), and check before each commit (hooks)
  export extern "co identity install" [
    --dry-run                 # Only show what would be done
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co identity install color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
  ]

  def "nu-complete co identity uninstall color" [] {
    [ "auto" "always" "never" ]
  }

  # Take the merge driver and the hooks out again
  export extern "co identity uninstall" [
    --dry-run                 # Only show what would be done
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co identity uninstall color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
  ]

  def "nu-complete co identity move color" [] {
    [ "auto" "always" "never" ]
  }

  # Move the identity into another folder, as into a dotfiles repository
  export extern "co identity move" [
    --dry-run                 # Only show what would be done
    --yes(-y)                 # Do not ask
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co identity move color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    dir: string               # A new or empty folder; in one with other things, `co-identity` is made
  ]

  def "nu-complete co identity remote color" [] {
    [ "auto" "always" "never" ]
  }

  # Print the remote, or set it
  export extern "co identity remote" [
    --yes(-y)                 # Do not ask
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co identity remote color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    url?: string              # The URL of a git repository
  ]

  def "nu-complete co completions color" [] {
    [ "auto" "always" "never" ]
  }

  def "nu-complete co completions shell" [] {
    [ "bash" "elvish" "fish" "nushell" "powershell" "zsh" ]
  }

  # Print the completions of a shell
  export extern "co completions" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co completions color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    shell: string@"nu-complete co completions shell" # Which shell
  ]

  def "nu-complete co context color" [] {
    [ "auto" "always" "never" ]
  }

  def "nu-complete co context format" [] {
    [ "markdown" "xml" "json" ]
  }

  def "nu-complete co context layers" [] {
    [ "system" "personality" "profile" "documents" "global-knowledge" "traits" "project-knowledge" "project-instructions" "memories" "project-memories" "agent-notes" "knowledge-index" ]
  }

  def "nu-complete co context wrap" [] {
    [ "system-reminder" ]
  }

  # Print what an agent should know at the start of a session
  export extern "co context" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co context color" # When to use colours (NO_COLOR is honoured)
    --format: string@"nu-complete co context format" # How it is written
    --token-budget: string    # Cut to about so many tokens; with --query the documents alone (4000)
    --explain                 # Show each layer with its file, bytes, tokens and what was cut, instead of the text
    --layer: string@"nu-complete co context layers" # Only this layer; may be given several times
    --query(-Q): string       # The profile and the documents that answer this, as XML, instead of the layers
    --documents: string       # With --query: at most so many documents
    --min-relevance: string   # With --query: leave out documents that are less relevant, from 0 to 1
    --wrap: string@"nu-complete co context wrap" # Wrap it as agents expect a reminder
    --at: string              # As it was then: a day (2026-10-01), a moment, or a revision of git (HEAD~3)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
  ]

  def "nu-complete co memory color" [] {
    [ "auto" "always" "never" ]
  }

  # Save, find, change and forget single facts
  export extern "co memory" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co memory color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
  ]

  def "nu-complete co memory save scope" [] {
    [ "identity" "project" ]
  }

  def "nu-complete co memory save color" [] {
    [ "auto" "always" "never" ]
  }

  # Save a fact
  export extern "co memory save" [
    --tag(-t): string         # A tag; may be given several times
    --scope: string@"nu-complete co memory save scope" # Where it belongs (default: the project when inside one)
    --source: string          # Who said it
    --allow-secret: string    # Let pass what this rule of the secret scanner finds; may be given several times
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co memory save color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    ...text: string           # The fact, or `-` to read it from standard input
  ]

  def "nu-complete co memory recall kind" [] {
    [ "memory" "document" ]
  }

  def "nu-complete co memory recall scope" [] {
    [ "identity" "project" ]
  }

  def "nu-complete co memory recall color" [] {
    [ "auto" "always" "never" ]
  }

  # Find facts that answer a question
  export extern "co memory recall" [
    --limit(-n): string       # At most so many answers
    --kind: string@"nu-complete co memory recall kind" # Only facts, or only documents
    --scope: string@"nu-complete co memory recall scope" # Only in this scope
    --tag(-t): string         # Only facts with this tag; of several, all
    --since: string           # Only facts learned on this day or later: 2026-11-20
    --source: string          # Only facts that this one said: user-told, an agent
    --explain                 # Print what each signal gave to the score
    --batch                   # Answer questions from standard input, one JSON object a line: {"qid", "query", "limit"}
    --at: string              # As it was then: a day (2026-10-01), a moment, or a revision of git (HEAD~3)
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co memory recall color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    ...query: string          # The question
  ]

  def "nu-complete co memory list scope" [] {
    [ "identity" "project" ]
  }

  def "nu-complete co memory list color" [] {
    [ "auto" "always" "never" ]
  }

  # List all facts
  export extern "co memory list" [
    --tag(-t): string         # Only facts with this tag; may be given several times
    --scope: string@"nu-complete co memory list scope" # Only in this scope
    --at: string              # As it was then: a day (2026-10-01), a moment, or a revision of git (HEAD~3)
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co memory list color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
  ]

  def "nu-complete co memory show scope" [] {
    [ "identity" "project" ]
  }

  def "nu-complete co memory show color" [] {
    [ "auto" "always" "never" ]
  }

  # Print one fact
  export extern "co memory show" [
    --scope: string@"nu-complete co memory show scope" # Only in this scope
    --at: string              # As it was then: a day (2026-10-01), a moment, or a revision of git (HEAD~3)
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co memory show color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    ...handles: string        # Its number (`12`), `12-3fa9` or `sha256:3fa9…`
  ]

  def "nu-complete co memory edit scope" [] {
    [ "identity" "project" ]
  }

  def "nu-complete co memory edit color" [] {
    [ "auto" "always" "never" ]
  }

  # Change a fact's text or tags
  export extern "co memory edit" [
    --tag(-t): string         # The new tags, replacing the old ones; may be given several times
    --scope: string@"nu-complete co memory edit scope" # Only in this scope
    --allow-secret: string    # Let pass what this rule of the secret scanner finds; may be given several times
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co memory edit color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    handle: string            # Its number (`12`), `12-3fa9` or `sha256:3fa9…`
    ...text: string           # The new text, or `-` for standard input; without it your editor opens
  ]

  def "nu-complete co memory pin scope" [] {
    [ "identity" "project" ]
  }

  def "nu-complete co memory pin color" [] {
    [ "auto" "always" "never" ]
  }

  # Keep a fact on top of lists
  export extern "co memory pin" [
    --off                     # Take the pin out again
    --scope: string@"nu-complete co memory pin scope" # Only in this scope
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co memory pin color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    ...handles: string        # Its number (`12`), `12-3fa9` or `sha256:3fa9…`
  ]

  def "nu-complete co memory similar scope" [] {
    [ "identity" "project" ]
  }

  def "nu-complete co memory similar color" [] {
    [ "auto" "always" "never" ]
  }

  # Find facts that mean much the same
  export extern "co memory similar" [
    --limit(-n): string       # At most so many facts
    --scope: string@"nu-complete co memory similar scope" # Only in this scope
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co memory similar color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    handle?: string           # The fact: its number (`12`), `12-3fa9` or `sha256:3fa9…`; without it, all facts that say nearly the same as an older one
  ]

  def "nu-complete co memory forget scope" [] {
    [ "identity" "project" ]
  }

  def "nu-complete co memory forget color" [] {
    [ "auto" "always" "never" ]
  }

  # Forget a fact, here and with the next sync everywhere
  export extern "co memory forget" [
    --scope: string@"nu-complete co memory forget scope" # Only in this scope
    --yes(-y)                 # Do not ask; needed where there is no terminal and the fact is named by words
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co memory forget color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    ...what: string           # Handles, or words of a fact
  ]

  def "nu-complete co knowledge color" [] {
    [ "auto" "always" "never" ]
  }

  # Write, find and keep documents; bring the search index up to date
  export extern "co knowledge" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co knowledge color" # When to use colours (NO_COLOR is honoured)
    --list                    # List all facts
    --reindex                 # Bring the search index up to date
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
  ]

  def "nu-complete co knowledge write kind" [] {
    [ "preference" "decision" "meeting" "reference" "person" "project" ]
  }

  def "nu-complete co knowledge write status" [] {
    [ "active" "archived" "draft" ]
  }

  def "nu-complete co knowledge write temporal" [] {
    [ "current" "historical" ]
  }

  def "nu-complete co knowledge write scope" [] {
    [ "identity" "project" ]
  }

  def "nu-complete co knowledge write color" [] {
    [ "auto" "always" "never" ]
  }

  # Write a document: a new one, or another text for its topic
  export extern "co knowledge write" [
    --file: path              # Read the text from this file
    --tag(-t): string         # A tag, or several: a,b
    --tags: string            # A tag, or several: a,b
    --type: string@"nu-complete co knowledge write kind" # What kind of document it is
    --status: string@"nu-complete co knowledge write status" # Whether it still holds
    --temporal: string@"nu-complete co knowledge write temporal" # Whether it is about now
    --title: string           # Its name, if the first heading is none
    --description: string     # What it is about, in one line
    --source: string          # Where it came from (default: user)
    --project: string         # The project that it belongs to
    --service: string         # The service that it was taken from: fireflies, limitless, notion …
    --scope: string@"nu-complete co knowledge write scope" # Where it belongs (default: the project when inside one)
    --allow-secret: string    # Let pass what this rule of the secret scanner finds; may be given several times
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co knowledge write color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    topic: string             # The topic
    ...text: string           # The text, or `-` to read it from standard input
  ]

  def "nu-complete co knowledge add scope" [] {
    [ "identity" "project" ]
  }

  def "nu-complete co knowledge add color" [] {
    [ "auto" "always" "never" ]
  }

  # Add a file or a page of the web as an article: its text, and the original beside it
  export extern "co knowledge add" [
    --topic: string           # The topic (default: articles/ and the title); of several, the folder that they go into
    --title: string           # Its title (default: what it calls itself)
    --tag(-t): string         # A tag, or several: a,b
    --tags: string            # A tag, or several: a,b
    --name: string            # With `-`: the name of the file, for its ending
    --source: string          # With `-`: where it came from
    --scope: string@"nu-complete co knowledge add scope" # Where it belongs (default: the project when inside one)
    --allow-private           # Fetch also from this machine and its network
    --allow-secret: string    # Let pass what this rule of the secret scanner finds; may be given several times
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co knowledge add color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    ...what: string           # Files, folders, URLs, or `-` for standard input
  ]

  def "nu-complete co knowledge search namespace" [] {
    [ "profile" "knowledge" "docs" ]
  }

  def "nu-complete co knowledge search scope" [] {
    [ "identity" "project" ]
  }

  def "nu-complete co knowledge search color" [] {
    [ "auto" "always" "never" ]
  }

  # Find documents that answer a question
  export extern "co knowledge search" [
    --limit(-n): string       # At most so many documents
    --tag(-t): string         # Only documents with this label (tag, type, status, topic, entity); of several, all
    --source: string          # Only documents that came from here: user, seed, url …
    --in: string              # Only documents below this folder: people, projects/carmenta
    --namespace: string@"nu-complete co knowledge search namespace" # Only documents of this namespace
    --scope: string@"nu-complete co knowledge search scope" # Only in this scope
    --token-budget: string    # Cut all texts together to about so many tokens (default: 4000; on a terminal 1500)
    --full                    # Print the whole texts, however long
    --brief                   # Print the best paragraph of each, instead of the whole text
    --explain                 # Print what each signal gave to the score
    --batch                   # Answer questions from standard input, one JSON object a line: {"qid", "query", "limit"}
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co knowledge search color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    ...query: string          # The question
  ]

  def "nu-complete co knowledge list namespace" [] {
    [ "profile" "knowledge" "docs" ]
  }

  def "nu-complete co knowledge list scope" [] {
    [ "identity" "project" ]
  }

  def "nu-complete co knowledge list color" [] {
    [ "auto" "always" "never" ]
  }

  # List all documents with their tags and sources
  export extern "co knowledge list" [
    --tag(-t): string         # Only documents with this label (tag, type, status, topic, entity); of several, all
    --source: string          # Only documents that came from here: user, seed, url …
    --in: string              # Only documents below this folder: people, projects/carmenta
    --namespace: string@"nu-complete co knowledge list namespace" # Only documents of this namespace
    --scope: string@"nu-complete co knowledge list scope" # Only in this scope
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co knowledge list color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
  ]

  def "nu-complete co knowledge tree namespace" [] {
    [ "profile" "knowledge" "docs" ]
  }

  def "nu-complete co knowledge tree scope" [] {
    [ "identity" "project" ]
  }

  def "nu-complete co knowledge tree color" [] {
    [ "auto" "always" "never" ]
  }

  # Show the documents as a tree
  export extern "co knowledge tree" [
    --tag(-t): string         # Only documents with this label (tag, type, status, topic, entity); of several, all
    --source: string          # Only documents that came from here: user, seed, url …
    --in: string              # Only documents below this folder: people, projects/carmenta
    --namespace: string@"nu-complete co knowledge tree namespace" # Only documents of this namespace
    --scope: string@"nu-complete co knowledge tree scope" # Only in this scope
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co knowledge tree color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
  ]

  def "nu-complete co knowledge show scope" [] {
    [ "identity" "project" ]
  }

  def "nu-complete co knowledge show color" [] {
    [ "auto" "always" "never" ]
  }

  # Print one document
  export extern "co knowledge show" [
    --scope: string@"nu-complete co knowledge show scope" # Only in this scope
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co knowledge show color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    topic: string             # The topic
  ]

  def "nu-complete co knowledge delete namespace" [] {
    [ "profile" "knowledge" "docs" ]
  }

  def "nu-complete co knowledge delete scope" [] {
    [ "identity" "project" ]
  }

  def "nu-complete co knowledge delete color" [] {
    [ "auto" "always" "never" ]
  }

  # Delete documents
  export extern "co knowledge delete" [
    --tag(-t): string         # Only documents with this label (tag, type, status, topic, entity); of several, all
    --source: string          # Only documents that came from here: user, seed, url …
    --in: string              # Only documents below this folder: people, projects/carmenta
    --namespace: string@"nu-complete co knowledge delete namespace" # Only documents of this namespace
    --scope: string@"nu-complete co knowledge delete scope" # Only in this scope
    --yes(-y)                 # Do not ask before deleting several
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co knowledge delete color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    ...topics: string         # Topics
  ]

  def "nu-complete co knowledge move scope" [] {
    [ "identity" "project" ]
  }

  def "nu-complete co knowledge move color" [] {
    [ "auto" "always" "never" ]
  }

  # Give a document, or a folder of them, another topic; links follow
  export extern "co knowledge move" [
    --dry-run(-n)             # Only show what would move
    --yes(-y)                 # Do not ask
    --scope: string@"nu-complete co knowledge move scope" # Only in this scope
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co knowledge move color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    from: string              # The topic, or a folder
    to: string                # The new topic; with a `/` at its end, the folder
  ]

  def "nu-complete co knowledge migrate scope" [] {
    [ "identity" "project" ]
  }

  def "nu-complete co knowledge migrate color" [] {
    [ "auto" "always" "never" ]
  }

  # Move flat documents to where they belong: people/, decisions/ …
  export extern "co knowledge migrate" [
    --dry-run(-n)             # Only show what would move
    --yes(-y)                 # Do not ask
    --scope: string@"nu-complete co knowledge migrate scope" # Only in this scope
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co knowledge migrate color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
  ]

  def "nu-complete co knowledge seed color" [] {
    [ "auto" "always" "never" ]
  }

  # Load the documents of the seed folder
  export extern "co knowledge seed" [
    --again                   # Load files again whose documents were deleted
    --allow-secret: string    # Let pass what this rule of the secret scanner finds; may be given several times
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co knowledge seed color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
  ]

  def "nu-complete co knowledge reindex scope" [] {
    [ "identity" "project" ]
  }

  def "nu-complete co knowledge reindex color" [] {
    [ "auto" "always" "never" ]
  }

  # Bring the search index up to date
  export extern "co knowledge reindex" [
    --scope: string@"nu-complete co knowledge reindex scope" # Only in this scope
    --rebuild                 # Make it anew, whatever is there
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co knowledge reindex color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
  ]

  def "nu-complete co knowledge extract color" [] {
    [ "auto" "always" "never" ]
  }

  # Read a file for `add`
  export extern "co knowledge extract" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co knowledge extract color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
  ]

  def "nu-complete co mcp color" [] {
    [ "auto" "always" "never" ]
  }

  # Serve memory and context to an agent over MCP (agents start this themselves)
  export extern "co mcp" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co mcp color" # When to use colours (NO_COLOR is honoured)
    --read-only               # Offer only tools that change nothing
    --tools: string           # Offer these: memory, knowledge, all, or names of tools; with commas
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
  ]

  def "nu-complete co hook color" [] {
    [ "auto" "always" "never" ]
  }

  # Let git merge facts and check before each commit; what git and agents call
  export extern "co hook" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co hook color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
  ]

  def "nu-complete co hook install color" [] {
    [ "auto" "always" "never" ]
  }

  # Let plain git merge facts as sync does (merge driver), and check before each commit (hooks)
  export extern "co hook install" [
    --dry-run                 # Only show what would be done
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co hook install color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
  ]

  def "nu-complete co hook uninstall color" [] {
    [ "auto" "always" "never" ]
  }

  # Take the merge driver and the hooks out again
  export extern "co hook uninstall" [
    --dry-run                 # Only show what would be done
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co hook uninstall color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
  ]

  def "nu-complete co hook pre-commit color" [] {
    [ "auto" "always" "never" ]
  }

  # Check what is about to be committed (exit 1 stops the commit)
  export extern "co hook pre-commit" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co hook pre-commit color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    ...files: string          # What hook managers append; not used
  ]

  def "nu-complete co hook post-merge color" [] {
    [ "auto" "always" "never" ]
  }

  # Put the identity in order after plain git merged
  export extern "co hook post-merge" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co hook post-merge color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    squash?: string           # What git appends; not used
  ]

  def "nu-complete co hook post-rewrite color" [] {
    [ "auto" "always" "never" ]
  }

  # Put the identity in order after plain git rebased
  export extern "co hook post-rewrite" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co hook post-rewrite color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    what?: string             # What git appends; not used
  ]

  def "nu-complete co hook session-start color" [] {
    [ "auto" "always" "never" ]
  }

  # Print what an agent should know, at most 10,000 characters
  export extern "co hook session-start" [
    --agent: string           # The agent that asks: each takes another form
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co hook session-start color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
  ]

  def "nu-complete co hook session-end color" [] {
    [ "auto" "always" "never" ]
  }

  # Sync when an agent's session ends: within a time limit, silent when all is well
  export extern "co hook session-end" [
    --agent: string           # The agent that asks; not used
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co hook session-end color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
  ]

  def "nu-complete co hook tool-called color" [] {
    [ "auto" "always" "never" ]
  }

  # Note which tool an agent called, from its hook's JSON: the name alone, here alone
  export extern "co hook tool-called" [
    --agent: string           # The agent that asks; not used
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co hook tool-called color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
  ]

  def "nu-complete co hook credential color" [] {
    [ "auto" "always" "never" ]
  }

  # Answer git's question for the login of a remote, from sync.username and sync.password in settings.json
  export extern "co hook credential" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co hook credential color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    action: string            # What git wants: get, store or erase
  ]

  def "nu-complete co hook merge-driver color" [] {
    [ "auto" "always" "never" ]
  }

  # Merge one file for git (%O %A %B %L %P)
  export extern "co hook merge-driver" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co hook merge-driver color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    base: path                # %O
    ours: path                # %A
    theirs: path              # %B
    marker: string            # %L
    path: string              # %P
  ]

  def "nu-complete co help color" [] {
    [ "auto" "always" "never" ]
  }

  # Explain a command or a topic
  export extern "co help" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co help color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    ...topic: string          # A command (`memory save`) or a topic (`recall`, `merging`, `dotfiles`, `json`, `exit-codes`, `findings`, `secrets`, `environment`, `options`)
  ]

  def "nu-complete co man color" [] {
    [ "auto" "always" "never" ]
  }

  # Print the manual page of co
  export extern "co man" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co man color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    ...command: string        # The command whose page is wanted (`memory save`); co itself without one
  ]

  def "nu-complete co version color" [] {
    [ "auto" "always" "never" ]
  }

  # Print the version of co
  export extern "co version" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co version color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
  ]

  def "nu-complete co import color" [] {
    [ "auto" "always" "never" ]
  }

  # As `co identity import`
  export extern "co import" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co import color" # When to use colours (NO_COLOR is honoured)
    --merge                   # Join with what is here (the default)
    --replace                 # Take it in place of what is here
    --restore-forgotten       # Also take facts that were forgotten here
    --select                  # Choose fact by fact
    --dry-run                 # Only show what would change
    --yes(-y)                 # Agree to all of it
    --allow-secret: string    # Let pass what this rule of the secret scanner finds; may be given several times
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    source?: string           # An archive, a folder, or `-`; without one, the newest export in this folder is proposed
  ]

  def "nu-complete co export color" [] {
    [ "auto" "always" "never" ]
  }

  def "nu-complete co export format" [] {
    [ "tar.gz" "dir" ]
  }

  # As `co identity export`
  export extern "co export" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co export color" # When to use colours (NO_COLOR is honoured)
    --format: string@"nu-complete co export format" # An archive, or a plain folder
    --allow-secret: string    # Let pass what this rule of the secret scanner finds; may be given several times
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    path?: string             # The file or folder to write
  ]

  def "nu-complete co remote color" [] {
    [ "auto" "always" "never" ]
  }

  # As `co identity remote`
  export extern "co remote" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co remote color" # When to use colours (NO_COLOR is honoured)
    --yes(-y)                 # Do not ask
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    url?: string              # The URL of a git repository
  ]

  def "nu-complete co restore color" [] {
    [ "auto" "always" "never" ]
  }

  # As `co identity restore`
  export extern "co restore" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co restore color" # When to use colours (NO_COLOR is honoured)
    --missing                 # Only what is not there; without a path, all of it
    --from: string            # The commit to take them from
    --allow-secret: string    # Let pass what this rule of the secret scanner finds; may be given several times
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    ...paths: string          # Files or folders of the identity
  ]

  def "nu-complete co move color" [] {
    [ "auto" "always" "never" ]
  }

  # As `co identity move`
  export extern "co move" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co move color" # When to use colours (NO_COLOR is honoured)
    --dry-run                 # Only show what would be done
    --yes(-y)                 # Do not ask
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
    dir: string               # A new or empty folder; in one with other things, `co-identity` is made
  ]

  def "nu-complete co home color" [] {
    [ "auto" "always" "never" ]
  }

  # Where things stand, in three lines
  export extern "co home" [
    --identity: path          # Use the identity in this folder
    -C: path                  # Work as if started in this folder
    --json                    # Print one JSON object instead of text
    --quiet(-q)               # Print nothing but data and errors
    --verbose(-v)             # Print why, not only what
    --no-pager                # Print at once what is longer than the screen
    --color: string@"nu-complete co home color" # When to use colours (NO_COLOR is honoured)
    --help(-h)                # Print help (see more with '--help')
    --version(-V)             # Print version
  ]

}

export use completions *
