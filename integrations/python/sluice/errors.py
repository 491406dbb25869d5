# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""What goes wrong. Every error is a sluice.Error, with a sentence and a code, and also the built-in that fits, so that
``except ValueError`` and ``except FileNotFoundError`` do what they always do.

>>> import sluice
>>> try:
...     sluice.open("/nowhere/words.sluice")
... except FileNotFoundError as e:
...     print(e.code, isinstance(e, sluice.Error))
not_found True
"""
import errno
import inspect
import io


class Error(Exception):
    """The base of all errors of sluice."""

    #: Why: the name of an error_code of the library, as "damaged" or "bad_parameter".
    code: str = "other"
    __signature__ = inspect.Signature([inspect.Parameter("args", inspect.Parameter.VAR_POSITIONAL)])


class OverfullWarning(UserWarning):
    """A filter has more keys than it was made for, so that its false positive rate is above the planned one."""

    __signature__ = Error.__signature__


class ParameterError(Error, ValueError):
    """A number out of range, or parameters that describe no filter."""


class ArgumentTypeError(Error, TypeError):
    """An argument of another type, or a key that is none: a float, a bool, one of another kind than the filter's."""


class KeyRangeError(Error, OverflowError):
    """An integer key that has no 64 bits."""


class KeyValueError(Error, ValueError):
    """Text without UTF-8, an array of another shape."""


class MergeError(Error, ValueError):
    """Two filters that cannot be united."""


class NoMemoryError(Error, MemoryError):
    """Memory that the system would not give."""


class MissingFileError(Error, FileNotFoundError):
    """There is no such file."""


class ExistingFileError(Error, FileExistsError):
    """There is a file, which must not be replaced."""


class DamagedError(Error, ValueError):
    """No filter file, or one that was changed, cut off, or is of a later version."""


class FullError(Error, ValueError):
    """A filter of bounded size has no room for the key."""


class ReadOnlyError(Error, io.UnsupportedOperation):
    """A file that was opened cannot be added to."""


class SystemCallError(Error, OSError):
    """The operating system refused something."""


_of_code = {
    "bad_parameter": ParameterError,
    "bad_key": ArgumentTypeError,
    "cannot_merge": MergeError,
    "bad_layout": DamagedError,
    "no_memory": NoMemoryError,
    "not_found": MissingFileError,
    "exists": ExistingFileError,
    "damaged": DamagedError,
    "newer_version": DamagedError,
    "read_only": ReadOnlyError,
    "system": SystemCallError,
    "full": FullError,
}
_of_builtin = {"TypeError": ArgumentTypeError, "OverflowError": KeyRangeError, "ValueError": KeyValueError}
_numbers = {"not_found": errno.ENOENT, "exists": errno.EEXIST}


def _error(sentence: str, code: str, builtin: str) -> Error:
    """The error for what C++ has thrown."""
    error = (_of_builtin.get(builtin) or _of_code.get(code, Error))(sentence)
    error.code = code
    if code in _numbers:
        error.errno = _numbers[code]
    return error
