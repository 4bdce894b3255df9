#!/usr/bin/env python3
"""An independent reader of gauge files, from the descriptions of the formats alone: LIME with SciDAC and ILDG records,
MILC version 5, and the NERSC archive's.

    parse_gauge.py FILE...               read and verify, print what was found
    parse_gauge.py --written-by PROGRAM  have PROGRAM (files_test) write every format; verify each file, and every
                                         number in it against the list of numbers that PROGRAM writes beside
    parse_gauge.py --self-check FILE     see damage to FILE found

Layouts: LIME is a chain of records: big-endian magic 456789ab, version (16 bits), flags (16 bits: 8000 begins a
message, 4000 ends it), length (64 bits), type (128 characters), then the data, padded to 8 bytes. SciDAC checksums:
the CRC-32 of each site's bytes, rotated left by (site mod 29) and (site mod 31) bits, exclusive or. MILC: 96 bytes of
header, 32-bit words rotated likewise by their index. NERSC: KEY = VALUE lines and the sum of all 32-bit words. Links
in all of them: site with x fastest, direction, row, column, re/im; NERSC's 4D_SU3_GAUGE has two rows."""

import array
import os
import re
import struct
import subprocess
import sys
import tempfile
import zlib


class Fault(Exception):
    pass


class Configuration:
    """format, dims, precision, big (byte order), rows, data (bytes of the links), checks (what was verified)"""

    def __init__(self, **members):
        self.__dict__.update(members)

    def numbers(self):
        values = array.array("f" if self.precision == 4 else "d", self.data)
        if self.big != (sys.byteorder == "big"):
            values.byteswap()
        return values


def rotated(word, count):
    return ((word << count) | (word >> (32 - count))) & 0xFFFFFFFF


def rotated_sums(words):
    """The exclusive or of words rotated by their index, mod 29 and mod 31."""
    a = b = 0
    for index, word in enumerate(words):
        a ^= rotated(word, index % 29)
        b ^= rotated(word, index % 31)
    return a, b


def words_of(data, big):
    words = array.array("I", data)
    if words.itemsize != 4:
        raise Fault("this machine's unsigned int has not four bytes")
    if big != (sys.byteorder == "big"):
        words.byteswap()
    return words


def expect(what, found, wanted):
    if found != wanted:
        raise Fault(f"{what} is {found}, expected {wanted}")


def volume_of(dims):
    volume = 1
    for extent in dims:
        if extent < 1:
            raise Fault(f"extents {dims}")
        volume *= extent
    return volume


# LIME


def records(content):
    at = 0
    while at < len(content):
        magic, version, flags, length = struct.unpack_from(">IHHQ", content, at)
        expect(f"magic number at byte {at}", hex(magic), "0x456789ab")
        expect("LIME version", version, 1)
        kind = content[at + 16:at + 144].split(b"\0")[0].decode("ascii")
        end = at + 144 + length
        if end > len(content):
            raise Fault(f"record {kind} ends at byte {end} of {len(content)}")
        yield kind, flags, content[at + 144:end]
        at = end + -length % 8
        if any(content[end:at]):
            raise Fault(f"padding after record {kind} is not zero")


def element(xml, tag):
    found = re.findall(f"<{tag}>(.*?)</{tag}>", xml, re.S)
    expect(f"number of elements {tag}", len(found), 1)
    return found[0].strip()


