#!/usr/bin/env python3
"""Measures which sessions and turns of LongMemEval answer its questions: longmemeval.py PATH …

PATH is longmemeval_s.json, longmemeval_m.json or longmemeval_oracle.json of
https://github.com/xiaowu0162/LongMemEval. Each question has a history of its own, and so an identity of its own: of
sessions, a document each, or of turns, a fact each. A session answers where `answer_session_ids` names it, a turn
where it has `has_answer`. The questions whose id ends in `_abs` ask for what nobody said, and should get no answer.
hit@5 is what others call recall_any@5. With all 500 questions it takes hours: --first N asks only some, spread over
the file.
"""

import datetime, json, re

from retrieval import Collection, Question, Text, arguments, run

LEVELS = ("sessions", "turns")
APART = datetime.timedelta(seconds=30)  # between two turns of a session
MOST = 32_000  # letters of a turn: longer ones are cut


def begun(text):
    """`2023/05/20 (Sat) 02:21`"""
    read = re.match(r"(\d+)/(\d+)/(\d+)\D+(\d+):(\d+)", text)
    if not read:
        raise SystemExit(f"{text!r} is no date of this file")
    return datetime.datetime(*map(int, read.groups()), tzinfo=datetime.timezone.utc)


def spoken(turn):
    return f"{turn['role'].capitalize()}: {turn['content'].strip()[:MOST]}"


def collection_of(asked, level):
    texts, answers = [], set()
    wanted = set(asked["answer_session_ids"])
    history = zip(asked["haystack_session_ids"], asked["haystack_dates"], asked["haystack_sessions"])
    for at, (name, date, turns) in enumerate(history):
        start = begun(date)
        if level == "sessions":
            key = f"{name}#{at}"
            texts.append(Text(key, "\n\n".join(map(spoken, turns)), start.isoformat()))
            answers |= {key} if name in wanted else set()
            continue
        for number, turn in enumerate(turns):
            key = f"{name}#{at}_{number}"
            if turn["content"].strip():
                texts.append(Text(key, spoken(turn), (start + number * APART).isoformat(), [turn["role"]]))
                answers |= {key} if turn.get("has_answer") else set()
    is_unsaid = asked["question_id"].endswith("_abs")
    question = Question(asked["question_id"], asked["question"], set() if is_unsaid else answers, asked["question_type"])
    form = "documents" if level == "sessions" else "facts"
    return Collection(form, texts, [question] if answers or is_unsaid else [])


def main():
    given = arguments(__doc__, LEVELS).parse_args()
    with open(given.path, encoding="utf-8") as file:
        asked = json.load(file)
    if given.first and given.first < len(asked):
        # The file is in order of the kinds of questions.
        asked = [asked[at * len(asked) // given.first] for at in range(given.first)]

    def collections(level):
        each = [collection_of(one, level) for one in asked]
        return f"LongMemEval, {level}", [one for one in each if one.questions]

    run(given, LEVELS, collections)


if __name__ == "__main__":
    main()
