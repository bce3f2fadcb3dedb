"""What a claim's rule says about a number. Rules stand in claims.json, before anything runs."""

SAME, DIRECTION, DIFFERENT, SHOWN, NOT_RUN = "same", "same direction", "not the same", "shown", "not run"


def shortened(number):
    """51 of 72 as 0.708, in words alone: rules judge by the whole number."""
    return round(number, 3) if abs(number) < 1 else number


def in_words(rule):
    """The rule as the page prints it."""
    kind = rule["is"]
    if kind == "shown":
        return "shown, not judged"
    if kind == "true":
        return "same if so"
    if kind == "everywhere":
        return "same if at every point"
    if kind == "within":
        words = f"same if within {rule['by']:g} of {shortened(rule['of']):g}"
        if "direction" in rule:
            words += f"; same direction if {rule['direction']} {rule['limit']:g}"
        return words
    if kind == "equal":
        return f"same if {rule['to']:g}"
    return f"same if {kind} {rule['limit']:g}"


def holds(kind, value, limit):
    return {"below": value < limit, "at most": value <= limit, "above": value > limit, "at least": value >= limit}[kind]


def judge(rule, value):
    kind = rule["is"]
    if kind == "shown":
        return SHOWN
    if kind == "true":
        return SAME if value is True else DIFFERENT
    if kind == "everywhere":
        return SAME if value == 1 else DIFFERENT
    if kind == "equal":
        return SAME if abs(value - rule["to"]) < 5e-4 else DIFFERENT
    if kind == "within":
        if abs(value - rule["of"]) <= rule["by"] + 1e-9:
            return SAME
        return DIRECTION if "direction" in rule and holds(rule["direction"], value, rule["limit"]) else DIFFERENT
    return SAME if holds(kind, value, rule["limit"]) else DIFFERENT
