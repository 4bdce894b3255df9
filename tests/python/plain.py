"""Lattice gauge theory in plain numpy, on a whole lattice held by one process.

Links  : U[mu, t, z, y, x, row, column], complex; mu = 0..3 for x, y, z, t.
Spinors: psi[t, z, y, x, spin, color], DeGrand-Rossi basis.
Momenta: A[mu, t, z, y, x, row, column], traceless and anti-Hermitian.
Steps of a path: 0..3 forward, 7..4 backward (7 - mu).
"""

import numpy as np

I = 1j
GAMMA = np.array(
    [
        [[0, 0, 0, I], [0, 0, I, 0], [0, -I, 0, 0], [-I, 0, 0, 0]],
        [[0, 0, 0, -1], [0, 0, 1, 0], [0, 1, 0, 0], [-1, 0, 0, 0]],
        [[0, 0, I, 0], [0, 0, 0, -I], [-I, 0, 0, 0], [0, I, 0, 0]],
        [[0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 0], [0, 1, 0, 0]],
    ]
)


def dag(m):
    return np.swapaxes(m, -1, -2).conj()


def up(field, mu, steps=1):
    """field(x + steps mu), for fields whose first axes are t, z, y, x."""
    return np.roll(field, -steps, 3 - mu)


def traceless(m):
    """The traceless anti-Hermitian part."""
    a = (m - dag(m)) / 2
    return a - np.trace(a, axis1=-2, axis2=-1)[..., None, None] / 3 * np.eye(3)


def exp(m, terms=30):
    e = term = np.broadcast_to(np.eye(3, dtype=complex), m.shape)
    for k in range(1, terms):
        term = term @ m / k
        e = e + term
    return e


def random_momentum(rng, volume):
    return traceless(rng.standard_normal((4, *volume, 3, 3)) + 1j * rng.standard_normal((4, *volume, 3, 3)))


def random_links(rng, volume, width):
    """SU(3) matrices, the nearer to 1 the smaller the width."""
    return exp(width * random_momentum(rng, volume), 40)


def walk(U, steps):
    """Product of links along a path, from every site; and the path's end, relative to it."""
    product = np.broadcast_to(np.eye(3, dtype=complex), U.shape[1:])
    end = [0, 0, 0, 0]

    def at_end(field):
        for mu in range(4):
            field = up(field, mu, end[mu])
        return field

    for step in steps:
        if step < 4:
            product = product @ at_end(U[step])
            end[step] += 1
        else:
            end[7 - step] -= 1
            product = product @ dag(at_end(U[7 - step]))
    return product


def plaquettes(U):
    """all, spatial, temporal; 1 for unit links"""
    planes = {(m, n): np.trace(walk(U, [m, n, 7 - m, 7 - n]), axis1=-2, axis2=-1).real.mean() / 3
              for n in range(4) for m in range(n)}
    spatial = sum(v for (m, n), v in planes.items() if n < 3) / 3
    temporal = sum(v for (m, n), v in planes.items() if n == 3) / 3
    return np.array([(spatial + temporal) / 2, spatial, temporal])


def polyakov(U):
    line = np.broadcast_to(np.eye(3, dtype=complex), U.shape[2:])
    for t in range(U.shape[1]):
        line = line @ U[3, t]
    return np.trace(line, axis1=-2, axis2=-1).mean()


def hop(U, psi):
    out = np.zeros_like(psi)
    for mu in range(4):
        out += np.einsum("st,...ab,...tb->...sa", np.eye(4) - GAMMA[mu], U[mu], up(psi, mu))
        back = np.einsum("...ba,...tb->...ta", U[mu].conj(), psi)
        out += np.einsum("st,...ta->...sa", np.eye(4) + GAMMA[mu], up(back, mu, -1))
    return out


def laplace(U, v):
    """v - (the sum over spatial neighbours) / 6, of colour vectors v[..., color, column] on all time slices."""
    total = np.zeros_like(v)
    for mu in range(3):
        total += U[mu] @ up(v, mu) + up(dag(U[mu]) @ v, mu, -1)
    return v - total / 6


def staples(U, nu, directions):
    """Sum of the staples parallel to U_nu."""
    total = np.zeros_like(U[0])
    for mu in directions:
        if mu != nu:
            total += walk(U, [mu, nu, 7 - mu]) + walk(U, [7 - mu, nu, mu])
    return total


def stout(U, rho, ignored):
    directions = [mu for mu in range(4) if mu != ignored]
    smeared = U.copy()
    for nu in directions:
        smeared[nu] = exp(traceless(rho * staples(U, nu, directions) @ dag(U[nu]))) @ U[nu]
    return smeared


def clover(U, mu, nu):
    leaves = ([mu, nu, 7 - mu, 7 - nu], [nu, 7 - mu, 7 - nu, mu], [7 - nu, mu, nu, 7 - mu], [7 - mu, 7 - nu, mu, nu])
    q = sum(walk(U, leaf) for leaf in leaves)
    return (q - dag(q)) / 8


def charge(U):
    """Topological charge, and the energy density: all, spatial, temporal."""
    F = [clover(U, m, n) for m in range(4) for n in range(m)]

    def tr(a, b):
        return np.trace(a @ b, axis1=-2, axis2=-1).real

    q = -(tr(F[0], F[5]) - tr(F[1], F[4]) + tr(F[2], F[3])).sum() / (4 * np.pi**2)
    free = [f - np.trace(f, axis1=-2, axis2=-1)[..., None, None] / 3 * np.eye(3) for f in F]
    energy = [-sum(tr(f, f).mean() for f in group) for group in (free[:3], free[3:])]
    return q, np.array([sum(energy), *energy])


def paths(U, mu, table, coefficients):
    """U_mu(x) times the sum of the paths that begin at x + mu."""
    total = sum(c * up(walk(U, steps), mu) for steps, c in zip(table, coefficients))
    return U[mu] @ total


def momentum_numbers(A):
    """The ten reals of a momentum in memory."""
    n = np.zeros(A.shape[:-2] + (10,))
    for k, (i, j) in enumerate(((0, 1), (0, 2), (1, 2))):
        n[..., 2 * k], n[..., 2 * k + 1] = A[..., i, j].real, A[..., i, j].imag
    for i in range(3):
        n[..., 6 + i] = A[..., i, i].imag
    return n


def momentum_matrices(n):
    A = np.zeros(n.shape[:-1] + (3, 3), complex)
    for k, (i, j) in enumerate(((0, 1), (0, 2), (1, 2))):
        A[..., i, j] = n[..., 2 * k] + 1j * n[..., 2 * k + 1]
        A[..., j, i] = -A[..., i, j].conj()
    for i in range(3):
        A[..., i, i] = 1j * n[..., 6 + i]
    return A


def kinetic(A):
    return (0.5 * np.abs(A) ** 2).sum() - 4 * np.prod(A.shape[:-2])
