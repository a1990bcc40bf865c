#!/usr/bin/env python3
"""Measures which texts of LoCoMo answer its questions: locomo.py PATH [--key PATH] [--by-conversation] …

PATH is locomo10.json of https://github.com/snap-research/locomo (CC BY-NC 4.0: it is not part of co, and may not be).
Three kinds of texts: facts (the file's observations, one sentence each), turns (what one person said at once), both
as facts of co; and sessions, a document each. All conversations are in one identity, unless --by-conversation. A
question counts where at least one text of its evidence is there; the adversarial ones (category 5) ask for what
nobody said, and should get no answer. --key takes the corrections of https://github.com/dial481/locomo-audit:
errors.json, or the folder with errors_conv_*.json. A question whose evidence was corrected to nothing is left out.
"""

import datetime, glob, json, os, re

from retrieval import Collection, Question, Text, arguments, run

LEVELS = ("facts", "turns", "sessions")
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
APART = datetime.timedelta(seconds=30)  # between two texts of a session


def evidence(those):
    """The turns that are named, in any spelling: `D8:6; D9:17`, `D08:6`."""
    named = re.findall(r"D:?(\d+):(\d+)", " ".join(map(str, those or [])))
    return [f"D{int(session)}:{int(turn)}" for session, turn in named]


def begun(text):
    """`1:56 pm on 8 May, 2023`"""
    return datetime.datetime.strptime(text.strip(), "%I:%M %p on %d %B, %Y").replace(tzinfo=datetime.timezone.utc)


def sessions(conversation):
    """The numbers of the sessions that have turns, in order, with the time at which each began."""
    numbers = sorted(int(found[1]) for found in (re.fullmatch(r"session_(\d+)", key) for key in conversation) if found)
    return [(number, begun(conversation[f"session_{number}_date_time"])) for number in numbers if conversation[f"session_{number}"]]


def spoken(turn):
    caption = turn.get("blip_caption")
    return f"{turn['speaker']}: {turn['text']}" + (f" [shares {caption}]" if caption else "")


def texts_of(sample, level):
    """The texts of a conversation, each with the turns that it stands for."""
    conversation, found = sample["conversation"], []
    for number, start in sessions(conversation):
        turns = conversation[f"session_{number}"]
        if level == "sessions":
            whole = "\n\n".join(map(spoken, turns))
            found.append((Text("", whole, start.isoformat()), [turn["dia_id"] for turn in turns]))
            continue
        if level == "turns":
            parts = [(spoken(turn), turn["speaker"], [turn["dia_id"]]) for turn in turns]
        else:
            said = sample["observation"].get(f"session_{number}_observation", {})
            parts = [(text, who, named if isinstance(named, list) else [named]) for who, those in said.items() for text, named in those]
        for at, (body, who, named) in enumerate(parts):
            found.append((Text("", body, (start + at * APART).isoformat(), [who.lower()]), evidence(named)))
    return found


def corrections(path, samples):
    """The corrected evidence, by conversation and question."""
    files = sorted(glob.glob(f"{path}/errors_conv_*.json")) if os.path.isdir(path) else [path]
    rows, known = [], {}
    for file in files:
        with open(file, encoding="utf-8") as opened:
            rows += json.load(opened)
    for row in rows:
        place = re.fullmatch(r"locomo_(\d+)_qa(\d+)", row["question_id"])
        at = (int(place[1]), int(place[2])) if place else (-1, -1)
        if not 0 <= at[0] < len(samples) or not 0 <= at[1] < len(samples[at[0]]["qa"]):
            raise SystemExit(f"{path}: there is no question {row['question_id']}")
        if samples[at[0]]["qa"][at[1]]["question"].strip() != row["question"].strip():
            raise SystemExit(f"{path}: {row['question_id']} is another question than in the file")
        known[at] = evidence(row.get("correct_evidence"))
    if not known:
        raise SystemExit(f"{path}: there are no corrections")
    return known


def collection_of(at, sample, level, corrected):
    name = sample.get("sample_id", f"conversation-{at}")
    texts, by_turn = [], {}
    for number, (text, named) in enumerate(texts_of(sample, level)):
        text.key = f"{name}/{number}"
        texts.append(text)
        for turn in named:
            by_turn.setdefault(turn, set()).add(text.key)
    questions = []
    for number, asked in enumerate(sample["qa"]):
        is_adversarial = asked["category"] == 5
        turns = corrected.get((at, number), evidence(asked.get("evidence")))
        answers = set() if is_adversarial else set().union(*(by_turn.get(turn, set()) for turn in turns))
        if answers or is_adversarial:
            questions.append(Question(f"{name}-q{number}", asked["question"], answers, CATEGORIES[asked["category"]]))
    return Collection("documents" if level == "sessions" else "facts", texts, questions)


def main():
    parser = arguments(__doc__, LEVELS)
    parser.add_argument("--key", metavar="PATH", help="the corrections of locomo-audit")
    parser.add_argument("--by-conversation", action="store_true", help="an identity for each conversation")
    given = parser.parse_args()
    with open(given.path, encoding="utf-8") as file:
        samples = json.load(file)
    corrected = corrections(given.key, samples) if given.key else {}

    def collections(level):
        each = [collection_of(at, sample, level, corrected) for at, sample in enumerate(samples)]
        if not given.by_conversation:
            texts, questions = [text for one in each for text in one.texts], [asked for one in each for asked in one.questions]
            each = [Collection(each[0].form, texts, questions)]
        left = given.first or sum(len(one.questions) for one in each)
        for one in each:
            one.questions, left = one.questions[:left], left - len(one.questions[:left])
        key = f", {len(corrected)} corrections" if corrected else ""
        how = "by conversation" if given.by_conversation else "together"
        return f"LoCoMo, {level}, {how}{key}", [one for one in each if one.questions]

    run(given, LEVELS, collections)


if __name__ == "__main__":
    main()
