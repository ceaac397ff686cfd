"""Functions that play, by the texts that name them on the command line: `module:function` and
`path/to/file.py:function`.
"""

from __future__ import annotations

import difflib
import hashlib
import importlib
import importlib.machinery
import importlib.util
import itertools
import re
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from playmat.errors import invalid

#: What a message says about the two forms.
FORMS = "`module:function` or `file.py:function`"
#: The module, or the file, and the function in it. The name of a class's attribute has dots.
NAMED = re.compile(r"(?P<place>.+\.py|[^\W\d]\w*(?:\.[^\W\d]\w*)*):(?P<name>[^\W\d]\w*(?:\.\w+)*)")
#: What cannot be imported as a module, because agents of the engine begin so.
ENGINE = ("random", "greedy", "mcts")
#: The modules of files, and the checksum of what was executed, by the path of each.
_files: dict[Path, tuple[ModuleType, str]] = {}
#: Numbers in names of modules of files.
_numbers = itertools.count()
#: The checksums of the files of other modules when they were first asked for here.
_imported: dict[str, str] = {}


class NamedFunction:
    """A function that was named by a text. It is called as the function is."""

    def __init__(self, text: str, function: Callable[..., Any], argument: str) -> None:
        self.name, self._function, self._argument = text, function, argument

    def __getattr__(self, name: str) -> Any:
        # `takes_greedy` and the like. Not before there is a function: copies ask then.
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._function, name)

    def __call__(self, *arguments: Any) -> Any:
        """What the function returns.

        Raises:
            playmat.InvalidArgument: The function raised something; the message says where.
        """
        try:
            return self._function(*arguments)
        except (Exception, SystemExit) as error:
            reason = f"function `{self.name}` raised {_raised(error)}"
            raise invalid(self._argument, reason) from error


def names_function(text: str) -> bool:
    """Whether a text has the form of one that names a function. An agent of the engine, such as
    ``mcts:400``, has another form.

    >>> [names_function(text) for text in ("bots:lowest", "a/bots.py:lowest", "mcts:400", "bots")]
    [True, True, False, False]
    """
    found = NAMED.fullmatch(text)
    return found is not None and found["place"] not in ENGINE and not Path(text).is_file()


def load_function(text: str, argument: str) -> NamedFunction:
    """The function that a text names. Its module is imported: from the folder where the command
    runs or from what is installed; a file, with its folder in front of ``sys.path``, as Python runs
    a script. A file that has changed is executed again, and finds the modules that lie beside it,
    not those of the same names beside another file of functions.

    Args:
        text: One for which :func:`names_function` is true.
        argument: What the text was given for, for messages.

    Raises:
        playmat.InvalidArgument: There is no such module, file or function; its module raises
            something; or what it names cannot be called.
    """
    place, name = _parts(text)
    found: Any = _module(text, place, argument)
    for part in name.split("."):
        if not hasattr(found, part):
            names = [one for one in dir(found) if not one.startswith("_")]
            near = difflib.get_close_matches(part, names, 1)
            hint = f" (did you mean `{near[0]}`?)" if near else ""
            raise invalid(argument, f"got `{text}`; there is no `{part}` in it{hint}")
        found = getattr(found, part)
    if not callable(found) or isinstance(found, type):
        what = "a class" if isinstance(found, type) else type(found).__name__
        raise invalid(argument, f"got `{text}`, which is {what}; wanted a function")
    return NamedFunction(text, found, argument)


def identity(text: str, argument: str) -> str:
    """What tells a function from others in another process: the checksum of the file of its module,
    and its name. What that file imports is no part of it.

    Raises:
        playmat.InvalidArgument: As :func:`load_function`; its module has no file, or one that has
            changed since this process imported it.
    """
    place, name = _parts(text)
    module = _module(text, place, argument)
    if place.endswith(".py"):
        return f"{_files[Path(place).resolve()][1]}:{name}"
    file = getattr(module, "__file__", None)
    if file is None or not Path(file).is_file():
        reason = f"got `{text}`, whose module has no file; it cannot be recognized in another run"
        raise invalid(argument, reason)
    checksum = _checksum(Path(file).read_bytes())
    if checksum != _imported.setdefault(file, checksum):
        reason = f"got `{text}`, whose file `{file}` has changed since it was imported"
        raise invalid(argument, reason)
    return f"{checksum}:{name}"


