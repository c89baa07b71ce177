"""Yardsticks: what an eye sees of a colour, an eye that confuses some of them too."""

import numpy as np
from matplotlib.colors import to_rgb

# Machado, Oliveira & Fernandes (2009), severity 1.0, applied to linear RGB.
SIGHT = {
    "typical": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}


def luminance(colour) -> float:
    """Relative luminance in sRGB, 0 black to 1 white (WCAG 2.1)."""
    return float(_linear(colour) @ [0.2126, 0.7152, 0.0722])


def _linear(colour) -> np.ndarray:
    rgb = np.array(to_rgb(colour))
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def contrast(one, other) -> float:
    """WCAG 2.1: from 1 (the same) to 21 (black on white)."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def lab(colour: str, sight: str = "typical") -> np.ndarray:
    """CIELAB under D65 of a colour as a reader with this sight perceives it."""
    linear = (SIGHT[sight] @ _linear(colour)).clip(0, 1)
    to_xyz = np.array(
        [
            [0.4124564, 0.3575761, 0.1804375],
            [0.2126729, 0.7151522, 0.0721750],
            [0.0193339, 0.1191920, 0.9503041],
        ]
    )
    ratio = (to_xyz @ linear) / to_xyz.sum(1)
    f = np.where(ratio > (6 / 29) ** 3, np.cbrt(ratio), ratio / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def oklab(colour: str, sight: str = "typical") -> np.ndarray:
    """OKLab (Ottosson 2020) of a colour as a reader with this sight perceives it."""
    to_cones = np.array(
        [
            [0.4122214708, 0.5363325363, 0.0514459929],
            [0.2119034982, 0.6806995451, 0.1073969566],
            [0.0883024619, 0.2817188376, 0.6299787005],
        ]
    )
    to_lab = np.array(
        [
            [0.2104542553, 0.7936177850, -0.0040720468],
            [1.9779984951, -2.4285922050, 0.4505937099],
            [0.0259040371, 0.7827717662, -0.8086757660],
        ]
    )
    linear = (SIGHT[sight] @ _linear(colour)).clip(0, 1)
    return to_lab @ np.cbrt(to_cones @ linear)


def apart(one: str, other: str, sight: str) -> float:
    """Distance in OKLab; about 0.02 is what an eye can just tell apart side by side."""
    return float(np.linalg.norm(oklab(one, sight) - oklab(other, sight)))
