"""Tests of the package with the command that CLOPT_BINARY names. They need an OpenCL device."""

import contextlib
import io
import os
import signal
import subprocess
import tempfile
import threading
import time
import traceback
import unittest
import warnings

import networkx
import numpy as np
import scipy.sparse

import clopt

SQUARES = """//@ bounds -5 5
//@ n len(b)
static void component(uint k, point x, data d, real *acc) { acc[0] += d.A[k*d.A_cols + 1] * sq(at(x, k) - d.b[k]); }
"""
A = np.asfortranarray(np.arange(8.0).reshape(4, 2) + 1)
B = np.arange(4)


def interrupt_after(seconds):
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    return timer


def sphere(x):
    return np.square(x - 1).sum(axis=-1)


class Texts(unittest.TestCase):
    def test_arrays_of_a_text(self):
        r = clopt.minimize(SQUARES, data={"A": A, "b": B.astype(float)}, seed=1, evals=300, solver="random")
        self.assertAlmostEqual(r.f, (A[:, 1] * (r.x - B) ** 2).sum(), places=12)
        self.assertTrue(r.confirmed)
        trace = r.trace()
        self.assertEqual(trace["best"][-1], r.f)
        self.assertTrue((np.diff(trace["evals"]) > 0).all())
        with open(r.report(), encoding="utf-8") as page:
            self.assertIn("<html", page.read())

    def test_a_file_beside_its_own_data(self):
        with tempfile.TemporaryDirectory() as folder:
            np.save(os.path.join(folder, "b.npy"), B.astype(float))
            path = os.path.join(folder, "squares.cl")
            with open(path, "w") as file:
                file.write(SQUARES + "//@ data A other.csv\n//@ data b b.npy\n")
            r = clopt.minimize(path, data={"A": A}, seed=1, evals=300, solver="random",
                               folder=os.path.join(folder, "kept"))
            self.assertEqual(os.path.realpath(r.folder), os.path.realpath(os.path.join(folder, "kept")))
            self.assertAlmostEqual(r.f, (A[:, 1] * (r.x - B) ** 2).sum(), places=12)

    def test_errors_have_the_words_and_the_code_of_the_command(self):
        with self.assertRaises(clopt.Error) as caught:
            clopt.minimize("//@ bounds -5 5\n//@ n 4\nstatic void component(uint k, point x, data d, real *acc)\n"
                           "{ acc[0] += missing; }\n", seed=1, evals=10)
        self.assertEqual(caught.exception.code, 4)
        self.assertIn("objective.cl:4:", str(caught.exception))
        self.assertIn("missing", str(caught.exception))
        with self.assertRaises(clopt.Error) as caught:
            clopt.minimize("classic/sphere", n=4, colour="red")
        self.assertEqual(caught.exception.code, 2)
        self.assertIn("--colour", str(caught.exception))

    def test_without_a_driver_the_error_says_what_to_do(self):
        with changed(OCL_ICD_VENDORS="/missing", OPENCL_VENDOR_PATH="/missing"):
            with self.assertRaises(clopt.Error) as caught:
                clopt.minimize("classic/sphere", n=4, evals=10)
            self.assertEqual(caught.exception.code, 3)
            self.assertRegex(str(caught.exception), "Run: ")
            self.assertLess(clopt.minimize(sphere, n=2, bounds=(-5, 5), seed=1, evals=500).f, 1e-6)

    def test_a_binary_that_is_missing(self):
        with changed(CLOPT_BINARY="/missing/clopt"), self.assertRaisesRegex(clopt.Error, "CLOPT_BINARY"):
            clopt.binary()

    def test_bounds_that_are_none(self):
        with self.assertRaisesRegex(ValueError, "bounds"):
            clopt.minimize(sphere, n=3, bounds=np.zeros((3, 3)))