def parse_lime(content):
    chain = list(records(content))
    kinds = [kind for kind, _, _ in chain]
    binary = [kind for kind in kinds if kind in ("ildg-binary-data", "scidac-binary-data")]
    expect("number of binary records", len(binary), 1)
    ildg = binary[0] == "ildg-binary-data"
    wanted = ["scidac-private-file-xml", "scidac-file-xml", "scidac-private-record-xml", "scidac-record-xml"]
    wanted += (["ildg-format"] if ildg else []) + [binary[0], "scidac-checksum"]
    expect("chain of records", [k for k in kinds if k != "ildg-data-lfn"], wanted)
    flags = {kind: flag for kind, flag, _ in chain}
    for kind, flag in flags.items():
        first = kind in ("scidac-private-file-xml", "scidac-private-record-xml")
        last = kind in ("scidac-file-xml", "scidac-checksum")
        expect(f"flags of {kind}", hex(flag), hex(0x8000 * first + 0x4000 * last))

    text = {k: data.rstrip(b"\0").decode("ascii") for k, _, data in chain if not k.endswith("binary-data")}
    private = text["scidac-private-record-xml"]
    dims = [int(word) for word in element(text["scidac-private-file-xml"], "dims").split()]
    letter = element(private, "precision")
    precision = {"F": 4, "D": 8}[letter]
    expect("datatype", element(private, "datatype"), f"QDP_{letter}3_ColorMatrix")
    expect("typesize", int(element(private, "typesize")), 18 * precision)
    expect("datacount", int(element(private, "datacount")), 4)
    expect("colors", int(element(private, "colors")), 3)
    if ildg:
        form = text["ildg-format"]
        expect("field", element(form, "field"), "su3gauge")
        expect("ILDG precision", int(element(form, "precision")), 8 * precision)
        expect("ILDG extents", [int(element(form, tag)) for tag in ("lx", "ly", "lz", "lt")], dims)

    data = next(data for kind, _, data in chain if kind == binary[0])
    site = 72 * precision
    expect("bytes of the links", len(data), site * volume_of(dims))
    sums = rotated_sums(zlib.crc32(data[at:at + site]) for at in range(0, len(data), site))
    stored = tuple(int(element(text["scidac-checksum"], tag), 16) for tag in ("suma", "sumb"))
    expect("SciDAC checksum", [hex(s) for s in sums], [hex(s) for s in stored])
    return Configuration(format="ILDG" if ildg else "SciDAC", dims=dims, precision=precision, big=True, rows=3,
                         data=data, checks=[f"suma {sums[0]:08x} sumb {sums[1]:08x}"])


def parse_milc(content):
    big = content[:4] == struct.pack(">I", 20103)
    order = ">" if big else "<"
    magic, *dims = struct.unpack_from(order + "Iiiii", content, 0)
    expect("magic number", magic, 20103)
    site_order, *stored = struct.unpack_from(order + "iII", content, 84)
    expect("order of sites", site_order, 0)
    data = content[96:]
    expect("bytes of the links", len(data), 288 * volume_of(dims))
    sums = rotated_sums(words_of(data, big))
    expect("MILC checksums", [hex(s) for s in sums], [hex(s) for s in stored])
    return Configuration(format="MILC", dims=dims, precision=4, big=big, rows=3, data=data,
                         checks=[f"sum29 {sums[0]:08x} sum31 {sums[1]:08x}"])


# NERSC


def parse_nersc(content):
    head, found, data = content.partition(b"END_HEADER\n")
    if not found:
        raise Fault("no END_HEADER")
    lines = head.decode("ascii").split("\n")
    expect("first line", lines[0], "BEGIN_HEADER")
    header = {}
    for line in lines[1:-1]:
        key, equals, value = line.partition("=")
        expect(f"'=' in the line '{line}'", equals, "=")
        header[key.strip()] = value.strip()
    dims = [int(header[f"DIMENSION_{d}"]) for d in (1, 2, 3, 4)]
    rows = {"4D_SU3_GAUGE": 2, "4D_SU3_GAUGE_3x3": 3}[header["DATATYPE"]]
    kinds = {"IEEE32BIG": (4, True), "IEEE32LITTLE": (4, False), "IEEE64BIG": (8, True), "IEEE64LITTLE": (8, False)}
    precision, big = kinds[header["FLOATING_POINT"]]
    expect("bytes of the links", len(data), 24 * rows * precision * volume_of(dims))
    total = sum(words_of(data, big)) & 0xFFFFFFFF
    expect("CHECKSUM", f"{total:08x}", header["CHECKSUM"].rjust(8, "0"))
    result = Configuration(format="NERSC", dims=dims, precision=precision, big=big, rows=rows, data=data, checks=[])
    plaquette, trace = means(result)
    allowed = 1e-9 if precision == 8 else 1e-8
    for name, value in (("PLAQUETTE", plaquette), ("LINK_TRACE", trace)):
        if abs(value - float(header[name])) > allowed:
            raise Fault(f"{name} is {header[name]}, the links have {value:.12f}")
    result.checks = [f"checksum {total:08x}", f"plaquette {plaquette:.10f}", f"link trace {trace:.10f}"]
    return result


