"""Arrays that a function makes: of every dtype, changed in place, where NumPy wraps, rounds, or refuses."""

from __future__ import annotations

from tests.generator.scientific.scope import Held, Scope, filled
from tests.generator.scientific.subscripts import element
from tests.generator.scientific.values import fields

DTYPES = ("float64", "float32", "int64", "int32", "int8", "uint8", "bool", "complex128", "complex64")
CHANGES = {
    "b": ("{e} = {c}", "{e} = {x}", "{e} |= bool({c})", "{e} ^= True", "{u}[:] = ~{u}", "{e} = not {e}", "{u} &= {u}[::-1]"),
    "i": ("{e} = ({i}) % 11", "{e} += 1", "{e} += 100", "{u} += 1", "{u}[:] = {u} * 2", "{e} = {e} << 1", "{e} = {x}", "{u} *= 3", "{e} = {e} // 2", "{u} ^= 1", "{e} = -{e}",
          "{e} = ({e} * {e}) % 7", "{u} = {u} + 1", "{e} = {u}.sum() % 5", "{u}[:] = {u} // 3"),
    "f": ("{e} = {x}", "{e} += {x}", "{u} += {x}", "{u} *= 0.5", "{e} = {e} * 0.5 + 1", "{u}[:] = {u} + {x}", "{u} = {u} * 2"),
    "c": ("{e} += {x} * 1j", "{e} *= 1j", "{e} = {e}.conjugate()", "{e} = abs({e})", "{u} *= 1j", "{e} = {e}.real", "{e} = {x}"),
}  # fmt: skip


def local_array(scope: Scope) -> None:
    """A new array, which is returned where no loop makes it."""
    choices, name = scope.choices, scope.fresh("u")
    axes = choices.pick([("n",), ("n",), ("m",), ("n", "n"), ("n", "m")])
    shape = axes[0] if len(axes) == 1 else f"({', '.join(axes)})"
    like = [a.name for a in scope.of(axes=axes)]
    dtype = choices.pick(DTYPES)
    if like and choices.rarely(3):
        scope.write(
            f"{name} = " + choices.pick(["{a}.copy()", "np.zeros_like({a})", "{a} * 2"]).format(a=choices.pick(like))
        )
        dtype = "float64"
    else:
        scope.write(
            f"{name} = np.{choices.pick(['zeros', 'ones'])}({shape}, dtype={'bool' if dtype == 'bool' else 'np.' + dtype})"
        )
    scope.arrays.append(Held(name, axes, dtype))
    if not scope.loops:
        scope.results.append(name)


def changed_local(scope: Scope) -> None:
    """Something in place, to one of them."""
    made = [a for a in scope.arrays if a.name[0] == "u"]
    if not made:
        return local_array(scope)
    array = scope.choices.pick(made)
    own = {"e": lambda: element(scope, array), "u": lambda: array.name}
    scope.write(filled(scope.choices.pick(CHANGES[array.kind]), {**fields(scope, 1, "n", "all"), **own}))
