"""PyQUDA, from the Python index and unchanged, on this library: every result against plain numpy.

pyquda_test.py [unittest options]; the interpreter is that of the environment which environment.sh makes.
"""

import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy as np
from pyquda_utils import core, eigensolve, io
from pyquda.action.gauge import GaugeAction
from pyquda.action.abstract import LoopParam
from pyquda.dirac import GaugeDirac
from pyquda.field import LatticeFermion, LatticeGauge, LatticeInfo, LatticeMom
from pyquda.quda import momActionQuda, updateGaugeFieldQuda

import plain

X = [4, 4, 4, 8]
VOLUME = tuple(X[::-1])
DATA = pathlib.Path(os.environ.get("QUDA_TEST_DATA", pathlib.Path(__file__).resolve().parents[2] / "../shared/data"))
NOTHING = np.empty((0, 0), "<c16")


def setUpModule():
    core.init(None, X, backend="numpy", resource_path=os.environ.get("QUDA_RESOURCE_PATH", ""))


def gauge_of(latt, U):
    return LatticeGauge(latt, latt.evenodd(np.ascontiguousarray(U), True))


def momentum_of(latt, A):
    return LatticeMom(latt, latt.evenodd(np.ascontiguousarray(plain.momentum_numbers(A)), True))


def matrices_of(mom):
    return plain.momentum_matrices(mom.lexico())


class OnPyQuda(unittest.TestCase):
    def setUp(self):
        self.rng = np.random.default_rng(20251121)
        self.latt = LatticeInfo(X, 1, 1.0)
        self.U = plain.random_links(self.rng, VOLUME, 0.3)
        self.gauge = gauge_of(self.latt, self.U)

    def near(self, got, want, tolerance):
        largest = np.abs(np.asarray(want)).max()
        self.assertLessEqual(np.abs(np.asarray(got) - np.asarray(want)).max(), tolerance * largest)

    def load_momentum(self, dirac, A):
        dirac.gauge_param.make_resident_mom = 1
        dirac.gauge_param.return_result_mom = 0
        dirac.loadMom(momentum_of(self.latt, A))


class Measurements(OnPyQuda):
    def test_plaquette(self):
        self.near(self.gauge.plaquette(), plain.plaquettes(self.U), 1e-13)

    def test_plaquette_of_a_configuration(self):
        file = DATA / "weak_field.lime"
        if not file.exists():
            self.skipTest(f"{file} is not here")
        gauge = io.readQIOGauge(str(file))
        self.near(gauge.plaquette()[0], 0.9948041322667, 1e-12)
        self.near(gauge.plaquette(), plain.plaquettes(gauge.lexico()), 1e-13)

    def test_polyakov_loop(self):
        loop = plain.polyakov(self.U)
        self.near(self.gauge.polyakovLoop(), [loop.real, loop.imag], 1e-13)

    def test_charge_and_energy(self):
        q, energy = plain.charge(self.U)
        self.near(self.gauge.qcharge(), q, 1e-12)
        self.near(self.gauge.energy(), energy, 1e-12)

    def test_loop_traces(self):
        loops = [[0, 1, 4, 5], [0, 0, 3, 4, 4, 7], [0, 1, 2, 4, 5, 6]]  # PyQUDA's codes: mu + 4 backward
        steps = [[s if s < 4 else 7 - (s - 4) for s in loop] for loop in loops]
        want = [np.trace(plain.walk(self.U, s), axis1=-2, axis2=-1).sum() for s in steps]
        self.near(self.gauge.loopTrace(loops), want, 1e-12)


class Quarks(OnPyQuda):
    def test_wilson(self):
        latt = LatticeInfo(X, -1, 1.0)
        mass = 0.1
        dirac = core.getWilson(latt, mass, 1e-12, 1000)
        psi = self.rng.standard_normal(VOLUME + (4, 3)) + 1j * self.rng.standard_normal(VOLUME + (4, 3))
        x = LatticeFermion(latt, latt.evenodd(psi, False))
        with dirac.useGauge(gauge_of(latt, self.U)):
            mat, hop = dirac.mat(x), dirac.dslash(x)
        U = self.U.copy()
        U[3, -1] *= -1
        want = plain.hop(U, psi)
        self.near(hop.lexico(), want, 1e-13)
        self.near(mat.lexico(), (4 + mass) * psi - 0.5 * want, 1e-13)


