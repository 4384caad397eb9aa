"""What docs/decisions/0006 forbids, found in C++ source text: g++ 12 miscompiles it.

  condition   co_await inside the condition of an if, while, for or switch, or before the ? of a conditional expression
  braced      a braced temporary inside an awaited expression: co_await f(Options{})
  lambda      a lambda with captures made inside an awaited expression
"""

import re

LITERALS = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Fa-f])\'(?:\\.|[^\'\\\n])*\'', re.S)
AWAIT = re.compile(r"\bco_await\b")
CONDITION = re.compile(r"\b(if|while|for|switch)\s*(?:constexpr\s*)?\(")
OPEN, CLOSE = "([{", ")]}"


def blanked(text):
    """The text with comments and literals as blanks; lines stay where they are."""
    return LITERALS.sub(lambda m: re.sub(r"[^\n]", " ", m[0]) if m[0].startswith("/") else '"' + re.sub(r"[^\n]", " ", m[0][2:]) + '"', text)


def closing(text, at):
    """The index of the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(text)):
        if text[i] in OPEN:
            depth += 1
        elif text[i] in CLOSE:
            depth -= 1
            if depth == 0:
                return i
    return len(text)


def without_bodies(text):
    """The text with what stands in braces as blanks: bodies of lambdas are code of their own."""
    out, depth = [], 0
    for c in text:
        depth -= c == "}"
        out.append(c if depth <= 0 or c == "\n" else " ")
        depth += c == "{"
    return "".join(out)


def awaited(text, at):
    """The expression behind a co_await that begins at `at`."""
    depth = 0
    for i in range(at, len(text)):
        c = text[i]
        if c in OPEN:
            depth += 1
        elif c in CLOSE:
            depth -= 1
            if depth < 0:
                return text[at:i]
        elif depth == 0 and c in ";,":
            return text[at:i]
    return text[at:]


def in_awaited(expression):
    """What must not be made inside an awaited expression."""
    i, first = 0, True
    while i < len(expression):
        c = expression[i]
        if c == "[":
            before = expression[:i].rstrip()
            end = closing(expression, i)
            if not before or before[-1] in "(,{=":
                # A lambda: only what it captures matters, its body is a function of its own.
                body = expression.find("{", end)
                if expression[i + 1:end].strip() and not (first and not before):
                    return "lambda", "a lambda with captures is made inside an awaited expression"
                i = closing(expression, body) if body >= 0 else len(expression)
            else:
                i = end
        elif c == "{":
            return "braced", "a braced temporary is made inside an awaited expression"
        first = first and c.isspace()
        i += 1
    return None


def check(text):
    """(line, rule, what) for everything that breaks the rules."""
    text = blanked(text)
    line = lambda at: text.count("\n", 0, at) + 1
    for match in CONDITION.finditer(text):
        end = closing(text, match.end() - 1)
        inside = without_bodies(text[match.end():end])
        if AWAIT.search(inside):
            yield line(match.start()), "condition", f"co_await inside the condition of {match[1]}; name the value first"
    for match in AWAIT.finditer(text):
        expression = awaited(text, match.end())
        found = in_awaited(expression)
        if found:
            yield line(match.start()), *found
        depth = 0
        for c in without_bodies(expression):
            depth += (c in OPEN) - (c in CLOSE)
            if c == "?" and depth == 0:
                yield line(match.start()), "condition", "co_await before the ? of a conditional expression; name the value first"
                break
        # (co_await x) ? a : b
        tail = text[match.end() + len(expression):].lstrip()
        while tail.startswith(")"):
            tail = tail[1:].lstrip()
            if tail.startswith("?"):
                yield line(match.start()), "condition", "co_await before the ? of a conditional expression; name the value first"
