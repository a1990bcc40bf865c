"""A file system that ignores case and Unicode normalisation, as APFS does, on a machine that has
none: what a Mac does to an identity can be tried on Linux.

    python3 folding.py BACKING MOUNTPOINT [case]

With `case` it tells names apart that differ in case, as case-sensitive APFS does.

Shows the folder BACKING at MOUNTPOINT, in the foreground, until it is unmounted or gets SIGTERM.
Needs /dev/fuse, libfuse 3 and `pip install mfusepy`; without root also fusermount3.

Invariant: no folder ever holds two names of equal key (NFC, case folded, NFC again), and a name
stays as it was first written until a rename changes nothing but its spelling. So each lookup takes
the exact name, or else the one of equal key; whatever is created, linked or renamed onto such a
name meets the entry that is there, which keeps its name. Everything else is passed on to BACKING:
inode numbers, times, modes, errors, exclusive creation, flags of rename. Locks are left to the
kernel, which does them right for one machine. Nothing is cached, because the kernel would keep
several spellings of one file apart.

Differs from a Mac: renaming only the spelling with RENAME_NOREPLACE fails here (Linux finds the
name taken before it asks), as it did before macOS 12; a file that was unlinked while open cannot be
asked for its size; names that are not UTF-8 are taken.
"""

import ctypes
import os
import sys
import time
import unicodedata

# libfuse 2 does not say whether a rename may replace.
os.environ.setdefault("FUSE_LIBRARY_NAME", "fuse3")
try:
    import mfusepy
except (ImportError, OSError) as error:
    sys.exit(f"mfusepy: {error}")

libc = ctypes.CDLL(None, use_errno=True)
AT_FDCWD = -100
STAT = [f"st_{name}" for name in "mode ino nlink uid gid size blocks blksize".split()]
STAT_TIMES = ["st_atime", "st_mtime", "st_ctime"]
# What utimens has in the place of a time in nanoseconds.
UTIME_NOW, UTIME_OMIT = (1 << 30) - 1, (1 << 30) - 2


FOLDS_CASE = sys.argv[3:] != ["case"]


def key(name):
    composed = unicodedata.normalize("NFC", name)
    return unicodedata.normalize("NFC", composed.casefold()) if FOLDS_CASE else composed


class Folding(mfusepy.Operations):
    use_ns = True

    def __init__(self, root):
        self.root = root

    def real(self, path):
        """Where a path lies: its last name as the folder spells it, or as given if it is new."""
        whole = self.root + path
        if os.path.lexists(whole):
            return whole
        folder, name = os.path.split(path)
        folder, wanted = self.real(folder), key(name)
        try:
            there = next((other for other in os.listdir(folder) if key(other) == wanted), name)
        except OSError:
            there = name
        return os.path.join(folder, there)

    def getattr(self, path, fh=None):
        stat = os.lstat(self.real(path)) if fh is None else os.fstat(fh)
        known = {name: getattr(stat, name) for name in STAT}
        return known | {name: getattr(stat, name + "_ns") for name in STAT_TIMES}

    def readdir(self, path, fh):
        folder = self.real(path)
        yield ".", self.getattr(path), 0
        yield "..", self.getattr(os.path.dirname(path)), 0
        for entry in os.scandir(folder):
            stat = entry.stat(follow_symlinks=False)
            yield entry.name, {"st_mode": stat.st_mode, "st_ino": stat.st_ino}, 0

    def rename(self, old, new, flags=0):
        source, target = self.real(old), self.real(new)
        if source == target and not flags:
            target = os.path.join(os.path.dirname(target), os.path.basename(new))
        names = os.fsencode(source), os.fsencode(target)
        if libc.renameat2(AT_FDCWD, names[0], AT_FDCWD, names[1], flags) != 0:
            raise OSError(ctypes.get_errno(), "rename")

    def link(self, target, source):
        os.link(self.real(source), self.real(target), follow_symlinks=False)

    def symlink(self, target, source):
        os.symlink(source, self.real(target))

    def access(self, path, amode):
        if not os.access(self.real(path), amode):
            raise mfusepy.FuseOSError(mfusepy.errno.EACCES)

    def create(self, path, mode, flags):
        return os.open(self.real(path), flags | os.O_CREAT, mode)

    def truncate(self, path, length, fh=None):
        os.truncate(self.real(path) if fh is None else fh, length)

    def utimens(self, path, times=None):
        file, now = self.real(path), time.time_ns()
        stat = os.lstat(file)
        given = zip(times or (UTIME_NOW, UTIME_NOW), (stat.st_atime_ns, stat.st_mtime_ns))
        known = lambda new, old: {UTIME_NOW: now, UTIME_OMIT: old}.get(new, new)
        os.utime(file, ns=tuple(known(*pair) for pair in given), follow_symlinks=False)

    def statfs(self, path):
        stat = os.statvfs(self.real(path))
        return {name: getattr(stat, name) for name in dir(stat) if name.startswith("f_")}

    open = lambda self, path, flags: os.open(self.real(path), flags)
    read = lambda self, path, size, offset, fh: os.pread(fh, size, offset)
    write = lambda self, path, data, offset, fh: os.pwrite(fh, data, offset)
    fsync = lambda self, path, datasync, fh: os.fsync(fh)
    release = lambda self, path, fh: os.close(fh)
    mkdir = lambda self, path, mode: os.mkdir(self.real(path), mode)
    rmdir = lambda self, path: os.rmdir(self.real(path))
    unlink = lambda self, path: os.unlink(self.real(path))
    readlink = lambda self, path: os.readlink(self.real(path))
    chmod = lambda self, path, mode: os.chmod(self.real(path), mode)
    chown = lambda self, path, uid, gid: os.lchown(self.real(path), uid, gid)


class Mounted(mfusepy.FUSE):
    def rename_fuse_3(self, old, new, flags):
        """Theirs drops the flags, and so would replace what must not be replaced."""
        return self.operations.rename(os.fsdecode(old), os.fsdecode(new), flags)


if __name__ == "__main__":
    backing, mountpoint = map(os.path.realpath, sys.argv[1:3])
    os.umask(0)  # the kernel has applied the caller's
    fresh = {"attr_timeout": 0, "entry_timeout": 0, "negative_timeout": 0}
    how = {"foreground": True, "nothreads": True, "use_ino": True, "hard_remove": True} | fresh
    try:
        Mounted(Folding(backing), mountpoint, fsname="folding", **how)
    except RuntimeError as error:
        sys.exit(f"libfuse ended with {error}")  # it has said why