def short_name(text: str) -> str:
    """The text without the folder of a file."""
    place, name = _parts(text)
    return f"{Path(place).name}:{name}" if place.endswith(".py") else text


def _parts(text: str) -> tuple[str, str]:
    found = NAMED.fullmatch(text)
    if found is None:
        raise ValueError(f"`{text}` does not name a function")
    return found["place"], found["name"]


def _module(text: str, place: str, argument: str) -> ModuleType:
    """The module of a file, or the one of this name."""
    if place.endswith(".py"):
        return _module_of_file(text, Path(place), argument)
    # As `python -m` does.
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
        importlib.invalidate_caches()
    try:
        module = importlib.import_module(place)
    except ModuleNotFoundError as error:
        missing = error.name or ""
        if place == missing or place.startswith(f"{missing}."):
            raise invalid(argument, f"got `{text}`; there is no module `{missing}`") from error
        raise _failed(text, error, argument) from error
    except (Exception, SystemExit) as error:
        raise _failed(text, error, argument) from error
    file = getattr(module, "__file__", None)
    if file is not None and Path(file).is_file():
        _imported.setdefault(file, _checksum(Path(file).read_bytes()))
    return module


def _module_of_file(text: str, file: Path, argument: str) -> ModuleType:
    path = file.resolve()
    if not path.is_file():
        raise invalid(argument, f"got `{text}`; there is no file `{file}`")
    content = path.read_bytes()
    checksum = _checksum(content)
    if path in _files and _files[path][1] == checksum:
        return _files[path][0]
    # No name of a module that is imported.
    stem = re.sub(r"\W", "_", path.stem)
    name = f"playmat_functions_{next(_numbers)}_{stem}"
    # Never from bytecode, which Python takes for current if the file has the same size and second.
    loader = importlib.machinery.SourceFileLoader(name, str(path))
    spec = importlib.util.spec_from_loader(name, loader)
    if spec is None:
        raise invalid(argument, f"got `{text}`; Python cannot read `{file}` as a module")
    _forget_modules_of_others(path.parent)
    if sys.path[:1] != [str(path.parent)]:
        sys.path.insert(0, str(path.parent))
        importlib.invalidate_caches()
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        exec(loader.source_to_code(content, str(path)), module.__dict__)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise _failed(text, error, argument) from error
    _files[path] = module, checksum
    return module


def _forget_modules_of_others(folder: Path) -> None:
    """Forgets modules that lie beside other files of functions and have namesakes in a folder."""
    others = {path.parent for path in _files} - {folder}
    for name in {name.partition(".")[0] for name in sys.modules}:
        file = getattr(sys.modules.get(name), "__file__", None)
        if file is None:
            continue
        place = Path(file).resolve()
        beside = place.parent.parent if place.name == "__init__.py" else place.parent
        namesake = (folder / f"{name}.py").is_file() or (folder / name / "__init__.py").is_file()
        if beside in others and namesake:
            for one in [one for one in sys.modules if one.partition(".")[0] == name]:
                del sys.modules[one]


def _checksum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _failed(text: str, error: BaseException, argument: str) -> Exception:
    return invalid(argument, f"got `{text}`; its module raised {_raised(error)}")


def _raised(error: BaseException) -> str:
    """An exception, and the line of code that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" in {frames[-1].filename}, line {frames[-1].lineno}" if frames else ""
    if isinstance(error, SyntaxError):
        where = ""
    message = f": {error}" if str(error) else ""
    return f"{type(error).__name__}{where}{message}"
