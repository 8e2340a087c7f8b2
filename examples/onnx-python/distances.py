"""Distances from an exported ONNX model: python3 distances.py bar.onnx. Needs numpy and onnxruntime, nothing of Pliant."""

# region ask
import sys

import numpy as np
import onnxruntime

session = onnxruntime.InferenceSession(sys.argv[1])

code = np.array([0.5, -0.2, 0.8], dtype=np.float32)  # bend, sway, twist
points = np.array([[0.1, 0.06, 0.0], [0.3, 0.05, 0.02]], dtype=np.float32)  # metres

distance, gradient = session.run(["distance", "gradient"], {"points": points, "code": code})
for point, d, g in zip(points, distance, gradient):
    normal = g / np.linalg.norm(g)  # outward
    print(*point, "distance", d, "normal", *normal)  # distance in metres, negative inside
# endregion
