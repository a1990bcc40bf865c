#!/usr/bin/env python3
"""train.py MODEL.safetensors GENERAL.json OUT.safetensors     one round of training of the encoder, on pairs.jsonl.

MODEL is all-MiniLM-L6-v2 as published (--start: the model that training begins with, if it is another). GENERAL is a JSON list of some
thousand sentences about anything: their vectors are held where MODEL puts them, so that texts unlike a fact are compared as well as
before. Needs jax, optax, numpy, safetensors, tokenizers; 80 minutes on two cores for all rounds. README.md has the rounds.

What is learned: a question is nearer to its fact than to all other facts of the batch and to the near ones that do not answer it
(contrast), and its cosine itself says whether that is an answer (calibration): right pairs above 0.38, unanswerable questions and near
facts below. The table of tokens stays as it is."""
import argparse
import functools
import json
import pathlib
import random
import time

import jax
import jax.numpy as jnp
import numpy as np
import optax
from bert import encode, ids_of, load, padded, vectors
from safetensors.numpy import save_file

TEMPERATURE = 0.05
BACKWARD = 0.5  # the weight of finding the question by the fact, beside the fact by the question
STEEPNESS, THRESHOLD = 14.0, 0.38  # of the calibration: 14·(cos − 0.38); the threshold is learned from there
QUESTION, SHORT, LONG, SENTENCE = 22, 26, 96, 72  # the most tokens of each kind of text
HELD = 14  # general sentences a step
PAIRS = pathlib.Path(__file__).parent / "pairs.jsonl"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("general")
    parser.add_argument("out")
    parser.add_argument("--start")
    parser.add_argument("--epochs", type=float, default=1.15)
    parser.add_argument("--rate", type=float, default=4e-5)
    parser.add_argument("--hold", type=float, default=1.5, help="the weight of the general sentences")
    parser.add_argument("--calibration", type=float, default=0.3)
    parser.add_argument("--batch", type=int, default=36)
    parser.add_argument("--facts", type=int, help="only the first N")
    parser.add_argument("--seed", type=int, default=7)
    return parser.parse_args()


def loss(trained, frozen, batch, weights):
    """`batch`: questions, unanswerable ones, facts with their near ones behind them, and general sentences, each as tokens and mask."""
    model = {**frozen, **trained}
    asked, unanswerable = vectors(model, *batch["questions"]), vectors(model, *batch["unanswerable"])
    texts = vectors(model, *batch["facts"])
    count = asked.shape[0]
    facts, near = texts[:count], texts[count:]
    rightly = functools.partial(optax.softmax_cross_entropy_with_integer_labels, labels=jnp.arange(count))
    forward = rightly(jnp.concatenate([asked @ facts.T, asked @ near.T], 1) / TEMPERATURE).mean()
    contrast = forward + BACKWARD * rightly(facts @ asked.T / TEMPERATURE).mean()

    above = lambda cosine: STEEPNESS * (cosine - trained["threshold"])
    cosines = lambda a, b: (a * b).sum(-1)
    right = jax.nn.softplus(-above(cosines(asked, facts))).mean()
    nearest = jnp.maximum(cosines(unanswerable, facts), cosines(unanswerable, near))
    wrong = (batch["has"] * jax.nn.softplus(above(nearest))).sum() / jnp.maximum(batch["has"].sum(), 1)
    wrong += 0.5 * jax.nn.softplus(above(cosines(asked, near))).mean()

    now, before = vectors(model, *batch["general"]), batch["held"]
    moved = ((now @ now.T - before @ before.T) ** 2).mean() * 100 + (1 - cosines(now, before)).mean()
    parts = (contrast, right, wrong, moved)
    return contrast + weights[0] * (right + wrong) + weights[1] * moved, parts


def batches(rows, size, pick):
    """Pairs of a fact and one of its questions, for ever: no fact twice in a batch. Short and long facts in batches of their own, so
    that little of a batch is padding."""
    pairs = [(at, text) for at, row in enumerate(rows) for text in [*row["q"], row["agent"]]]
    is_short = [len(ids) <= SHORT for ids in ids_of(row["fact"] for row in rows)]
    while True:
        pick.shuffle(pairs)
        made = []
        for short, most in ((True, size), (False, size // 2)):
            waiting = [pair for pair in pairs if is_short[pair[0]] == short]
            while True:
                batch, later, full = {}, [], []
                for at, text in waiting:
                    if at in batch:
                        later.append((at, text))
                        continue
                    batch[at] = text
                    if len(batch) == most:
                        full.append(list(batch.items()))
                        batch = {}
                if not full:
                    break
                made += [(SHORT if short else LONG, one) for one in full]
                waiting = later + list(batch.items())
        pick.shuffle(made)
        yield from made


def laid_out(batch, longest, rows, general, held, pick):
    """A batch as numbers, with a near fact for each fact and some general sentences."""
    of = lambda texts, most: padded(ids_of(texts, most), most)
    facts = [rows[at] for at, _ in batch]
    some = pick.sample(range(len(general)), HELD)
    return {
        "questions": of([text for _, text in batch], QUESTION),
        "facts": of([row["fact"] for row in facts] + [pick.choice(row["near"]) for row in facts], longest),
        "unanswerable": of([pick.choice(row.get("none") or row["q"][:1]) for row in facts], QUESTION),
        "has": np.array([float("none" in row) for row in facts], np.float32),
        "general": of([general[at] for at in some], SENTENCE),
        "held": held[np.array(some)],
    }


def main():
    asked = arguments()
    pick = random.Random(asked.seed)
    rows = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()][: asked.facts]
    published = load(asked.model)
    start = load(asked.start) if asked.start else published
    frozen = {name: value for name, value in start.items() if name.startswith("embeddings.")}
    trained = {name: value for name, value in start.items() if name not in frozen}
    trained["threshold"] = jnp.float32(THRESHOLD)
    general = json.loads(pathlib.Path(asked.general).read_text(encoding="utf-8"))
    pick.shuffle(general)
    general = general[:5000]
    held = encode(published, general)

    steps = int(asked.epochs * sum(len(row["q"]) + 1 for row in rows) / asked.batch)
    rate = optax.warmup_cosine_decay_schedule(0, asked.rate, max(10, steps // 12), steps, asked.rate * 0.05)
    optimiser = optax.adamw(rate, weight_decay=0.01)

    @jax.jit
    def step(trained, state, batch):
        weights = (asked.calibration, asked.hold)
        (_, parts), slope = jax.value_and_grad(loss, has_aux=True)(trained, frozen, batch, weights)
        change, state = optimiser.update(slope, state, trained)
        return optax.apply_updates(trained, change), state, parts

    state, since, lately = optimiser.init(trained), time.time(), []
    for at, (longest, batch) in zip(range(1, steps + 1), batches(rows, asked.batch, pick)):
        trained, state, parts = step(trained, state, laid_out(batch, longest, rows, general, held, pick))
        lately = [*lately[-24:], [float(part) for part in parts]]
        if at % 25 == 0 or at == steps:
            names = zip(("contrast", "right", "wrong", "moved"), np.mean(lately, 0))
            shown = ", ".join(f"{name} {value:.4f}" for name, value in names)
            print(f"{at} of {steps}: {shown}, threshold {trained['threshold']:.3f}, {time.time() - since:.0f} s", flush=True)
    del trained["threshold"]
    save_file({name: np.asarray(value) for name, value in {**frozen, **trained}.items()}, asked.out)


if __name__ == "__main__":
    main()
