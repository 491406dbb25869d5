#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""Copies Bloom filters from a server with RedisBloom (or with this module) to one with this module, with the time that
they have left.

usage: migrate.py FROM TO [PATTERN]
  FROM, TO   servers as URLs: redis://host:6379, unix:///path?db=0
  PATTERN    of keys, as for SCAN; without it, all

Each filter is read by BF.SCANDUMP and written by BF.LOADCHUNK; keys that are there already are left alone. What is
added to a filter while it is copied may be missing in the copy: stop writers first. Exit status: 0 if all were copied,
1 if some were not, 2 for wrong arguments.
"""
import sys

import redis

types = {b"MBbloom--", b"sluice-bf"}


def copy(source, target, key):
    """Under another name until all of it, and its time, is there: a key that somebody makes meanwhile is left alone."""
    if target.exists(key):
        return "is there already"
    arriving = b"sluice-migrate:" + key
    target.delete(arriving)  # of a run that was interrupted
    try:
        number = 0
        while True:
            number, data = source.execute_command("BF.SCANDUMP", key, number)
            if number == 0:
                break
            target.execute_command("BF.LOADCHUNK", arriving, number, data)
        left = source.pttl(key)
        if left == -2:
            return "its time ended"
        if left >= 0:
            target.pexpire(arriving, max(left, 1))
        if not target.renamenx(arriving, key):
            return "is there already"
    except redis.exceptions.ResponseError as e:
        return str(e)
    finally:
        target.delete(arriving)
    return None


def main():
    if len(sys.argv) not in (3, 4):
        print(__doc__, file=sys.stderr)
        return 2
    source, target = redis.Redis.from_url(sys.argv[1]), redis.Redis.from_url(sys.argv[2])
    copied = failed = 0
    for key in source.scan_iter(match=sys.argv[3] if len(sys.argv) == 4 else "*", count=1000):
        if source.type(key) not in types:
            continue
        trouble = copy(source, target, key)
        if trouble:
            failed += 1
            print(f"{key!r} was not copied: {trouble}", file=sys.stderr)
        else:
            copied += 1
    print(f"{copied} filters copied, {failed} not")
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (redis.exceptions.ConnectionError, redis.exceptions.AuthenticationError) as e:
        print(e, file=sys.stderr)
        sys.exit(1)
