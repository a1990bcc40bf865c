complete --keep-order --exclusive --command co --arguments "(CO_COMPLETE=fish co -- (commandline --current-process --tokenize --cut-at-cursor) (commandline --current-token))"
