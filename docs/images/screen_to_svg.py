#!/usr/bin/env python3
"""Draws a terminal screen, as `tmux capture-pane -ep` writes it, as an SVG: screen_to_svg.py COLUMNS <screen >image.svg"""

import re
import sys
from html import escape

CELL, LINE, SIZE, MARGIN = 8.0, 18, 13.2, 14
PAPER, INK = "#1c1f26", "#d8dce4"
COLORS = ["#5b6270", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d8dce4"]
SEQUENCE = re.compile(r"\x1b\[([0-9;]*)m")
OTHER = re.compile(r"\x1b(\][^\x07]*\x07|\[[0-?]*[ -/]*[@-~]|[()][0B]|[=>])|\x0f|\x0e")


def changed(style, codes):
    style = dict(style)
    numbers = [int(code or 0) for code in codes.split(";")]
    while numbers:
        number = numbers.pop(0)
        if number == 0:
            style = {}
        elif number in (1, 2, 3, 7):
            style[number] = True
        elif number == 22:
            style.pop(1, None)
            style.pop(2, None)
        elif number in (23, 27):
            style.pop(number - 20, None)
        elif 30 <= number <= 37 or 90 <= number <= 97:
            style["color"] = COLORS[number % 10]
        elif number == 39:
            style.pop("color", None)
        elif number in (38, 48):
            del numbers[: 2 if numbers[0] == 5 else 4]
    return style


def attributes(style):
    parts = []
    if "color" in style:
        parts.append(f'fill="{style["color"]}"')
    if 1 in style:
        parts.append('font-weight="bold"')
    if 2 in style:
        parts.append('opacity="0.6"')
    if 3 in style:
        parts.append('font-style="italic"')
    return " ".join(parts)


def runs(line, style):
    column, at = 0, 0
    for match in list(SEQUENCE.finditer(line)) + [None]:
        text = OTHER.sub("", line[at : match.start() if match else len(line)])
        if text:
            yield column, text, style
            column += len(text)
        if match:
            style = changed(style, match.group(1))
            at = match.end()
    yield None, "", style


def main():
    columns = int(sys.argv[1])
    lines = sys.stdin.read().split("\n")
    while lines and not OTHER.sub("", SEQUENCE.sub("", lines[-1])).strip():
        lines.pop()
    width, height = columns * CELL + 2 * MARGIN, len(lines) * LINE + 2 * MARGIN
    print(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" height="{height}"'
        f' font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="{SIZE}" fill="{INK}">'
    )
    print(f'<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>')
    style = {}
    for row, line in enumerate(lines):
        y = MARGIN + row * LINE + 13
        for column, text, style in runs(line, style):
            if text.strip():
                start = len(text) - len(text.lstrip())
                shown = text.strip()
                x = MARGIN + (column + start) * CELL
                print(
                    f'<text x="{x:.0f}" y="{y}" textLength="{len(shown) * CELL:.0f}" xml:space="preserve" '
                    f"{attributes(style)}>{escape(shown)}</text>"
                )
    print("</svg>")


if __name__ == "__main__":
    main()
