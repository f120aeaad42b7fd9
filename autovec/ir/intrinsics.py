"""The names that `Apply` and `Call` may carry, and the facts about them that hold wherever they are used.

An elementwise name means what the NumPy ufunc of that name means on operands of one dtype; the few that aren't ufuncs
are listed apart. The name of a whole-array function is its NumPy name, with `linalg_` or `fft_` before it where it
lives there.
"""

from __future__ import annotations

INFIX: dict[str, str] = {
    "add": "+",
    "subtract": "-",
    "multiply": "*",
    "divide": "/",
    "floor_divide": "//",
    "remainder": "%",
    "power": "**",
    "bitwise_and": "&",
    "bitwise_or": "|",
    "bitwise_xor": "^",
    "left_shift": "<<",
    "right_shift": ">>",
    "less": "<",
    "less_equal": "<=",
    "greater": ">",
    "greater_equal": ">=",
    "equal": "==",
    "not_equal": "!=",
}
COMPARISONS = frozenset({"less", "less_equal", "greater", "greater_equal", "equal", "not_equal"})

UNARY_UFUNCS = frozenset(
    """absolute arccos arccosh arcsin arcsinh arctan arctanh cbrt ceil conjugate cos cosh deg2rad degrees exp exp2
    expm1 fabs floor invert isfinite isinf isnan log log10 log1p log2 logical_not negative positive rad2deg radians
    reciprocal rint sign signbit sin sinh sqrt square tan tanh trunc""".split()
)
BINARY_UFUNCS = frozenset(INFIX) | frozenset(
    """arctan2 copysign float_power fmax fmin fmod gcd heaviside hypot lcm logaddexp logaddexp2 logical_and logical_or
    logical_xor maximum minimum nextafter""".split()
)
# not ufuncs, or not under these names: of one operand each
SPECIAL_UNARY = frozenset({"real", "imag", "angle", "erf", "erfc"})
ELEMENTWISE = UNARY_UFUNCS | BINARY_UFUNCS | SPECIAL_UNARY

# (a op b) op c == a op (b op c), floats up to rounding
ASSOCIATIVE = frozenset(
    """add multiply maximum minimum fmax fmin logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor
    gcd lcm""".split()
)
COMMUTATIVE = ASSOCIATIVE | {"equal", "not_equal", "hypot", "logaddexp", "logaddexp2"}

# finite operands may give inf or NaN: a masked operand is made safe before them, so that gradients are right too
PARTIAL = frozenset(
    """divide floor_divide remainder power reciprocal sqrt log log2 log10 log1p arccos arcsin arccosh arctanh fmod
    float_power hypot cbrt""".split()
)

REDUCTIONS = frozenset(
    """sum prod min max mean var std any all argmin argmax count_nonzero ptp median nansum nanprod nanmin nanmax
    nanmean nanvar nanstd""".split()
)
CREATION = frozenset({"zeros", "ones", "full", "arange", "linspace", "eye"})
SHAPE = frozenset(
    """reshape transpose concatenate stack expand_dims squeeze broadcast_to tile repeat flip roll diag diagonal triu
    tril element""".split()
)
ORDERED = frozenset({"sort", "argsort", "cumsum", "cumprod", "diff", "searchsorted", "has_ties", "is_unsorted"})
PRODUCTS = frozenset({"matmul", "inner", "outer", "einsum", "kron", "cross", "trace"})
LINALG = frozenset(
    """linalg_inv linalg_solve linalg_det linalg_cholesky linalg_norm linalg_matrix_power linalg_eigvalsh
    linalg_svdvals linalg_qr_q linalg_qr_r linalg_is_singular linalg_is_indefinite""".split()
)
FFT = frozenset({"fft_fft", "fft_ifft", "fft_rfft"})
# a function of JAX that is written under its own name, which `statics` say
NAMED = frozenset({"named"})
ARRAY_FUNCTIONS = NAMED | REDUCTIONS | CREATION | SHAPE | ORDERED | PRODUCTS | LINALG | FFT
