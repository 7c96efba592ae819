"""QR codes as pictures in a page."""

import segno


def qr_code(text: str) -> str:
    """An SVG without a style of its own; the sheet gives its size."""
    return segno.make(text, error="m").svg_inline(
        border=4, svgclass="qr", lineclass=None, omitsize=True, dark="#000", light="#fff"
    )
