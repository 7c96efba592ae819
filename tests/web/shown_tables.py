"""The tables of a page as somebody reads them."""

from html.parser import HTMLParser

Rows = list[list[str]]


class _Tables(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, Rows] = {}
        self._rows: Rows = []
        self._caption = ""
        self._inside: str | None = None

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "table":
            self._rows, self._caption = [], ""
        elif tag == "tr":
            self._rows.append([])
        elif tag in {"th", "td"}:
            self._rows[-1].append("")
        if tag in {"th", "td", "caption"}:
            self._inside = tag

    def handle_endtag(self, tag: str) -> None:
        if tag == "table":
            self.found[self._caption] = self._rows
        if tag == self._inside:
            self._inside = None

    def handle_data(self, data: str) -> None:
        if self._inside == "caption":
            self._caption += data
        elif self._inside is not None:
            self._rows[-1][-1] += data


def shown_tables(html: str) -> dict[str, Rows]:
    """Return each table's rows by its caption; a row is a list of cell texts, headings included."""
    tables = _Tables()
    tables.feed(html)
    return {
        caption: [[" ".join(cell.split()) for cell in row] for row in rows]
        for caption, rows in tables.found.items()
    }