class Smearing(OnPyQuda):
    def test_stout(self):
        for ignored in (3, 4):
            smeared = gauge_of(self.latt, self.U)
            smeared.stoutSmear(3, 0.1, ignored)
            want = self.U
            for _ in range(3):
                want = plain.stout(want, 0.1, ignored)
            self.near(smeared.lexico(), want, 1e-13)

    def test_projection(self):
        bent = self.U + 1e-3 * self.rng.standard_normal(self.U.shape)
        gauge = gauge_of(self.latt, bent)
        gauge.projectSU3(1e-14)
        W = gauge.lexico()
        self.near(W @ plain.dag(W), np.broadcast_to(np.eye(3), W.shape), 1e-14)
        self.near(np.linalg.det(W), np.ones(W.shape[:-2]), 1e-13)
        u, _, v = np.linalg.svd(bent)
        unitary = u @ v
        phase = np.angle(np.linalg.det(unitary)) / 3
        self.near(W, unitary * np.exp(-1j * phase)[..., None, None], 1e-12)


class Dynamics(OnPyQuda):
    def test_path(self):
        steps = [[mu, (mu + 1) % 4] for mu in range(4)]
        got = self.gauge.path(steps).lexico()
        self.near(got, np.array([plain.walk(self.U, s) for s in steps]), 1e-13)

    def action(self, beta=5.5):
        planes = [[m, n, m + 4, n + 4] for n in range(4) for m in range(n)]
        return GaugeAction(self.latt, LoopParam(planes, [1.0] * 6), beta)

    def test_force(self):
        beta, dt = 5.5, 0.1
        A = plain.random_momentum(self.rng, VOLUME)
        action = self.action(beta)
        mom = momentum_of(self.latt, A)
        action.dirac.loadGauge(self.gauge)
        action.force(dt, mom)
        want = np.empty_like(A)
        table = action.force_path.input_path_buf
        coefficients = action.force_path.loop_coeff
        for mu in range(4):
            W = plain.paths(self.U, mu, table[mu].tolist(), coefficients)
            want[mu] = plain.traceless(A[mu] - dt * W)
        self.near(matrices_of(mom), want, 1e-13)
        action.dirac.freeGauge()

    def test_update_and_action_of_momenta(self):
        A = plain.random_momentum(self.rng, VOLUME)
        dirac = GaugeDirac(self.latt)
        dirac.loadGauge(self.gauge)
        self.load_momentum(dirac, A)
        self.near(momActionQuda(NOTHING, dirac.gauge_param), plain.kinetic(A), 1e-12)
        updateGaugeFieldQuda(NOTHING, NOTHING, 0.2, False, True, dirac.gauge_param)
        updated = LatticeGauge(self.latt)
        dirac.saveGauge(updated)
        self.near(updated.lexico(), plain.exp(0.2 * A, 40) @ self.U, 1e-13)
        again = LatticeMom(self.latt)
        dirac.saveFreeMom(again)
        self.near(matrices_of(again), A, 1e-15)
        dirac.freeGauge()


