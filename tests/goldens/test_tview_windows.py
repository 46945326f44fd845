# SPDX-License-Identifier: GPL-3.0-or-later
"""tview shows every window and every table of configurations that users of Paraver's have: the picture has, wherever one
value holds for some pixels, the colour of this value and no other; the table has the cells that Paraver printed."""
import csv
import io
import re
import struct
import zlib

import resident
from answers import answers, paravers, paravers_bursts, paravers_table

BLACK = b"\0\0\0"


def unfiltered(kind, line, before, n):
    """A line of a PNG as it is, of pixels of n bytes."""
    if kind == 1:
        for x in range(n, len(line)):
            line[x] = line[x] + line[x - n] & 255
    elif kind == 2:
        line = bytearray(a + b & 255 for a, b in zip(line, before))
    elif kind == 3:
        for x in range(len(line)):
            line[x] = line[x] + ((line[x - n] if x >= n else 0) + before[x] >> 1) & 255
    elif kind == 4:
        for x in range(len(line)):
            left, above, corner = (line[x - n], before[x], before[x - n]) if x >= n else (0, before[x], 0)
            away = [abs(above - corner), abs(left - corner), abs(left + above - 2 * corner)]
            line[x] = line[x] + (left, above, corner)[away.index(min(away))] & 255
    return line


def pixels(path):
    """Lines of pixels, each three bytes."""
    data, packed, at = path.read_bytes(), b"", 8
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, colours = struct.unpack(">IIBB", body[:10])
        packed += body if kind == b"IDAT" else b""
        at += size + 12
    assert (depth, colours) == (8, 2)
    raw, line, lines, stride = zlib.decompress(packed), bytearray(3 * width), [], 3 * width + 1
    for y in range(height):
        line = unfiltered(raw[y * stride], bytearray(raw[y * stride + 1:(y + 1) * stride]), line, 3)
        lines.append([bytes(line[x:x + 3]) for x in range(0, 3 * width, 3)])
    return lines


def export(tview, trace, cfg, path, *options):
    colours = "--palette", "paraver", "--scale", "linear"
    done = resident.run(tview, trace, "--cfg", cfg, "--export", path, *colours, *options)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), (trace, cfg, done.stderr)
    return pixels(path)


def is_of_gradient(pixel):
    return pixel[0] == 0 and pixel[1] + pixel[2] == 255


def canvas(lines):
    """Nothing else is black but swatches, which are small: texts are not quite.  There is black between rows."""
    rows = [y for y, line in enumerate(lines) if line.count(BLACK) > 100]
    left = min(lines[y].index(BLACK) for y in rows)
    right = max(len(lines[y]) - lines[y][::-1].index(BLACK) for y in rows)
    return left, right, rows[0], rows[-1] + 1


def rows_of(text):
    """Paraver's bursts, row by row: begin and duration in the window's unit, value."""
    rows, end = [], None
    for begin, duration, value in ([float(field) for field in burst] for burst in paravers_bursts(text)):
        if begin == 0 and end != 0:
            rows.append([])
        end = begin + duration
        rows[-1].append((begin, duration, value))
    return rows


def are_one(colours):
    """Or of a gradient, as near as the two decimals that Paraver prints."""
    blue = [colour[2] for colour in colours]
    return len(colours) == 1 or (all(is_of_gradient(colour) for colour in colours) and max(blue) - min(blue) <= 10)


def faults(lines, rows):
    """Values that have several colours, or none; and of how many bursts that is known."""
    left, right, top, bottom = canvas(lines)
    end = max(begin + duration for row in rows for begin, duration, _ in row)
    colours, n = {}, 0
    for i, row in enumerate(rows):
        line = lines[int(top + (bottom - top) * (i + 0.5) / len(rows))]
        for begin, duration, value in row:
            wide = duration / end * (right - left)
            if wide < 4:
                continue
            colours.setdefault(value, set()).add(line[left + int((begin + duration / 2) / end * (right - left))])
            n += 1
    return [value for value, seen in colours.items() if value != 0 and (BLACK in seen or not are_one(seen))], n


def test_timelines(tview, tandem, answers, tmp_path):
    n_bursts, wrong, texts = 0, [], list(paravers(answers, ".txt.csv"))
    for trace, cfg, text in texts:
        rows = rows_of(text)
        lines = export(tview, trace, cfg, tmp_path / "a.png", "--size", "400x330", "--no-messages", "--draw", "colour")
        bad, n_seen = faults(lines, rows)
        n_bursts += n_seen
        if bad:
            wrong.append((trace.stem, cfg.stem, bad))
        ours = resident.run(tview, trace, "--cfg", cfg, "--csv", "-", check=True)
        other = resident.run(tandem, "histogram", trace, "--view", cfg, "--csv", "-", check=True)
        assert ours.stdout == other.stdout, (trace, cfg)
    assert wrong == [] and len(texts) > 100 and n_bursts > 3000


def test_tables(tview, answers, tmp_path):
    wrong, texts = [], list(paravers(answers, ".txt"))
    for trace, cfg, text in texts:
        wanted = paravers_table(text)
        done = resident.run(tview, trace, "--cfg", cfg, "--csv", "-")
        assert (done.returncode, done.stderr) == (0, ""), (trace, cfg)
        found = [[re.sub(r" \[(ns|us|%|B)\]$", "", field) for field in row[1:]]
                 for row in csv.reader(io.StringIO(done.stdout)) if row[1:]]
        lines = export(tview, trace, cfg, tmp_path / "a.png", "--size", "300x200") if wanted else []
        has_any = any(re.fullmatch(r"-?[\d.]+", field) and float(field) for row in wanted for field in row)
        if found != wanted or has_any != any(is_of_gradient(pixel) for line in lines for pixel in line):
            wrong.append((trace.stem, cfg.stem))
    assert wrong == [] and len(texts) > 180
