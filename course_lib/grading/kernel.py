"""What the jail asks of the Linux kernel. It imports the standard library alone.

Run as a program it tries what a worker's namespaces need, and exits with 0 if all is granted.
"""

import ctypes
import os
import platform
import struct

NEWNS, NEWUTS, NEWIPC = 0x20000, 0x4000000, 0x8000000
NEWUSER, NEWPID, NEWNET = 0x10000000, 0x20000000, 0x40000000
NAMESPACES = NEWUSER | NEWNS | NEWPID | NEWNET | NEWIPC | NEWUTS

READ_ONLY, NO_SETUID, NO_DEVICES, RECURSIVE, PRIVATE = 1, 2, 4, 0x4000, 1 << 18

NOBODY = 65534

_libc = ctypes.CDLL(None, use_errno=True)
_PDEATHSIG, _DUMPABLE, _KEEP_CAPABILITIES, _SECCOMP = 1, 4, 8, 22
_SUBREAPER, _NO_NEW_PRIVILEGES = 36, 38
_DAC_READ_SEARCH = 1 << 2

# By system call: numbers for x86-64 and for aarch64.
_DENIED = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "mount_setattr": (442, 442),
    "open_by_handle_at": (304, 265),
    "unshare": (272, 97),
    "setns": (308, 268),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
}
_ARCHITECTURES = {"x86_64": (0, 0xC000003E, 41, 56), "aarch64": (1, 0xC00000B7, 198, 220)}
_CLONE3 = 435


def unshare(flags: int) -> None:
    """Leaves the namespaces of these kinds for new ones."""
    _check(_libc.unshare(flags), "unshare")


def map_user(outside: int, group: int) -> None:
    """In a new user namespace: this process is nobody there, who is `outside` without."""
    for file, line in (
        ("setgroups", "deny"),
        ("uid_map", f"{NOBODY} {outside} 1"),
        ("gid_map", f"{NOBODY} {group} 1"),
    ):
        with open(f"/proc/self/{file}", "w", encoding="ascii") as stream:
            stream.write(line)


def mount(target: str, kind: str | None, flags: int, options: str = "") -> None:
    """Mounts an empty file system of this kind, or changes what is mounted where it is None."""
    name = None if kind is None else kind.encode()
    done = _libc.mount(name, target.encode(), name, ctypes.c_ulong(flags), options.encode())
    _check(done, f"mount {target}")


def become(user: int, *, reading: bool = False) -> None:
    """This process of root's belongs to another user.

    Args:
        user: its number, and its group's.
        reading: it may still read what only others may, so far as Landlock lets it: the packages
            of a Python that lies in root's home.
    """
    os.setgroups([])
    os.setgid(user)
    _prctl(_KEEP_CAPABILITIES, int(reading))
    os.setuid(user)
    drop_capabilities(_DAC_READ_SEARCH if reading else 0)


def drop_capabilities(left: int = 0) -> None:
    """Nothing else that this process may do beyond its user's rights is left, nor comes back."""
    _prctl(_NO_NEW_PRIVILEGES, 1)
    header = ctypes.create_string_buffer(struct.pack("<Ii", 0x20080522, 0))
    sets = ctypes.create_string_buffer(struct.pack("<6I", left, left, 0, 0, 0, 0))
    _check(_libc.capset(header, sets), "capset")


def die_with_parent() -> None:
    """This process is killed when the one that forked it ends."""
    _prctl(_PDEATHSIG, 9)


def adopt_orphans() -> None:
    """Descendants whose parents end become children of this process."""
    _prctl(_SUBREAPER, 1)


def be_dumpable() -> None:
    """/proc/self belongs to this process again, after it has changed its user."""
    _prctl(_DUMPABLE, 1)


def landlock_version() -> int:
    """Of the kernel's Landlock; 0 where it has none."""
    return max(_libc.syscall(444, None, ctypes.c_size_t(0), 1), 0)