class Solves(OnPyQuda):
    """Linear systems as PyQUDA asks for them: double and half precision, reconstruct 8, invertMultiSrcQuda."""

    def test_wilson(self):
        latt = LatticeInfo(X, -1, 1.0)
        mass, x, spin, color = 0.2, [1, 2, 3, 4], 1, 2
        dirac = core.getWilson(latt, mass, 1e-12, 1000)
        with dirac.useGauge(gauge_of(latt, self.U)):
            psi = core.invert(dirac, "point", x).getFermion(spin, color).lexico()
        U = self.U.copy()
        U[3, -1] *= -1
        source = np.zeros_like(psi)
        source[tuple(x[::-1]) + (spin, color)] = 1
        self.near((4 + mass) * psi - 0.5 * plain.hop(U, psi), source, 1e-11)

    def test_wilson_as_chroma(self):
        links, chroma = DATA / "weak_field.lime", DATA / "chroma/pt_prop_0"
        if not (links.exists() and chroma.exists()):
            self.skipTest(f"{links}, {chroma} are not here")
        xi_0, nu = 2.464, 0.95
        dirac = core.getWilson(LatticeInfo(X, -1, xi_0 / nu), 0.0, 1e-12, 1000)
        with dirac.useGauge(io.readQIOGauge(str(links))):
            propagator = core.invert(dirac, "point", [0, 0, 0, 0])
        self.near(propagator.lexico(), io.readQIOPropagator(str(chroma)).lexico(), 1e-11)


    def test_clover(self):
        """Anisotropic: the host scales links for the clover term, then loads those of the hop."""
        xi_0, nu, mass, c_r, c_t = 2.0, 0.9, 0.2, 0.91, 1.07
        dirac = core.getClover(LatticeInfo(X, -1, xi_0 / nu), mass, 1e-12, 1000, xi_0, c_t, c_r)
        with dirac.useGauge(gauge_of(self.latt, self.U)):
            psi = core.invert(dirac, "point", [3, 0, 1, 7]).getFermion(2, 1).lexico()
        U, f = self.U.copy(), nu / xi_0
        U[3, -1] *= -1
        U[:3] *= f
        source = np.zeros_like(psi)
        source[7, 1, 0, 3, 2, 1] = 1
        want = (1 + 3 * f + mass) * psi - 0.5 * plain.hop(U, psi)
        for mu in range(4):
            for nu in range(mu):
                k = c_t if mu == 3 else c_r / xi_0
                gamma = plain.GAMMA[mu] @ plain.GAMMA[nu]
                want -= 0.5 * k * np.einsum("st,...ab,...tb->...sa", gamma, plain.clover(self.U, mu, nu), psi)
        self.near(want, source, 1e-11)

    def test_clover_as_chroma(self):
        links = DATA / "weak_field.lime"
        cases = {"chroma/pt_prop_1": (2.464, 0.95, 0.91, 1.07), "chroma/pt_prop_3": (1.0, 1.0, 1.17, 1.17)}
        if not all((DATA / name).exists() for name in ("weak_field.lime", *cases)):
            self.skipTest(f"{links}, {list(cases)} are not here")
        gauge = io.readQIOGauge(str(links))
        for name, (xi_0, nu, c_r, c_t) in cases.items():
            dirac = core.getClover(LatticeInfo(X, -1, xi_0 / nu), 1 / 0.23 - 4, 1e-12, 1000, xi_0, c_t, c_r)
            with dirac.useGauge(gauge):
                propagator = core.invert(dirac, "point", [0, 0, 0, 0])
            self.near(propagator.lexico(), io.readQIOPropagator(str(DATA / name)).lexico(), 1e-11)


