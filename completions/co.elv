
set edit:completion:arg-completer[co] = { |@words|
    var index = (count $words)
    set index = (- $index 1)

    put (env _CLAP_IFS="\n" _CLAP_COMPLETE_INDEX=(to-string $index) CO_COMPLETE="elvish" co -- $@words) | to-lines
}

