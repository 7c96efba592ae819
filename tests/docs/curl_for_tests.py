"""A replacement for curl on machines without it, with only the flags that README.md uses."""

import argparse
import sys
import urllib.error
import urllib.request


def main() -> None:
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("-s", "--silent", action="store_true")
    parser.add_argument("-S", "--show-error", action="store_true")
    parser.add_argument("-H", "--header", action="append", default=[])
    parser.add_argument("-d", "--data")
    parser.add_argument("url")
    asked = parser.parse_args()
    headers = dict(header.split(": ", 1) for header in asked.header)
    data = None if asked.data is None else asked.data.encode()
    request = urllib.request.Request(asked.url, data, headers)
    try:
        answer = urllib.request.urlopen(request, timeout=60)
    except urllib.error.HTTPError as error:
        answer = error
    with answer:
        sys.stdout.buffer.write(answer.read())


if __name__ == "__main__":
    main()
