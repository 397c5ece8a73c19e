"""XLSX files written part by part, as programs write them that are not spreadsheets."""

from __future__ import annotations

import zipfile
from io import BytesIO

NAMESPACE = "http://schemas.openxmlformats.org"
RELATIONS = f"{NAMESPACE}/package/2006/relationships"
OFFICE = f"{NAMESPACE}/officeDocument/2006/relationships"
MAIN = f"{NAMESPACE}/spreadsheetml/2006/main"


def sheet(*rows: str, strings: str = "", sheet_data: str = "") -> bytes:
    """Write a workbook of one sheet; rows are XML, and style 1 is that of days."""
    data = sheet_data or "".join(rows)
    parts = {
        "_rels/.rels": (
            f'<Relationships xmlns="{RELATIONS}"><Relationship Id="r1" '
            f'Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
        ),
        "xl/workbook.xml": (
            f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>'
            '<sheet name="Report" sheetId="1" r:id="r1"/></sheets></workbook>'
        ),
        "xl/_rels/workbook.xml.rels": (
            f'<Relationships xmlns="{RELATIONS}">'
            f'<Relationship Id="r1" Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
            f'<Relationship Id="r2" Type="{OFFICE}/styles" Target="styles.xml"/>'
            f'<Relationship Id="r3" Type="{OFFICE}/sharedStrings" Target="/xl/strings.xml"/>'
            "</Relationships>"
        ),
        "xl/styles.xml": (
            f'<styleSheet xmlns="{MAIN}"><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>'
            "</styleSheet>"
        ),
        "xl/strings.xml": f'<sst xmlns="{MAIN}">{strings}</sst>',
        "xl/worksheets/sheet1.xml": (
            f'<worksheet xmlns="{MAIN}"><sheetData>{data}</sheetData></worksheet>'
        ),
    }
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return out.getvalue()


def row(number: int | str, *cells: str) -> str:
    """Write a row."""
    place = f' r="{number}"' if number else ""
    return f"<row{place}>{''.join(cells)}</row>"


def text(place: str, value: str) -> str:
    """Write a cell with a text of its own."""
    return f'<c r="{place}" t="inlineStr"><is><t>{value}</t></is></c>'


def number(place: str, value: str, style: int = 0) -> str:
    """Write a cell with a number."""
    return f'<c r="{place}" s="{style}"><v>{value}</v></c>'


def formula(place: str, value: str | None = None, kind: str = "n") -> str:
    """Write a cell with a formula, calculated or not."""
    cached = "" if value is None else f"<v>{value}</v>"
    return f'<c r="{place}" t="{kind}"><f>1+1</f>{cached}</c>'


HEAD = row(1, text("A1", "day"), text("B1", "sum"), text("C1", "ours"))
DAY = number("A2", "46346", 1)