class Distillation(OnPyQuda):
    """Low modes of Laplace's operator on smeared links, all time slices at once, and perambulators of them."""

    def setUp(self):
        super().setUp()
        self.smeared = gauge_of(self.latt, self.U)
        self.smeared.stoutSmear(5, 0.1, 3)

    def modes(self, count):
        values, vectors = eigensolve.laplace3d(self.smeared, count, 32, 1e-11, 100, poly_deg=10, poly_cut=0.6)
        return values, vectors, np.moveaxis(vectors.lexico(), 0, -1)  # t z y x, color, mode

    def test_modes(self):
        count = 5
        values, _, v = self.modes(count)
        V = self.smeared.lexico()
        self.near(plain.laplace(V, v), v * values[:, None, None, None, None], 1e-9)
        slices = v.reshape(X[3], -1, count)
        self.near(plain.dag(slices) @ slices, np.broadcast_to(np.eye(count), (X[3], count, count)), 1e-11)
        unit = np.eye(3 * X[0] * X[1] * X[2], dtype=complex).reshape(VOLUME[1:] + (3, -1))
        matrices = plain.laplace(V, np.broadcast_to(unit, (X[3],) + unit.shape)).reshape(X[3], unit.shape[-1], -1)
        self.near(values, np.linalg.eigvalsh(matrices)[:, :count], 1e-11)

    def test_perambulators(self):
        count, times, mass = 2, (1, 6), 0.2
        _, vectors, v = self.modes(count)
        latt = LatticeInfo(X, -1, 1.0)
        dirac = core.getWilson(latt, mass, 1e-12, 1000)
        U = self.U.copy()
        U[3, -1] *= -1
        tau = {}
        with dirac.useGauge(gauge_of(latt, self.U)):
            for t in times:
                for i in range(count):
                    quarks = core.invertEigenvector(dirac, t, vectors[i], mrhs=4)
                    for s in range(4):
                        psi = quarks[s].lexico()
                        source = np.zeros_like(psi)
                        source[t, :, :, :, s] = v[t, ..., i]
                        self.near((4 + mass) * psi - 0.5 * plain.hop(U, psi), source, 1e-11)
                        for sink in times:  # sink spin and mode
                            tau[sink, t, s, i] = np.einsum("zyxci,zyxsc->si", v[sink].conj(), psi[sink])
        gamma5 = [1, 1, -1, -1]
        for a in times:
            for b in times:
                there = np.array([[tau[a, b, s, i] for i in range(count)] for s in range(4)])
                back = np.array([[tau[b, a, s, i] for i in range(count)] for s in range(4)])
                sign = np.multiply.outer(gamma5, gamma5)
                self.near(there, np.einsum("xy,yjxi->xiyj", sign, back.conj()), 1e-10)


class AsFromC(OnPyQuda):
    """The bits that a host program in plain C gets (plain.c)."""

    def test_plaquette_smearing_and_force(self):
        rho, steps, ignored, beta, dt = 0.1, 5, 3, 5.5, 0.1
        A = plain.random_momentum(self.rng, VOLUME)
        planes = [[m, n, m + 4, n + 4] for n in range(4) for m in range(n)]
        action = GaugeAction(self.latt, LoopParam(planes, [1.0] * 6), beta)
        path = action.force_path
        mom = momentum_of(self.latt, A)
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "links").write_bytes(self.gauge.data.tobytes())
            (folder / "momenta").write_bytes(mom.data.tobytes())
            (folder / "paths").write_bytes(
                np.array([path.num_paths, path.max_length], "<i4").tobytes()
                + path.path_length.tobytes()
                + path.input_path_buf.tobytes()
                + path.loop_coeff.tobytes()
                + np.array([dt, rho], "<f8").tobytes()
                + np.array([steps, ignored], "<i4").tobytes()
            )
            command = [os.environ["QUDA_PLAIN_C"], name, *map(str, X)]
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            self.assertEqual(done.returncode, 0, done.stdout)
            from_c = {what: (folder / what).read_bytes() for what in ("plaquette", "smeared", "force")}

        before = {"smeared": self.gauge.data.tobytes(), "force": mom.data.tobytes()}
        plaquette = np.array(self.gauge.plaquette(), "<f8")
        action.dirac.loadGauge(self.gauge)
        action.force(dt, mom)
        action.dirac.freeGauge()
        self.gauge.stoutSmear(steps, rho, ignored)
        here = {"plaquette": plaquette.tobytes(), "smeared": self.gauge.data.tobytes(), "force": mom.data.tobytes()}
        for what, numbers in here.items():
            self.assertNotEqual(numbers, before.get(what), what)
            self.assertTrue(numbers == from_c[what], f"{what}: other bits than from C")
        print(f"plaquette {plaquette[0]:.17g}, smeared links, force: {sum(map(len, here.values()))} bytes as from C")


if __name__ == "__main__":
    unittest.main()