@contextlib.contextmanager
def changed(**variables):
    old = {key: os.environ.get(key) for key in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for key, value in old.items():
            if value is None:
                del os.environ[key]
            else:
                os.environ[key] = value


class Graphs(unittest.TestCase):
    def test_one_graph_in_all_forms(self):
        edges = [(0, 1, 2), (1, 2, 3), (2, 0, 4), (2, 3, -1)]
        graph = networkx.Graph()
        graph.add_weighted_edges_from((f"v{a}", f"v{b}", w) for a, b, w in edges)
        matrix = np.zeros((4, 4), int)
        for a, b, w in edges:
            matrix[a, b] = matrix[b, a] = w
        forms = {"list": edges + edges[:1], "array": np.array(edges + edges[:1])[:, :3], "networkx": graph,
                 "matrix": matrix, "csr": scipy.sparse.csr_matrix(matrix),
                 "triangle": scipy.sparse.triu(matrix), "floats": matrix / 4}
        for name, form in forms.items():
            with self.subTest(name):
                r = clopt.maxcut(form, seed=1, time=1)
                self.assertEqual(r.f, 7 / 4 if name == "floats" else 7)
                names = list(r.assignment)
                cut = sum(w for a, b, w in edges if r.assignment[names[a]] != r.assignment[names[b]])
                self.assertEqual(cut, 7)
        self.assertEqual(set(clopt.maxcut(graph, seed=1, time=1).assignment), set(graph.nodes))

    def test_graphs_that_are_none(self):
        for graph in ([(0, 0)], [(0, 1, 1), (1, 0, 2)], networkx.DiGraph([(0, 1)]),
                      np.array([[0, 1, 2], [1, 2, 3], [2, 0, 4]])):
            with self.subTest(str(graph)), self.assertRaises(ValueError):
                clopt.maxcut(graph)

    def test_the_best_points_of_a_qubo(self):
        terms = {("a", "a"): -1, ("a", "b"): 2, ("b", "a"): 1, "b": -3, ("c",): 4, (): 10}
        r = clopt.qubo(terms, keep=3, seed=1, time=1)
        self.assertEqual((r.f, r.assignment), (7, {"a": 0, "b": 1, "c": 0}))
        self.assertEqual([value for _, value in r.samples()], [7, 9, 9])
        self.assertEqual(r.samples()[0][0].tolist(), [0, 1, 0])

    def test_a_qubo_of_matrices(self):
        rng = np.random.default_rng(1)
        q = rng.normal(size=(6, 6))
        points = (np.arange(64)[:, None] >> np.arange(6)) & 1
        values = np.einsum("pi,ij,pj->p", points, q, points)
        for form in q, scipy.sparse.coo_matrix(q):
            self.assertAlmostEqual(clopt.qubo(form, offset=0.5, seed=1, time=1).f, values.min() + 0.5, places=9)
        self.assertAlmostEqual(clopt.qubo(q, maximize=True, seed=1, time=1).f, values.max(), places=9)


class Functions(unittest.TestCase):
    def test_points_alone_and_together(self):
        shapes = set()

        def note(x):
            shapes.add(x.ndim)
            return sphere(x)

        found = [clopt.minimize(note, n=50, bounds=(-5, 5), seed=1, evals=2000, vectorized=v) for v in (False, True)]
        self.assertEqual(shapes, {1, 2})
        self.assertEqual(found[0].f, found[1].f)
        self.assertLess(found[0].f, 1e-6)
        self.assertTrue(found[0].confirmed)

    def test_bounds_of_each_variable(self):
        low = -np.arange(3.0)
        r = clopt.minimize(lambda x: x.sum(), n=3, bounds=(low, 9), seed=1, evals=500)
        self.assertTrue((r.x >= low).all() and r.f < -2.9)

    def test_a_point_to_start_from(self):
        r = clopt.minimize(sphere, n=3, bounds=[[-5, 5]] * 3, x0=[1, 1, 1], seed=1, evals=50)
        self.assertEqual(r.f, 0)

    def test_an_exception_is_raised_with_its_traceback(self):
        def broken(x):
            raise KeyError("seen")

        try:
            clopt.minimize(broken, n=2, bounds=(-5, 5), evals=100)
        except KeyError:
            self.assertIn("in broken", traceback.format_exc())
        else:
            self.fail("no exception")

    def test_values_that_are_no_numbers(self):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            r = clopt.minimize(lambda x: np.nan if x[0] < 0 else sphere(x), n=2, bounds=(-5, 5), seed=1, evals=500)
        self.assertIn("not finite", str(said[0].message))
        self.assertLess(r.f, 1e-6)
        for wrong in (lambda x: x, lambda x: "text"):
            with self.assertRaises(ValueError):
                clopt.minimize(wrong, n=2, bounds=(-5, 5), evals=100)

    def test_a_function_that_is_not_repeatable(self):
        count = iter(range(10**9))
        with self.assertWarnsRegex(RuntimeWarning, "not repeatable"):
            r = clopt.minimize(lambda x: next(count), n=2, bounds=(-5, 5), seed=1, evals=100)
        self.assertFalse(r.confirmed)

    def test_interrupt_gives_the_best_so_far(self):
        def slow(x):
            time.sleep(0.001)
            return sphere(x)

        interrupt_after(1)
        r = clopt.minimize(slow, n=3, bounds=(-5, 5), seed=1, time=60)
        self.assertEqual(r.stopped, "cancelled")
        self.assertLess(r.f, 50)
        self.assertTrue(r.confirmed)

    def test_time_ends_a_long_batch(self):
        calls = []

        def slow(x):
            calls.append(time.monotonic())
            time.sleep(0.02)
            return sphere(x)

        r = clopt.minimize(slow, n=400, bounds=(-5, 5), seed=1, time=0.5)
        self.assertEqual(r.stopped, "time")
        self.assertLess(len(calls), 400)

    def test_progress(self):
        text = io.StringIO()
        with contextlib.redirect_stderr(text):
            clopt.minimize(lambda x: time.sleep(0.01) or sphere(x), n=3, bounds=(-5, 5), seed=1, time=1.5,
                           progress=True)
        self.assertRegex(text.getvalue(), r"\rclopt \d+ s")
        self.assertTrue(text.getvalue().endswith("\r"))


class Package(unittest.TestCase):
    def test_version(self):
        said = subprocess.run([clopt.binary(), "version"], stdout=subprocess.PIPE, encoding="utf-8").stdout
        self.assertIn(clopt.__version__, said.split("\n")[0])


if __name__ == "__main__":
    unittest.main()
