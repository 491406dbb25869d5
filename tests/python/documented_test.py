# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""Docstrings are run, and type hints name what is there."""
import ast
import doctest
import inspect
import pathlib

import sluice
from sluice import _core, errors


def documented():
    yield "sluice", sluice.__doc__
    yield "sluice.errors", errors.__doc__
    for name in sluice.__all__:
        one = getattr(sluice, name)
        yield name, one.__doc__
        if inspect.isclass(one):
            for member in vars(one).values():
                member = getattr(member, "__func__", member)
                yield f"{name}.{getattr(member, '__name__', '?')}", getattr(member, "__doc__", None)


def test_docstrings():
    runner, parser, run = doctest.DocTestRunner(), doctest.DocTestParser(), 0
    for name, text in documented():
        test = parser.get_doctest(text or "", {}, name, None, 0)
        run += len(test.examples)
        runner.run(test)
    assert runner.failures == 0 and run > 30


def test_everything_public_has_a_docstring():
    for name, text in documented():
        assert text or "._" in name or name.endswith("?"), name


def test_everything_public_has_a_signature():
    """And the one that the hints give."""
    stub = ast.parse((pathlib.Path(_core.__file__).parent / "_core.pyi").read_text())
    hints = {node.name: node for node in stub.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}

    def names(function):
        a = function.args
        return [x.arg for x in (*a.posonlyargs, *a.args, *a.kwonlyargs)] + ([a.kwarg.arg] if a.kwarg else [])

    compared = 0
    for name in sluice.__all__:
        one = getattr(sluice, name)
        if not callable(one):
            continue
        said = list(inspect.signature(one).parameters)
        hint = hints.get(name)
        if isinstance(hint, ast.FunctionDef) and name in ("open", "load", "build_static"):
            assert set(names(hint)) - {"wanted"} <= set(said), name
        if not inspect.isclass(one) or name not in hints:
            continue
        methods = {m.name: m for m in hint.body if isinstance(m, ast.FunctionDef)}
        if "__init__" in methods:
            assert ["self", *said] == names(methods["__init__"]), name
        for method, node in methods.items():
            if method.startswith("_") or any(getattr(d, "id", "") == "property" for d in node.decorator_list):
                continue
            assert list(inspect.signature(getattr(one, method)).parameters) == names(node), f"{name}.{method}"
            compared += 1
    assert compared > 30
    assert inspect.signature(sluice.Filter).parameters["hit_ratio"].default == 0.5
    assert str(inspect.signature(sluice.Filter(keys=9).contains)) == "(keys, *, threads=None, progress=None)"

    class Mine(sluice.Filter):
        def __init__(self, size):
            super().__init__(size)

    assert str(inspect.signature(Mine)) == "(size)"


def test_hints_name_what_is_there():
    stub = ast.parse((pathlib.Path(_core.__file__).parent / "_core.pyi").read_text())
    said = {node.name: node for node in stub.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    there = {n for n in dir(_core) if not n.startswith("__") and n != "version"}
    public = {n for n in said if not n.startswith("_")}
    assert public <= there and there <= set(said)
    for name, node in said.items():
        if isinstance(node, ast.ClassDef) and name in public:
            members = {m.name for m in node.body if isinstance(m, ast.FunctionDef)}
            ours = {n for n in vars(getattr(_core, name)) if not n.startswith("_")}
            assert ours <= members, (name, ours - members)
            assert all(hasattr(getattr(_core, name), m) for m in members), name
    assert (pathlib.Path(_core.__file__).parent / "py.typed").exists()


def test_the_version():
    assert sluice.__version__.count(".") == 2
