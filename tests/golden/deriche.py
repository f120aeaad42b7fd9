import jax.numpy as jnp
from jax import lax


def deriche(w, h, alpha, img_in, img_out, y1, y2):
    k = (
        (1.0 - jnp.exp(-alpha))
        * (1.0 - jnp.exp(-alpha))
        / (1.0 + 2.0 * alpha * jnp.exp(-alpha) - jnp.exp(2.0 * alpha))
    )
    held = k * jnp.exp(-alpha) * (alpha - 1.0)
    held_1 = k * jnp.exp(-alpha) * (alpha + 1.0)
    held_2 = -k * jnp.exp(-2.0 * alpha)
    fault = ~jnp.isfinite(2.0 ** -alpha) & jnp.isfinite(-alpha)
    b1 = 2.0 ** -alpha
    b2 = -jnp.exp(-2.0 * alpha)
    xm1 = jnp.broadcast_to(0.0, (w,))
    ym2 = jnp.broadcast_to(0.0, (w,))
    ym1 = jnp.broadcast_to(0.0, (w,))

    def step(j, carry):
        y1, xm1, ym2, ym1, fault = carry
        new_y1 = k * img_in[:, j] + held * xm1 + b1 * ym1 + b2 * ym2
        xm1 = img_in[:, j]
        ym2 = ym1
        ym1 = new_y1
        y1 = y1.at[:, j].set(new_y1)
        return y1, xm1, ym2, ym1, fault

    y1, xm1, ym2, ym1, fault = lax.fori_loop(0, h, step, (y1, xm1, ym2, ym1, fault))
    xp2 = jnp.broadcast_to(0.0, (w,))
    xp1 = jnp.broadcast_to(0.0, (w,))
    yp2 = jnp.broadcast_to(0.0, (w,))
    yp1 = jnp.broadcast_to(0.0, (w,))

    def step_1(trip, carry):
        y2, xp2, xp1, yp2, yp1, fault = carry
        j = h - 1 - trip
        new_y2 = held_1 * xp1 + held_2 * xp2 + b1 * yp1 + b2 * yp2
        xp2 = xp1
        xp1 = img_in[:, j]
        yp2 = yp1
        yp1 = new_y2
        y2 = y2.at[:, j].set(new_y2)
        return y2, xp2, xp1, yp2, yp1, fault

    y2, xp2, xp1, yp2, yp1, fault = lax.fori_loop(0, h, step_1, (y2, xp2, xp1, yp2, yp1, fault))
    img_out = 1.0 * (y1 + y2)
    tm1 = jnp.broadcast_to(0.0, (h,))
    ym2_1 = jnp.broadcast_to(0.0, (h,))
    ym1_1 = jnp.broadcast_to(0.0, (h,))

    def step_2(i, carry):
        y1, tm1, ym2_1, ym1_1, fault = carry
        new_y1 = k * img_out[i] + held * tm1 + b1 * ym1_1 + b2 * ym2_1
        tm1 = img_out[i]
        ym2_1 = ym1_1
        ym1_1 = new_y1
        y1 = y1.at[i].set(new_y1)
        return y1, tm1, ym2_1, ym1_1, fault

    y1, tm1, ym2_1, ym1_1, fault = lax.fori_loop(0, w, step_2, (y1, tm1, ym2_1, ym1_1, fault))
    tp2 = jnp.broadcast_to(0.0, (h,))
    tp1 = jnp.broadcast_to(0.0, (h,))
    yp2_1 = jnp.broadcast_to(0.0, (h,))
    yp1_1 = jnp.broadcast_to(0.0, (h,))

    def step_3(trip, carry):
        y2, tp2, tp1, yp2_1, yp1_1, fault = carry
        i = w - 1 - trip
        new_y2 = held_1 * tp1 + held_2 * tp2 + b1 * yp1_1 + b2 * yp2_1
        tp2 = tp1
        tp1 = img_out[i]
        yp2_1 = yp1_1
        yp1_1 = new_y2
        y2 = y2.at[i].set(new_y2)
        return y2, tp2, tp1, yp2_1, yp1_1, fault

    y2, tp2, tp1, yp2_1, yp1_1, fault = lax.fori_loop(
        0, w, step_3, (y2, tp2, tp1, yp2_1, yp1_1, fault)
    )
    img_out = 1.0 * (y1 + y2)
    return None, {"img_out": img_out, "y1": y1, "y2": y2}, jnp.stack([fault])