def landlock(read: list[str], write: list[str]) -> int:
    """This process and its children may read and write these paths alone; the version used.

    They may not connect or listen by TCP (version 4), nor signal a process that is not one of
    them (version 6).
    """
    version = landlock_version()
    if not version:
        return 0
    bits = {1: 13, 2: 14, 3: 15, 4: 15}.get(version, 16)
    every, reading = (1 << bits) - 1, 1 | 4 | 8
    on_files = (1 | 2 | 4 | 1 << 14 | 1 << 15) & every
    rules = struct.pack("<Q", every)
    rules += struct.pack("<Q", 3) if version >= 4 else b""
    rules += struct.pack("<Q", 3) if version >= 6 else b""
    ruleset = _check(_libc.syscall(444, rules, ctypes.c_size_t(len(rules)), 0), "landlock")
    for path, allowed in [*((p, reading) for p in read), *((p, every) for p in write)]:
        if not os.path.exists(path):
            continue
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
        if not os.path.isdir(path):
            allowed &= on_files
        rule = struct.pack("<Qi", allowed, opened)
        _check(_libc.syscall(445, ruleset, 1, rule, 0), f"landlock {path}")
        os.close(opened)
    _prctl(_NO_NEW_PRIVILEGES, 1)
    _check(_libc.syscall(446, ruleset, 0), "landlock")
    os.close(ruleset)
    return version


def filter_calls() -> bool:
    """Denies system calls that no homework needs; False on a processor whose calls are unknown.

    Sockets are local ones, no namespace is new, nothing is mounted, and nothing looks into another
    process.
    """
    if platform.machine() not in _ARCHITECTURES:
        return False
    column, architecture, socket, clone = _ARCHITECTURES[platform.machine()]
    load, equal, larger, bits, back = 0x20, 0x15, 0x35, 0x45, 0x06
    allow, deny, missing = 0x7FFF0000, 0x00050001, 0x00050026  # EPERM, ENOSYS

    def step(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
        return struct.pack("<HBBI", code, yes, no, value)

    program = [step(load, 4), step(equal, architecture, 1), step(back, deny), step(load, 0)]
    program += [step(larger, 0x40000000, 0, 1), step(back, deny)]  # the x32 numbers
    for numbers in _DENIED.values():
        program += [step(equal, numbers[column], 0, 1), step(back, deny)]
    program += [step(equal, _CLONE3, 0, 1), step(back, missing)]  # its flags cannot be seen
    program += [step(equal, socket, 0, 3), step(load, 16), step(equal, 1, 1), step(back, deny)]
    program += [step(load, 0), step(equal, clone, 0, 3)]
    program += [step(load, 16), step(bits, 0x7E020000, 0, 1), step(back, deny)]
    program += [step(back, allow)]
    code = ctypes.create_string_buffer(b"".join(program))
    filters = struct.pack("<HxxxxxxQ", len(program), ctypes.addressof(code))
    _prctl(_NO_NEW_PRIVILEGES, 1)
    _check(_libc.prctl(_SECCOMP, 2, ctypes.create_string_buffer(filters), 0, 0), "seccomp")
    return True


def enter_namespaces(folder: str, size: int) -> int:
    """Forks into namespaces of its own: 0 in the child, whose `folder` is an empty disk.

    The child is nobody, the first process of its world, and has neither `/proc` nor capabilities.
    """
    user, group = os.getuid(), os.getgid()
    unshare(NAMESPACES & ~NEWNS)  # the parent goes on seeing /proc
    map_user(user, group)
    child = os.fork()
    if child:
        return child
    die_with_parent()
    unshare(NEWNS)
    mount("/", None, RECURSIVE | PRIVATE)
    mount(folder, "tmpfs", NO_SETUID | NO_DEVICES, f"size={size},nr_inodes=4096,mode=700")
    mount("/proc", "tmpfs", NO_SETUID | NO_DEVICES | READ_ONLY, "size=4k")
    os.chdir(folder)
    drop_capabilities()
    return 0


def _prctl(option: int, value: int) -> None:
    rest = (ctypes.c_ulong(0),) * 3
    _check(_libc.prctl(option, ctypes.c_ulong(value), *rest), f"prctl {option}")


def _check(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


if __name__ == "__main__":
    if os.getuid() == 0:
        become(NOBODY)
        be_dumpable()
    if not enter_namespaces("/submission", 1 << 20):
        os._exit(0)
    raise SystemExit(os.waitstatus_to_exitcode(os.wait()[1]))
