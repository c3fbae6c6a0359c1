# One table of medians, and one sentence, from the figures of every run.

function median(list, count,    i, j, keep) {
    for (i = 2; i <= count; i++)
        for (j = i; j > 1 && list[j - 1] > list[j]; j--) {
            keep = list[j]; list[j] = list[j - 1]; list[j - 1] = keep
        }
    return count % 2 ? list[(count + 1) / 2] : (list[count / 2] + list[count / 2 + 1]) / 2
}

function figure(program, arm, name,    round, file, line, word, list, count) {
    for (round = 1; round <= rounds; round++) {
        file = folder "/" program "." arm "." round
        while ((getline line < file) > 0) {
            split(line, word, " ")
            if (word[1] == name)
                list[++count] = word[2] + 0
        }
        close(file)
    }
    return count ? median(list, count) : -1
}

function show(value, unit) {
    return value < 0 ? "-" : sprintf(unit == "s" ? "%.2f s" : "%.1f MiB", unit == "s" ? value : value / 1024)
}

function row(program, what, name, unit,    system_, ours, ratio) {
    system_ = figure(program, "system", name)
    ours = figure(program, "lohalloc", name)
    ratio = system_ > 0 && ours >= 0 ? ours / system_ : -1
    printf "%-8s %-18s %14s %14s %8s\n", program, what, show(system_, unit), show(ours, unit), ratio < 0 ? "-" : sprintf("%.2f", ratio)
    if (ratio < 0)
        return
    if (ratio <= 0.97)
        better = better (better ? ", " : "") sprintf("%s %s (%.2f)", program, what, ratio)
    else if (ratio >= 1.03)
        worse = worse (worse ? ", " : "") sprintf("%s %s (%.2f)", program, what, ratio)
    else
        same = same (same ? ", " : "") program " " what
}

BEGIN {
    count = split(programs, names, " ")
    printf "%-8s %-18s %14s %14s %8s\n", "", "median of " rounds, "system malloc", "lohalloc", "ratio"
    for (i = 1; i <= count; i++) {
        row(names[i], "time", "time", "s")
        row(names[i], "CPU time", "cpu", "s")
        row(names[i], "peak memory", "peak", "m")
        row(names[i], "memory after peak", "after", "m")
        handed = figure(names[i], "lohalloc", "served")
        printf "%-8s %-18s %14s %14s\n", names[i], "blocks served", "-", handed < 0 ? "none" : sprintf("%d", handed)
        if (handed <= 0)
            unproved = unproved " " names[i]
    }
    print ""
    sentence = "Against the system's malloc, lohalloc took less in " (better ? better : "nothing") "; more in " (worse ? worse : "nothing")
    print sentence (same ? "; and the same within 3 % in " same : "") "."
    if (unproved) {
        print "No proof that lohalloc served:" unproved "."
        exit 1
    }
}
