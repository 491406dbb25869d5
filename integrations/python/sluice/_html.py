# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""What filters and plans show of themselves: texts, and for notebooks tables and the loads of the blocks as a picture."""
from __future__ import annotations

import dataclasses
import html
from typing import Any


def filter_text(f: Any) -> str:
    """repr() of a filter."""
    if getattr(f, "closed", False):
        return "<sluice.OpenedFilter, closed>"
    told = _info(f)
    keys = _keys(told) + " keys" + (f" of {told['planned_keys']:,}" if told["planned_keys"] else "")
    return f"<sluice.{type(f).__name__}: {told['scheme']}, {keys}, FPR {told['fpr']:.2g}, {_size(told['memory'])}>"


def filter_html(f: Any) -> str:
    """_repr_html_ of a filter."""
    if getattr(f, "closed", False):
        return html.escape(filter_text(f))
    told = _info(f)
    rows = [
        ("scheme", told["scheme"]),
        ("keys", _keys(told)),
        ("planned keys", f"{told['planned_keys']:,}" if told["planned_keys"] else "-"),
        ("false positive rate now", f"{told['fpr']:.3g}"),
        ("planned", f"{told['planned_fpr']:.3g}" if told["planned_fpr"] else "-"),
        ("memory", _size(told["memory"])),
        ("kind of keys", told["kind"] or "-"),
    ]
    if told["overfull"]:
        rows.append(("overfull", "more keys than it was made for"))
    if len(told["filters"]) > 1:
        rows.append(("filters in the chain", str(len(told["filters"]))))
    newest = told["filters"][-1]
    return table(rows) + picture(newest["load_histogram"], newest["load_unit"])


def resealable_text(f: Any) -> str:
    """repr() of a ResealableFilter."""
    told = f.info()
    keys = f"{told['keys']:,} keys, {told['later_keys']:,} of them later"
    return f"<sluice.{type(f).__name__}: {keys}, FPR {told['fpr']:.2g}, {_size(told['memory'])}>"


def map_text(m: Any) -> str:
    """repr() of a SealedMap."""
    told = m.info()
    bits = f"values of {told['value_bits']} bits, {told['check_bits']} check bits"
    return f"<sluice.{type(m).__name__}: {told['keys']:,} keys, {bits}, {_size(told['memory'])}>"


def facts(value: Any, skip: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    """The fields of a dataclass, as rows."""
    rows = []
    for field in dataclasses.fields(value):
        if field.name in skip:
            continue
        one = getattr(value, field.name)
        text = f"{one:.4g}" if isinstance(one, float) else f"{one:,}" if isinstance(one, int) else str(one or "-")
        rows.append((field.name.replace("_", " "), text))
    return rows


def table(rows: list[tuple[str, str]]) -> str:
    lines = "".join(f"<tr><th>{html.escape(a)}</th><td>{html.escape(b)}</td></tr>" for a, b in rows)
    return f"<table>{lines}</table>"


_plan_head = "scheme", "design", "FPR", "bits a key", "memory", "lines a lookup", "time", "breaks", "why"


def _plan_cells(c: Any) -> tuple[str, ...]:
    return (
        c.scheme, c.design, f"{c.fpr:.2e}", f"{c.memory_bits_per_key:.1f}", _size(c.memory), f"{c.mean_cost:.2f}",
        f"{c.time:.2f}", c.broken_limit, c.why,
    )


def plan_table(candidates: Any) -> str:
    lines = ["<tr>" + "".join(f"<th>{name}</th>" for name in _plan_head) + "</tr>"]
    for c in candidates:
        lines.append("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in _plan_cells(c)) + "</tr>")
    return "<table>" + "".join(lines) + "</table>"


def plan_text(candidates: Any) -> str:
    """The same for terminals: numbers to the right; the reasons, which are sentences, last and as long as they are."""
    rows = [_plan_head[:7], *(_plan_cells(c)[:7] for c in candidates)]
    widths = [max(len(row[i]) for row in rows) for i in range(7)]
    ends = ["why", *(c.broken_limit and "breaks a limit: " + c.broken_limit or c.why for c in candidates)]
    lines = []
    for row, end in zip(rows, ends):
        cells = [cell.ljust(w) if i < 2 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths))]
        lines.append("  ".join([*cells, end]).rstrip())
    return "\n".join(lines)


def picture(loads: Any, unit: str, width: int = 320, height: int = 90) -> str:
    """How many blocks have which load, as bars; nothing where there are no blocks."""
    counts = [float(n) for n in loads]
    used = [i for i, n in enumerate(counts) if n > 0]
    if not used:
        return ""
    first, last = used[0], used[-1]
    most = max(counts)
    step = width / (last - first + 1)
    bars = "".join(
        f'<rect x="{(i - first) * step:.1f}" y="{height * (1 - counts[i] / most):.1f}" '
        f'width="{max(step - 0.3, 0.3):.1f}" '
        f'height="{height * counts[i] / most:.1f}"/>'
        for i in range(first, last + 1)
        if counts[i] > 0
    )
    label = f"loads of the blocks: {first} to {last} {unit}"
    return (
        f'<svg width="{width}" height="{height + 18}" role="img" aria-label="{label}"><g fill="#4a7ba6">{bars}</g>'
        f'<text x="0" y="{height + 14}" font-size="11">{label}</text></svg>'
    )


def _info(f: Any) -> dict[str, Any]:
    return f.snapshot().info() if hasattr(f, "snapshot") else f.info()


def _keys(told: dict[str, Any]) -> str:
    """How many, and whether they were counted."""
    return ("about " if told["keys_are_estimated"] else "") + f"{told['keys']:,}"


def _size(n: float) -> str:
    for unit in ("bytes", "KiB", "MiB", "GiB", "TiB"):
        if n < 1024 or unit == "TiB":
            return f"{n:.0f} {unit}" if unit == "bytes" else f"{n:.1f} {unit}"
        n /= 1024
    raise AssertionError
