#!/usr/bin/env python3
"""Verifies and prints the journal of a Skein session, with nothing but Python's standard library.

    read_journal.py JOURNAL

One line for each record: sequence number, type, and what was said. Missing records are told as a gap. The last
line counts records, gaps and bytes of an unfinished append. Ends in 0 if all is well, in 1 if there are gaps.
The format is specified in docs/session-format.md; this is the shortest reader that follows it.
"""

import json
import re
import sys
from pathlib import Path

FORMAT = 1
MISSING_MAX = 10_000_000
HEAD = re.compile(
    rb'\{"seq":(\d{1,18}),"prev":"([0-9a-f]{8})"(?:,"more":(\d{1,18}))?(?:,"key":("(?:[^"\\]|\\.)*"))?(?=,)')
TAIL = re.compile(rb',"crc":"([0-9a-f]{8})"\}')
TAIL_LENGTH = len(b',"crc":"00000000"}')


def crc32c_table():
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = (byte >> 1) ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


TABLE = crc32c_table()


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


class Record:
    def __init__(self, seq, prev, more, crc, body):
        self.seq, self.prev, self.more, self.crc, self.body = seq, prev, more, crc, body


def parse(line):
    """The record in a line, or None if the line is not a whole and true one."""
    head = HEAD.match(line)
    tail = TAIL.fullmatch(line[-TAIL_LENGTH:])
    if not head or not tail or head.end() > len(line) - TAIL_LENGTH:
        return None
    covered = line[:-TAIL_LENGTH]
    if crc32c(covered) != int(tail[1], 16):
        return None
    return Record(int(head[1]), int(head[2], 16), int(head[3] or 0), int(tail[1], 16), json.loads(line))


def parse_glued(line):
    """The record behind an unfinished one on the same line, or None."""
    start = line.rfind(b'{"seq":', 1)
    return None if start < 0 else parse(line[start:])


def scan(data):
    """The records of whole appends, the gaps as (first missing, how many), and the bytes of the torn tail."""
    records, held, gaps = [], [], []
    expected, last_crc, bad, whole, at = None, None, False, 0, 0
    while (end := data.find(b"\n", at)) >= 0:
        line, at = data[at:end], end + 1
        record = parse(line)
        if record is None:
            bad = True
            record = parse_glued(line)
            if record is None:
                continue
        if expected is None:
            expected, last_crc = record.seq, record.prev
        if bad or record.seq != expected or record.prev != last_crc:
            bad = False
            if record.seq < expected or record.seq - expected > MISSING_MAX:
                gaps.append((expected, 0))
                continue
            records += held
            held = []
            gaps.append((expected, record.seq - expected))
        held.append(record)
        expected, last_crc = record.seq + 1, record.crc
        if record.more == 0:
            records += held
            held = []
            whole = at
    return records, gaps, len(data) - whole


def parent_journal(journal, session):
    """Where the session that this one was forked from is now: in use, put aside for its forks, or in the trash."""
    sessions = journal.absolute().parent.parent.parent
    base = sessions.parent
    if base.parent.name == "agents":
        base = base.parent.parent
    for scope in [base / "sessions", *sorted(base.glob("agents/*/sessions"))]:
        for place in ("by-id", "forked", "trash"):
            candidate = scope / place / session / "journal.jsonl"
            if candidate.is_file():
                return candidate
    sys.exit(f"read_journal: the session {session} that {journal} was forked from is missing")


def read(journal):
    """The whole history of a session: what it shares with those it was forked from, then its own."""
    records, gaps, torn = scan(journal.read_bytes())
    opened = records[0].body if records else {}
    if opened.get("format", FORMAT) > FORMAT:
        sys.exit(f"read_journal: {journal} has format {opened['format']}; this reader knows {FORMAT}")
    fork = opened.get("fork")
    if opened.get("type") == "session_opened" and fork:
        shared, shared_gaps, _ = read(parent_journal(journal, fork["session"]))
        shared = [record for record in shared if record.seq <= fork["seq"]]
        return shared + records, [gap for gap in shared_gaps if gap[0] <= fork["seq"]] + gaps, torn
    return records, gaps, torn


def words(event):
    """What to print of an event, without anything that could command a terminal."""
    if event["type"] == "session_opened":
        return event["session"]
    if event["type"] != "message_ended":
        return event.get("loop", "")
    texts = [part["text"] for part in event["message"]["parts"] if part["type"] == "text"]
    said = event["message"]["role"] + ": " + " ".join(texts)
    return "".join(c if c.isprintable() else "·" for c in said)


def main():
    sys.stdout.reconfigure(encoding="utf-8")
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    records, gaps, torn = read(Path(sys.argv[1]))
    missing = dict(gaps)
    following = 1
    for record in records:
        if record.seq > following:
            print(f"{following:>6} gap: {missing.get(following, record.seq - following)} missing")
        print(f"{record.seq:>6} {record.body['type']} {words(record.body)}".rstrip())
        following = record.seq + 1
    print(f"{len(records)} records, {len(gaps)} gaps, {torn} torn bytes")
    sys.exit(1 if gaps else 0)


if __name__ == "__main__":
    main()
