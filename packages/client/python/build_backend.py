"""Builds the wheel and the source distribution (PEP 517) with the standard library only."""

from __future__ import annotations

import base64
import hashlib
import io
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent
PACKAGE = "corrigenda"
SOURCES = ("pyproject.toml", "README.md", "build_backend.py")
# Archives of the same files are identical.
EPOCH = (2026, 1, 1, 0, 0, 0)


def _project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def _modules() -> list[Path]:
    return sorted(path for path in (ROOT / PACKAGE).iterdir() if path.suffix == ".py" or path.name == "py.typed")


def _metadata() -> bytes:
    project = _project()
    fields = {
        "Metadata-Version": "2.1",
        "Name": project["name"],
        "Version": project["version"],
        "Summary": project["description"],
        "License": project["license"]["text"],
        "Requires-Python": project["requires-python"],
        "Description-Content-Type": "text/markdown",
    }
    head = "".join(f"{name}: {value}\n" for name, value in fields.items())
    return f"{head}\n{(ROOT / project['readme']).read_text()}".encode()


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: Any = None) -> str:
    version = _project()["version"]
    info = f"{PACKAGE}-{version}.dist-info"
    files = {f"{PACKAGE}/{path.name}": path.read_bytes() for path in _modules()}
    files[f"{info}/METADATA"] = _metadata()
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: corrigenda\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = [f"{name},sha256={_digest(data)},{len(data)}\n" for name, data in files.items()]
    files[f"{info}/RECORD"] = "".join([*record, f"{info}/RECORD,,\n"]).encode()
    name = f"{PACKAGE}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, EPOCH)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return name


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    version = _project()["version"]
    folder = f"{PACKAGE}-{version}"
    files = {f"{folder}/{name}": (ROOT / name).read_bytes() for name in SOURCES}
    files |= {f"{folder}/{PACKAGE}/{path.name}": path.read_bytes() for path in _modules()}
    files[f"{folder}/PKG-INFO"] = _metadata()
    name = f"{folder}.tar.gz"
    with tarfile.open(Path(sdist_directory) / name, "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for path, data in files.items():
            entry = tarfile.TarInfo(path)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return name


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
