//! `co help layers`: several identities on one laptop.
//!
//! Invariant: says what is kept apart, and what is not.

pub(super) const TEXT: &str = "\
    A layer is another identity, in a git repository of its own: a team's, or one for work. \
    Whoever can read the repository can read the layer; whoever can push to it can write it.\n\
    \n  \
    co layer add acme git@github.com:acme/identity.git       read beside yours, everywhere\n  \
    co layer add acme URL --for github.com/acme/*            only in these repositories\n  \
    co layer add work --for ~/work --instead                 an identity for work, kept apart\n\
    \n  \
    reading                    from far to near: layers in the order of `co layer list`, you, the \
    project. Lists, recall, documents and the context have all of them; a fact of a layer is \
    `acme/12`. `--layer NAME`, `--layer me` and `--layer all` say what to read\n  \
    nearer wins                a trait of yours hides the team's of the same name. In a layer added \
    with --enforce, a trait, or a document with `alwaysInclude: true`, that says `enforced: true` comes \
    first, and nothing hides it\n  \
    writing                    to the project inside one, else to what stands in for you, else to \
    you. `--layer NAME` says otherwise: `co learn --layer acme \"…\"`, `co undo --layer acme`. A layer \
    is read-only unless it was added with --write. `co propose 12 --to acme` offers facts of yours, as \
    a branch of the layer's repository\n  \
    this laptop                `co learn --here \"…\"` is for facts about it: they are in hosts/ \
    of your identity, travel with it, and are read only on the laptop of that name (`co config set \
    host NAME`). Their handles are `here/1`\n  \
    syncing                    `co sync` syncs you and every layer, with a report each. One that \
    fails holds up no other; a read-only layer is only fetched\n  \
    places                     --for takes a folder with all below it (`~/work`, `~/*/acme`), as you \
    typed it or with links resolved, and remotes in any form (`github.com/acme/*`)\n\
    \n\
    With --instead, your own identity does not exist in the layer's places: nothing of it is read, \
    searched, completed or named there, nothing is written to it, and `--layer me` is refused. Of the \
    other layers, only those with a `--for` for the place are read. A place that two such layers match, \
    or whose repository cannot be read, is refused (exit code 6).\n\
    \n\
    What co cannot keep apart: the laptop's disk, which every program of yours can read; an agent's \
    own memory of what it was told elsewhere; a command that is sent to another folder with -C.\n";
