#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""generate.py TANDEM TVIEW DIRECTORY: completions for bash, zsh and fish, made of what the programs' --help says."""
import collections
import pathlib
import re
import subprocess
import sys

Option = collections.namedtuple("Option", "short long value text")

OPTION = re.compile(r"^ +(?:-(\w), )?--([\w-]+)(?:=(\S.*?))?(?: {2,}(.*)|$)")


def ask(*words):
    return subprocess.run([*words, "--help"], capture_output=True, text=True, check=True).stdout


def options_of(text):
    """The options of a help; lines without one go on with the text before."""
    options = []
    for line in text.partition("\nOptions:\n")[2].partition("\n\nExample:")[0].splitlines():
        found = OPTION.match(line)
        if found:
            options.append(Option(*(group or "" for group in found.groups())))
        elif options and line.strip():
            last = options.pop()
            options.append(last._replace(text=f"{last.text} {line.strip()}".strip()))
    return options


def choices_of(option, views):
    """The words that a value may be; empty: files."""
    if option.long in ("view", "data", "by", "between"):
        return views
    words = option.value.split("|")
    return [word for word in words if re.fullmatch("[a-z-]+", word)] if len(words) > 1 else []


def short_text(option):
    """The first words of what an option does."""
    return re.split(r"[;:(]", option.text)[0].strip()


def bash(program, commands, views):
    """commands: {command: options}; that of "" are the program's own."""
    lines = [f"# Completion of {program} for bash; made from its --help.", f"_{program}()", "{",
             '    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command= options=', "    COMPREPLY=()"]
    if "" not in commands:
        lines += [f'    if [ "$COMP_CWORD" = 1 ]; then COMPREPLY=($(compgen -W "{" ".join(commands)}" -- "$word")); return; fi',
                  "    command=${COMP_WORDS[1]}"]
    lines += ['    case "$command $before" in']
    for command, options in commands.items():
        for option in options:
            names = [f"--{option.long}"] + ([f"-{option.short}"] if option.short else [])
            words = choices_of(option, views)
            if option.value and words:  # else it is a file, as every other word
                pattern = "|".join(f'"{command} {name}"' for name in names)
                lines.append(f'    {pattern}) COMPREPLY=($(compgen -W "{" ".join(words)}" -- "$word")); return ;;')
    lines += ["    esac", '    case "$command" in']
    for command, options in commands.items():
        lines.append(f'    "{command}") options="{" ".join("--" + option.long for option in options)}" ;;')
    lines += ["    esac",
              '    case "$word" in', '    -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;',
              '    *) if [ "$command" = record ]; then COMPREPLY=($(compgen -c -- "$word") $(compgen -f -- "$word"));',
              '       else COMPREPLY=($(compgen -f -- "$word")); fi ;;', "    esac", "}",
              f"complete -o filenames -F _{program} {program}", ""]
    return "\n".join(lines)


def quoted(text):
    return text.replace("\\", "\\\\").replace("'", "'\\''").replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")


def zsh_arguments(options, views):
    for option in options:
        words = choices_of(option, views)
        action = f":{quoted(option.value)}:" + (f"({' '.join(words)})" if words else "_files") if option.value else ""
        text = quoted(short_text(option))
        yield f"'--{option.long}{'=' if option.value else ''}[{text}]{action}'"
        if option.short:
            yield f"'-{option.short}{'+' if option.value else ''}[{text}]{action}'"


def zsh(program, commands, views):
    lines = [f"#compdef {program}", f"# Completion of {program} for zsh; made from its --help."]
    if "" in commands:
        lines.append(" \\\n    ".join(["_arguments", *zsh_arguments(commands[""], views), "'*:file:_files'"]))
        return "\n".join(lines) + "\n"
    lines += ["if (( CURRENT == 2 )); then", f"    compadd -- {' '.join(commands)}", "    return", "fi",
              "local command=$words[2]", "shift words", "(( CURRENT-- ))", "case $command in"]
    for command, options in commands.items():
        rest = "'*::command:_normal'" if command == "record" else "'*:file:_files'"
        lines.append(" \\\n        ".join([f"{command})\n    _arguments", *zsh_arguments(options, views), rest]) + " ;;")
    return "\n".join([*lines, "esac", ""])


def fish(program, commands, views):
    lines = [f"# Completion of {program} for fish; made from its --help."]
    if "" not in commands:
        lines.append(f"complete -c {program} -n __fish_use_subcommand -f -a '{' '.join(commands)}'")
    for command, options in commands.items():
        where = f" -n '__fish_seen_subcommand_from {command}'" if command else ""
        for option in options:
            words = choices_of(option, views)
            value = (f" -x -a '{' '.join(words)}'" if words else " -r") if option.value else ""
            short = f" -s {option.short}" if option.short else ""
            text = short_text(option).replace("\\", "\\\\").replace("'", "\\'")
            lines.append(f"complete -c {program}{where}{short} -l {option.long}{value} -d '{text}'")
    return "\n".join(lines) + "\n"


def main():
    tandem, tview, directory = sys.argv[1:]
    views = re.findall(r"^  ([a-z][\w-]+) {2,}", ask(tandem, "histogram").partition("\nViews:\n")[2].partition("\n\n")[0], re.M)
    names = re.findall(r"^  ([a-z]+) {2,}", ask(tandem), re.M)
    programs = {"tandem": {name: options_of(ask(tandem, name)) for name in names}, "tview": {"": options_of(ask(tview))}}
    for program, commands in programs.items():
        for name, make in ((program, bash), (f"_{program}", zsh), (f"{program}.fish", fish)):
            (pathlib.Path(directory) / name).write_text(make(program, commands, views), encoding="utf-8")


main()
