#!/usr/bin/env python3
"""Recomputes the digest chain of an archive from docs/format.md alone, without browx.

  digest_witness.py FILE          ends with 0 when every commit verifies
  digest_witness.py --seal FILE   rewrites the digests (to make fixtures; never run on a recording)
"""
import hashlib
import json
import sqlite3
import struct
import sys


def value(v):
    if v is None:
        return b"N"
    if isinstance(v, int):
        return b"I" + struct.pack("<q", v)
    if isinstance(v, float):
        return b"F" + struct.pack("<d", v)
    if isinstance(v, str):
        v = v.encode("utf-8", "surrogateescape")
        return b"T" + struct.pack("<Q", len(v)) + v
    return b"B" + struct.pack("<Q", len(v)) + bytes(v)


def chain(db):
    """(commit number, stored digest, computed digest) of every commit."""
    previous, reached = b"", {}
    for n, t, upto, stored in db.execute("SELECT n, t, upto, digest FROM commits ORDER BY n").fetchall():
        commit = hashlib.sha256(value(previous) + value(t) + value(upto))
        for table, last in json.loads(upto).items():
            rows = hashlib.sha256()
            key = "seq" if table == "event" else "n"
            for row in db.execute(f'SELECT * FROM "{table}" WHERE {key} > ? AND {key} <= ? ORDER BY {key}', (reached.get(table, 0), last)):
                for column in row:
                    rows.update(value(column))
            reached[table] = last
            commit.update(value(table) + value(rows.digest()))
        previous = commit.digest()
        yield n, bytes(stored), previous


def main():
    seal = sys.argv[1] == "--seal"
    path = sys.argv[-1]
    db = sqlite3.connect(path if seal else f"file:{path}?mode=ro&immutable=1", uri=not seal)
    db.text_factory = lambda b: b.decode("utf-8", "surrogateescape")
    commits = list(chain(db))
    if seal:
        db.executemany("UPDATE commits SET digest = ? WHERE n = ?", [(computed, n) for n, _, computed in commits])
        db.commit()
        return 0
    wrong = [n for n, stored, computed in commits if stored != computed]
    print(f"{path}: {len(commits)} commits" + (f", the first that differs is {wrong[0]}" if wrong else " verify"))
    return 1 if wrong or not commits else 0


if __name__ == "__main__":
    sys.exit(main())
