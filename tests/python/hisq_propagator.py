"""The propagator of a HISQ quark from a point, by numpy alone, as the file that PyQUDA's test_hisq.py compares with.

Links of weak_field.lime, periodic, with Chroma's phases; fat7, the SU(3) matrix next to each link, then asqtad with
twice the Lepage term and the Naik term; M = 2 m - D, m = 0.0102, by conjugate gradients on M^dag M to a residual of
1e-15.
"""

import struct
import zlib

import numpy as np

MASS = 0.0102
FAT7 = (1 / 8, 0, -1 / 16, 1 / 64, -1 / 384, 0)
SECOND = (1, -1 / 24, -1 / 16, 1 / 64, -1 / 384, -1 / 8)


def shifted(field, mu, n):
    """field(x + n mu); fields are (t, z, y, x, row, column)."""
    return np.roll(field, -n, axis=3 - mu)


def dagger(field):
    return field.conj().swapaxes(-1, -2)


def staples(links, around, mu, nu):
    side = links[nu]
    lower = dagger(side) @ around @ shifted(side, mu, 1)
    return side @ shifted(around, nu, 1) @ dagger(shifted(side, mu, 1)) + shifted(lower, nu, -1)


def fat_links(links, c):
    """Path by path, as computeKSLinkQuda defines them."""
    fat = []
    for mu in range(4):
        sum_ = (c[0] - 6 * c[5]) * links[mu]
        for nu in set(range(4)) - {mu}:
            three = staples(links, links[mu], mu, nu)
            sum_ = sum_ + c[2] * three + c[5] * staples(links, three, mu, nu)
            for rho in set(range(4)) - {mu, nu}:
                five = staples(links, three, mu, rho)
                sum_ = sum_ + c[3] * five + c[4] * staples(links, five, mu, 6 - mu - nu - rho)
        fat.append(sum_)
    return np.array(fat)


def projected(links):
    left, _, right = np.linalg.svd(links)
    unitary = left @ right
    return unitary * np.exp(-1j / 3 * np.angle(np.linalg.det(unitary)))[..., None, None]


def propagator(gauge):
    """gauge: (mu, t, z, y, x, row, column)."""
    t, z, y, x = np.indices(gauge.shape[1:5])
    power = [0 * t, x, x + y, x + y + z]
    phases = np.array([-((-1.0) ** p) for p in power])[..., None, None]
    w = phases * projected(phases * fat_links(phases * gauge, FAT7))
    fat = fat_links(w, SECOND)
    straight = [SECOND[1] * w[mu] @ shifted(w[mu], mu, 1) @ shifted(w[mu], mu, 2) for mu in range(4)]

    def hops(v):
        return sum(link[mu] @ shifted(v, mu, n) - shifted(dagger(link[mu]) @ v, mu, -n)
                   for mu in range(4) for link, n in ((fat, 1), (straight, 3)))

    def norms(v):  # of columns
        return np.sum(np.abs(v) ** 2, axis=tuple(range(5)))

    source = np.zeros(gauge.shape[1:], dtype=complex)
    source[0, 0, 0, 0] = np.eye(3)
    solution = np.zeros_like(source)
    rest = 2 * MASS * source + hops(source)
    direction, old = rest, norms(rest)
    while np.max(old) > 1e-30:
        product = 4 * MASS**2 * direction - hops(hops(direction))
        step = old / np.sum((direction.conj() * product).real, axis=tuple(range(5)))
        solution = solution + step * direction
        rest = rest - step * product
        now = norms(rest)
        direction, old = rest + now / old * direction, now
    return solution


def checksum(data):
    """SciDAC's, of sites one after the other."""
    sums = [0, 0]
    for n, site in enumerate(data.reshape(-1, 9)):
        crc = zlib.crc32(site.tobytes())
        for k, turns in enumerate((29, 31)):
            sums[k] ^= (crc << n % turns | crc >> (32 - n % turns)) & 0xFFFFFFFF
    return sums


def write(links_file, to):
    from pyquda_io.lime import Lime

    lime = Lime(str(links_file))
    dims = [int(extent) for extent in lime.loadXML("scidac-private-file-xml").find("dims").text.split()]
    numbers = np.fromfile(links_file, ">c16", 36 * int(np.prod(dims)), offset=lime.record("ildg-binary-data").offset)
    gauge = np.moveaxis(numbers.astype(complex).reshape(*dims[::-1], 4, 3, 3), 4, 0)
    data = np.ascontiguousarray(propagator(gauge)).astype(">c16")
    suma, sumb = checksum(data)
    extents = " ".join(map(str, dims))
    records = {
        "scidac-private-file-xml": f"<scidacFile><spacetime>4</spacetime><dims>{extents}</dims></scidacFile>",
        "scidac-private-record-xml": "<scidacRecord><precision>D</precision><colors>3</colors><typesize>144</typesize>"
                                     "<datacount>1</datacount></scidacRecord>",
        "scidac-binary-data": data.tobytes(),
        "scidac-checksum": f"<scidacChecksum><suma>{suma:x}</suma><sumb>{sumb:x}</sumb></scidacChecksum>",
    }
    with open(to, "wb") as file:
        for name, content in records.items():
            content = content if isinstance(content, bytes) else content.encode()
            file.write(struct.pack(">IHHQ128s", 0x456789AB, 1, 0, len(content), name.encode()))
            file.write(content + b"\0" * (-len(content) % 8))
