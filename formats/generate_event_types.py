#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Makes of event_types.tsv the constants (event_numbers.h), the C table and the page of the documentation.

    generate_event_types.py TSV --header FILE --table FILE     what the build wants
    generate_event_types.py TSV --doc FILE                     docs/event-types.md; a test says when it is old

It refuses a table that is not sound: types or values out of order or twice, a state that is not in the table.
"""
import argparse
import csv
import sys

COLUMNS = ['type', 'name', 'label', 'source', 'value', 'value_label', 'state']


NONE = 'TND_STATE_NONE'


def state_of(row):
    return int(row['state']) if row['state'] else NONE


class Type:
    def __init__(self, row):
        first, _, last = row['type'].partition('-')
        self.first, self.last = int(first), int(last or first)
        self.name, self.label, self.source = row['name'], row['label'], row['source']
        self.state = state_of(row)
        self.values = []  # (value, label, state)


def sound(ok, what):
    if not ok:
        sys.exit(f'event_types.tsv: {what}')


def read(path):
    states, types = [], []
    with open(path, encoding='utf-8', newline='') as file:
        lines = (line for line in file if line.strip() and not line.startswith('#'))
        reader = csv.DictReader(lines, delimiter='\t', quoting=csv.QUOTE_NONE)
        sound(reader.fieldnames == COLUMNS, f'the columns must be {COLUMNS}')
        for row in reader:
            sound(None not in row and None not in row.values(), f'not {len(COLUMNS)} columns: {row}')
            if row['type'] == 'state':
                sound(int(row['value']) == len(states), f'state {row["value"]} is out of order')
                states.append((row['name'], row['label'], [int(c) for c in row['value_label'].split(',')]))
            elif row['label']:
                types.append(Type(row))
            else:
                sound(types and int(row['type']) == types[-1].first, f'a value outside its type: {row}')
                types[-1].values.append((int(row['value']), row['value_label'], state_of(row)))
    for before, after in zip(types, types[1:]):
        sound(before.last < after.first, f'type {after.first} is out of order')
    for one in types:
        sound(one.first <= one.last and one.name and one.source, f'type {one.first} lacks something')
        sound(all(a[0] < b[0] for a, b in zip(one.values, one.values[1:])), f'values of type {one.first} out of order')
        used = [one.state] + [value[2] for value in one.values]
        sound(all(s == NONE or s < len(states) for s in used), f'type {one.first}: no such state')
    names = [one.name for one in types]
    sound(len(set(names)) == len(names), 'a name stands twice')
    return states, types


def header(states, types):
    yield '/* Made from event_types.tsv: do not edit. */\n#ifndef TND_EVENT_NUMBERS_H\n#define TND_EVENT_NUMBERS_H\n'
    for one in types:
        yield f'#define TND_TYPE_{one.name} {one.first}u /* {one.label} */'
        if one.last != one.first:
            yield f'#define TND_TYPE_{one.name}_LAST {one.last}u'
    yield ''
    for number, (name, label, _) in enumerate(states):
        yield f'#define TND_STATE_{name} {number}u /* {label} */'
    yield '\n#endif'


def quoted(text):
    return '"' + text.replace('\\', '\\\\').replace('"', '\\"') + '"'


def table(states, types):
    yield '/* Made from event_types.tsv: do not edit. */\n#include "formats/event_types.h"\n'
    for one in types:
        if one.values:
            yield f'static const struct tnd_event_value values_{one.first}[] = {{'
            yield from (f'    {{{value}, {quoted(label)}, {state}}},' for value, label, state in one.values)
            yield '};'
    yield 'const struct tnd_event_type tnd_event_types[] = {'
    for one in types:
        values = f'values_{one.first}' if one.values else '0'
        yield (f'    {{{one.first}u, {one.last}u, {quoted(one.label)}, {quoted(one.source)}, {one.state}, '
               f'{len(one.values)}, {values}}},')
    yield f'}};\nconst size_t tnd_event_types_n = {len(types)};'
    yield 'const struct tnd_state tnd_event_states[] = {'
    for number, (_, label, rgb) in enumerate(states):
        yield f'    {{{number}, {quoted(label)}, {", ".join(map(str, rgb))}}},'
    yield f'}};\nconst size_t tnd_event_states_n = {len(states)};'


def doc(states, types):
    yield '<!-- Made from formats/event_types.tsv by formats/generate_event_types.py: do not edit. -->'
    yield '# Event types and states\n'
    yield ('If Extrae has an event, its number is used, so that existing configurations of Paraver work\n'
           'unchanged. MPI calls without a number in Extrae have values from 1000 up. The block 92000000 to\n'
           '92999999 is tandem\'s own. In a range, `#` counts from 1.\n')
    yield '## Types\n\n| type | label | source | constant |\n|---|---|---|---|'
    for one in types:
        number = str(one.first) if one.first == one.last else f'{one.first} to {one.last}'
        yield f'| {number} | {one.label} | {one.source} | `TND_TYPE_{one.name}` |'
    yield '\n## Values\n\nThe third column is the state of a thread while the value holds.'
    for one in types:
        if one.values:
            yield f'\n### {one.first} {one.label}\n\n| value | label | state |\n|---|---|---|'
            for value, label, state in one.values:
                yield f'| {value} | {label} | {states[state][1] if state != NONE else ""} |'
    yield '\n## States\n\n| state | label | colour | constant |\n|---|---|---|---|'
    for number, (name, label, rgb) in enumerate(states):
        yield f'| {number} | {label} | {", ".join(map(str, rgb))} | `TND_STATE_{name}` |'


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', 1)[0])
    parser.add_argument('tsv')
    for name in ('header', 'table', 'doc'):
        parser.add_argument(f'--{name}')
    arguments = parser.parse_args()
    states, types = read(arguments.tsv)
    for path, lines in ((arguments.header, header), (arguments.table, table), (arguments.doc, doc)):
        if path:
            with open(path, 'w', encoding='utf-8', newline='\n') as file:
                file.write('\n'.join(lines(states, types)) + '\n')


if __name__ == '__main__':
    main()
