"""The encoder in JAX: all-MiniLM-L6-v2 with its weights as the published file names them. Knows nothing of training."""
import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from safetensors.numpy import load_file
from tokenizers.implementations import BertWordPieceTokenizer

LAYERS, WIDTH, HEADS = 6, 384, 12
MOST = 128  # tokens of a text, with the two around it
END = 102  # [SEP]
VOCABULARY = pathlib.Path(__file__).parent.parent / "vocab.txt"


def tokenizer():
    words = VOCABULARY.read_text(encoding="utf-8").splitlines()
    return BertWordPieceTokenizer({word: at for at, word in enumerate(words)}, lowercase=True, strip_accents=True)


TOKENIZER = tokenizer()


def shortened(ids, most):
    return ids if len(ids) <= most else ids[: most - 1] + [END]


def ids_of(texts, most=MOST):
    return [shortened(one.ids, most) for one in TOKENIZER.encode_batch(list(texts))]


def padded(all_ids, length):
    """Tokens and a mask of those that are there, each [texts, length]."""
    tokens = np.zeros((len(all_ids), length), np.int32)
    mask = np.zeros((len(all_ids), length), np.float32)
    for row, ids in enumerate(all_ids):
        tokens[row, : len(ids)] = ids
        mask[row, : len(ids)] = 1
    return tokens, mask


def load(path):
    """The weights that make a vector: without the pooler, which no vector passes."""
    weights = {name.removeprefix("bert."): value for name, value in load_file(path).items() if value.dtype == np.float32}
    return {name: jnp.asarray(value) for name, value in weights.items() if not name.startswith("pooler")}


def normalised(x, factors, summands):
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-12) * factors + summands


def vectors(weights, tokens, mask):
    """A vector of length 1 for each text: the mean of its tokens after the last layer."""
    count = tokens.shape[1]
    norm = lambda x, name: normalised(x, weights[f"{name}.LayerNorm.weight"], weights[f"{name}.LayerNorm.bias"])
    table = lambda name: weights[f"embeddings.{name}_embeddings.weight"]
    x = norm(table("word")[tokens] + table("position")[:count][None] + table("token_type")[0], "embeddings")
    hidden = (1 - mask)[:, None, None, :] * -1e9
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        dense = lambda y, part: y @ weights[f"{name}.{part}.weight"].T + weights[f"{name}.{part}.bias"]
        heads = lambda y: y.reshape(y.shape[0], count, HEADS, WIDTH // HEADS).transpose(0, 2, 1, 3)
        query, key, value = (heads(dense(x, f"attention.self.{part}")) for part in ("query", "key", "value"))
        attention = jax.nn.softmax(query @ key.transpose(0, 1, 3, 2) / np.sqrt(WIDTH // HEADS) + hidden, -1)
        attended = (attention @ value).transpose(0, 2, 1, 3).reshape(x.shape)
        x = norm(x + dense(attended, "attention.output.dense"), f"{name}.attention.output")
        inner = jax.nn.gelu(dense(x, "intermediate.dense"), approximate=False)
        x = norm(x + dense(inner, "output.dense"), f"{name}.output")
    mean = (x * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
    return mean / (jnp.linalg.norm(mean, axis=-1, keepdims=True) + 1e-9)


compiled = jax.jit(vectors)


def encode(weights, texts, together=64):
    """The vectors of any number of texts, those of similar length together."""
    all_ids = ids_of(texts)
    order = np.argsort([len(ids) for ids in all_ids])
    found = np.zeros((len(all_ids), WIDTH), np.float32)
    for start in range(0, len(order), together):
        some = order[start : start + together]
        longest = max(len(all_ids[at]) for at in some)
        # A few shapes, each compiled once: lengths in sixteens, and batches filled up with nothing.
        filled = [all_ids[at] for at in some] + [[END]] * (together - len(some))
        tokens, mask = padded(filled, min(MOST, -(-longest // 16) * 16))
        found[some] = np.asarray(compiled(weights, tokens, mask))[: len(some)]
    return found
