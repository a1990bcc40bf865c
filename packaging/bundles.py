#!/usr/bin/env python3
"""Makes what people install inside their agents. It needs Python 3.11 or newer, and nothing else.

    packaging/bundles.py write PROGRAM FOLDER
        The plugin of Claude Code, the extension of Gemini CLI, and the list of plugins that
        `/plugin marketplace add` reads. FOLDER is the project: these files are committed.
    packaging/bundles.py pack VERSION FOLDER
        From the release archives in FOLDER: a bundle (.mcpb) for each, the extension packed as
        Gemini CLI looks for it, and server.json for the registry of MCP servers.

Servers, hooks, instructions and the skill are those that `co agent install` writes (src/agents), so
there is no second definition of them. Name, version, licence and address are in Cargo.toml.
"""
import gzip
import hashlib
import io
import json
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["package"]
NAME = PACKAGE["default-run"]
TITLE = "co: what your agents know about you"
# At most 100 characters: the registry takes no more.
DESCRIPTION = "Keeps what your AI agents know about you in a git repository, the same on every laptop"
FIRST = (
    "co needs git 2.30 or newer. Create your identity once, in a terminal: `co init`; on another "
    "laptop `co init URL`."
)
AUTHOR = {"name": "The co authors"}
ADDRESS = PACKAGE["repository"]
PLUGIN = pathlib.Path("packaging/plugins/claude-code")
EXTENSION = pathlib.Path("packaging/plugins/gemini")
SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"


def as_json(value):
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def installed(program):
    """What `co agent install` writes for a person who has `co` in PATH: its files by their names."""
    with tempfile.TemporaryDirectory() as folder:
        home = pathlib.Path(folder).resolve()
        co = home / "bin" / "co"
        co.parent.mkdir()
        shutil.copy2(program, co)
        # No agent in this PATH could write the files itself.
        subprocess.run(
            [co, "agent", "install", "claude-code", "gemini", "--hooks", "--yes"],
            env={"HOME": folder, "PATH": str(co.parent)}, check=True, stdout=subprocess.DEVNULL,
        )
        names = [
            ".claude.json", ".claude/settings.json", ".claude/skills/co-memory/SKILL.md",
            ".gemini/settings.json", ".gemini/GEMINI.md", ".agents/skills/co-memory/SKILL.md",
        ]
        texts = {name: (home / name).read_text(encoding="utf-8") for name in names}
    texts = {name: text.replace(str(co), "co") for name, text in texts.items()}
    for name, text in texts.items():
        assert folder not in text, f"{name} names a folder of this machine"
    return texts


def without_markers(text):
    """The markers of the block are for `co agent uninstall`, which does not know these files."""
    lines = [line for line in text.splitlines() if not line.startswith(("<!-- BEGIN co", "<!-- END co"))]
    return "\n".join(lines).replace("\n\n\n", "\n\n") + "\n"


def plugged(texts, file, in_background=False):
    """The hooks of a settings file, for a plugin: they leave it to the file if it has them, so that
    a person who has both gets everything once. Claude Code stops what a plugin does at the end of a
    session after 1.5 seconds, whatever its timeout says; that is too short for a sync."""
    hooks = json.loads(texts[file])["hooks"]
    for event, groups in hooks.items():
        for hook in (hook for group in groups for hook in group["hooks"]):
            command = hook["command"]
            same = command.removeprefix(f"{NAME} ")
            if in_background and event == "SessionEnd":
                command = f"{{ nohup {command} >/dev/null 2>&1 & }}"
            hook["command"] = f"grep -qs '{same}' ~/{file} || {command}"
    return {"hooks": hooks}


def plugins(program):
    """The committed files, by their paths."""
    texts = installed(program)
    settings = (".claude.json", ".gemini/settings.json")
    servers = {name: json.loads(texts[name])["mcpServers"] for name in settings}
    about = {"name": NAME, "version": PACKAGE["version"], "description": DESCRIPTION}
    return {
        ".claude-plugin/marketplace.json": as_json({
            "name": NAME, "owner": AUTHOR, "metadata": {"description": DESCRIPTION},
            "plugins": [{"name": NAME, "source": f"./{PLUGIN}", "description": DESCRIPTION}],
        }),
        PLUGIN / ".claude-plugin/plugin.json": as_json({
            **about, "author": AUTHOR, "homepage": ADDRESS, "repository": ADDRESS,
            "license": PACKAGE["license"], "keywords": PACKAGE["keywords"],
        }),
        PLUGIN / "hooks/hooks.json": as_json(plugged(texts, ".claude/settings.json", True)),
        PLUGIN / ".mcp.json": as_json({"mcpServers": servers[".claude.json"]}),
        PLUGIN / "skills/co-memory/SKILL.md": without_markers(texts[".claude/skills/co-memory/SKILL.md"]),
        EXTENSION / "gemini-extension.json": as_json({
            **about, "mcpServers": servers[".gemini/settings.json"], "contextFileName": "GEMINI.md",
        }),
        EXTENSION / "hooks/hooks.json": as_json(plugged(texts, ".gemini/settings.json")),
        EXTENSION / "GEMINI.md": without_markers(texts[".gemini/GEMINI.md"]),
        EXTENSION / "skills/co-memory/SKILL.md": without_markers(texts[".agents/skills/co-memory/SKILL.md"]),
    }