def matrices(configuration):
    """The links, (site, direction), as nine complex numbers; third rows made where there are two."""
    values, rows = configuration.numbers(), configuration.rows
    links = []
    for at in range(0, len(values), 6 * rows):
        u = [complex(values[i], values[i + 1]) for i in range(at, at + 6 * rows, 2)]
        if rows == 2:
            u += [(u[(c + 1) % 3] * u[3 + (c + 2) % 3] - u[(c + 2) % 3] * u[3 + (c + 1) % 3]).conjugate()
                  for c in range(3)]
        links.append(u)
    return links


def product(a, b):
    return [sum(a[3 * i + k] * b[3 * k + j] for k in range(3)) for i in range(3) for j in range(3)]


def means(configuration):
    """Mean Re tr / 3 of plaquettes and of links."""
    links, dims = matrices(configuration), configuration.dims
    strides = [1, dims[0], dims[0] * dims[1], dims[0] * dims[1] * dims[2]]
    volume = volume_of(dims)

    def ahead(site, d):
        inside = site // strides[d] % dims[d] + 1 < dims[d]
        return site + strides[d] if inside else site - (dims[d] - 1) * strides[d]

    loops = traces = 0.0
    for site in range(volume):
        for nu in range(4):
            u = links[4 * site + nu]
            traces += (u[0] + u[4] + u[8]).real
            for mu in range(nu):
                there = product(links[4 * site + mu], links[4 * ahead(site, mu) + nu])
                back = product(u, links[4 * ahead(site, nu) + mu])
                loops += sum((a * b.conjugate()).real for a, b in zip(there, back))
    return loops / (18 * volume), traces / (12 * volume)


def parse(content):
    if content[:4] == b"\x45\x67\x89\xab":
        return parse_lime(content)
    if content[:12] == b"BEGIN_HEADER":
        return parse_nersc(content)
    return parse_milc(content)


def verified(path):
    with open(path, "rb") as file:
        content = file.read()
    try:
        found = parse(content)
    except (Fault, KeyError, ValueError, struct.error) as fault:
        raise Fault(f"{path}: {type(fault).__name__} {fault}") from fault
    print(f"{path}: {found.format}, {found.dims}, {8 * found.precision} bits, {found.rows} rows,", *found.checks)
    return found


def compare(found, numbers, path):
    """Each number of the file with what was to be written: rounded to the file's precision, row by row."""
    wanted = [u for at in range(0, len(numbers), 18) for u in numbers[at:at + 6 * found.rows]]
    code = f">{len(wanted)}{'f' if found.precision == 4 else 'd'}"
    written = struct.pack(code, *found.numbers())
    if written != struct.pack(code, *wanted):
        raise Fault(f"{path}: numbers differ from what was to be written")


def check_written(program):
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, QUDA_TEST_WRITE_TO=folder)
        subprocess.run([program, "--gtest_filter=GaugeWrite.ForTheIndependentReader"], env=environment, check=True,
                       stdout=subprocess.DEVNULL)
        with open(os.path.join(folder, "numbers"), "rb") as file:
            numbers = array.array("d", file.read())
        names = sorted(name for name in os.listdir(folder) if name != "numbers")
        expect("number of files written", len(names), 9)
        for name in names:
            path = os.path.join(folder, name)
            found = verified(path)
            expect("extents", found.dims, [2, 4, 6, 8])
            compare(found, numbers, path)


def self_check(path):
    """A reader that finds no fault is no check: every fourth kilobyte of the file damaged in turn."""
    with open(path, "rb") as file:
        content = bytearray(file.read())
    tried = 0
    for at in range(0, len(content), 4096):
        content[at] ^= 4
        try:
            parse(bytes(content))
        except (Fault, KeyError, ValueError, struct.error):
            tried += 1
        else:
            raise Fault(f"{path}: nobody saw byte {at} damaged")
        content[at] ^= 4
    parse(bytes(content))
    print(f"{path}: {tried} damages found")


def main():
    try:
        if sys.argv[1] == "--written-by":
            check_written(sys.argv[2])
        elif sys.argv[1] == "--self-check":
            self_check(sys.argv[2])
        else:
            for path in sys.argv[1:]:
                print("    plaquette %.13f, link trace %.13f" % means(verified(path)))
    except Fault as fault:
        print(fault)
        sys.exit(1)


if __name__ == "__main__":
    main()
