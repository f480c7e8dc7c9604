"""Minimizes functions of thousands of variables, and graphs, by the command clopt.

minimize takes an objective in OpenCL C with arrays of numpy as its data, or a Python function; maxcut and qubo take
graphs and matrices. Each returns a Result, or raises Error. https://github.com/clopt/clopt has the pages.
"""

from .binary import binary
from .graphs import maxcut, qubo
from .minimize import minimize
from .process import Error
from .result import Result

__version__ = "0.1.0"
__all__ = ["Error", "Result", "binary", "maxcut", "minimize", "qubo"]
