"""Tests of wheels.py, with another program in place of the command."""

import base64
import hashlib
import os
import subprocess
import sys
import tempfile
import unittest
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import wheels


class Wheels(unittest.TestCase):
    def test_content(self):
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "program")
            with open(program, "w") as file:
                file.write("#!/bin/sh\necho 1\n")
            for system, tags in wheels.TAGS.items():
                path = wheels.wheel(folder, system, program)
                first = wheels.read(path)
                os.utime(program, (1, 1))
                self.assertEqual(wheels.read(wheels.wheel(folder, system, program)), first)
                self.check(path, tags)

    def check(self, path, tags):
        number = wheels.version()
        self.assertEqual(os.path.basename(path), f"clopt-{number}-py3-none-{'.'.join(tags)}.whl")
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            self.assertIn("clopt/__init__.py", names)
            script = next(n for n in names if ".data/scripts/clopt" in n)
            self.assertEqual(archive.getinfo(script).external_attr >> 16 & 0o777, 0o755)
            record = archive.read(f"clopt-{number}.dist-info/RECORD").decode().splitlines()
            self.assertEqual([line.split(",")[0] for line in record], names)
            for line in record[:-1]:
                name, digest, size = line.split(",")
                content = archive.read(name)
                want = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
                self.assertEqual((digest, int(size)), ("sha256=" + want, len(content)))

    def test_the_program_is_found_beside_the_package(self):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "bin"))
            program = os.path.join(folder, "bin", "clopt")
            with open(program, "w") as file:
                file.write("#!/bin/sh\n")
            os.chmod(program, 0o755)
            os.symlink(os.path.join(wheels.HERE, "clopt"), os.path.join(folder, "clopt"))
            environment = {k: v for k, v in os.environ.items() if k != "CLOPT_BINARY"}
            code = "import clopt; print(clopt.binary())"
            said = subprocess.run([sys.executable, "-c", code], cwd=folder, env={**environment, "PYTHONPATH": folder},
                                  stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout
            self.assertEqual(os.path.realpath(said.strip()), os.path.realpath(program))


if __name__ == "__main__":
    unittest.main()