def write(program, folder):
    for path, text in plugins(pathlib.Path(program).resolve()).items():
        file = pathlib.Path(folder) / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def platform_of(target):
    """As manifests name it, and the program's name there."""
    if "windows" in target:
        return "win32", "bin/co.exe"
    return ("darwin" if "darwin" in target else "linux"), "bin/co"


def manifest(version, target):
    """The manifest of a bundle: https://github.com/modelcontextprotocol/mcpb, MANIFEST.md."""
    server = json.loads((ROOT / PLUGIN / ".mcp.json").read_text(encoding="utf-8"))["mcpServers"][NAME]
    platform, program = platform_of(target)
    return {
        "manifest_version": "0.3",
        "name": NAME, "display_name": TITLE, "version": version,
        "description": DESCRIPTION, "long_description": f"{DESCRIPTION}.\n\n{FIRST}",
        "author": {**AUTHOR, "url": ADDRESS},
        "repository": {"type": "git", "url": f"{ADDRESS}.git"},
        "homepage": ADDRESS, "documentation": f"{ADDRESS}/blob/v{version}/docs/agents.md",
        "support": f"{ADDRESS}/issues", "license": PACKAGE["license"], "keywords": PACKAGE["keywords"],
        "server": {
            "type": "binary", "entry_point": program,
            "mcp_config": {"command": "${__dirname}/" + program, "args": server["args"], "env": server["env"]},
        },
        # It depends on what is in the identity.
        "tools_generated": True,
        "compatibility": {"platforms": [platform]},
    }


def bundle(archive, version, target, file):
    """A zip, the same bytes from the same archive."""
    with tarfile.open(archive) as tar:
        read = {member.name: tar.extractfile(member).read() for member in tar if member.isfile()}
    _, program = platform_of(target)
    files = {"manifest.json": as_json(manifest(version, target)).encode(), program: read[program]}
    for name in ("LICENSE-APACHE", "LICENSE-MIT", "NOTICE"):
        files[name] = read[f"share/doc/co/{name}"]
    with zipfile.ZipFile(file, "w") as packed:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name)  # of 1980
            entry.create_system, entry.compress_type = 3, zipfile.ZIP_DEFLATED
            entry.external_attr = (stat.S_IFREG | (0o755 if name == program else 0o644)) << 16
            packed.writestr(entry, data, compresslevel=9)


def extension(file):
    """The folder of the extension as an archive, the same bytes from the same folder."""
    folder, data = ROOT / EXTENSION, io.BytesIO()
    with tarfile.open(fileobj=data, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = tarfile.TarInfo(str(path.relative_to(folder)))
            entry.size, entry.mode = path.stat().st_size, 0o644
            entry.mtime = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
            with open(path, "rb") as source:
                tar.addfile(entry, source)
    file.write_bytes(gzip.compress(data.getvalue(), 9, mtime=0))


def pack(version, folder):
    out, packages = pathlib.Path(folder), []
    for archive in sorted(out.glob("co-*.tar.gz")):
        target = archive.name.removeprefix("co-").removesuffix(".tar.gz")
        file = out / f"co-{target}.mcpb"
        bundle(archive, version, target, file)
        packages.append({
            "registryType": "mcpb",
            "identifier": f"{ADDRESS}/releases/download/v{version}/{file.name}",
            "fileSha256": hashlib.sha256(file.read_bytes()).hexdigest(),
            "transport": {"type": "stdio"},
        })
    # Gemini CLI takes the file of a release whose name begins with its platform.
    for platform in ("darwin", "linux", "win32"):
        extension(out / f"{platform}.co-gemini.tar.gz")
    (out / "server.json").write_text(as_json({
        "$schema": SCHEMA, "name": "io.github." + ADDRESS.removeprefix("https://github.com/"), "title": TITLE,
        "description": DESCRIPTION, "version": version, "websiteUrl": ADDRESS,
        "repository": {"url": ADDRESS, "source": "github"}, "packages": packages,
    }), encoding="utf-8")


if __name__ == "__main__":
    commands = {"write": write, "pack": pack}
    if len(sys.argv) != 4 or sys.argv[1] not in commands:
        sys.exit("usage: packaging/bundles.py write PROGRAM FOLDER | pack VERSION FOLDER")
    commands[sys.argv[1]](*sys.argv[2:])
