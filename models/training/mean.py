#!/usr/bin/env python3
"""mean.py OUT.safetensors MODEL SHARE [MODEL SHARE]…     the weighted mean of models, which is better than each of them.

Needs numpy and safetensors."""
import sys

import numpy as np
from safetensors.numpy import load_file, save_file

parts = [(load_file(model), float(share)) for model, share in zip(sys.argv[2::2], sys.argv[3::2])]
assert abs(sum(share for _, share in parts) - 1) < 1e-6, "the shares add up to 1"
mean = {name: sum(np.float32(share) * model[name] for model, share in parts) for name in parts[0][0]}
save_file(mean, sys.argv[1])
