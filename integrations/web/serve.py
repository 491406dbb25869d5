#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""serve.py FOLDER PORT: a folder over HTTP, on loopback alone, until interrupted. Port 0 takes any that is free.

Python's own server, with the one type that it does not know and nothing kept by the browser, so that a page that was
built again is the one that is shown.
"""
import functools
import http.server
import sys


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm",
                      ".js": "text/javascript", ".LICENSE": "text/plain"}

    def end_headers(self):
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, *_):
        pass


def main():
    folder, port = sys.argv[1], int(sys.argv[2])
    try:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), functools.partial(Handler, directory=folder))
    except OSError as e:
        sys.exit(f"serve.py: port {port} cannot be had: {e.strerror}; name another one, or 0 for any")
    print(f"http://127.0.0.1:{server.server_address[1]}/", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


main()
