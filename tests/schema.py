"""A validator for the part of JSON Schema that docs/ uses. A keyword it does not know is an error."""
import re

TYPES = {
    "object": dict, "array": list, "string": str, "boolean": bool, "null": type(None),
    "integer": int, "number": (int, float),
}
SILENT = {"$schema", "$id", "$defs", "$comment", "title", "description", "examples", "default"}


def is_type(value, name):
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, TYPES[name])


def follow(root, ref):
    node = root
    if not ref.startswith("#/"):
        raise ValueError(f"schema: only local references are known, not {ref}")
    for part in ref[2:].split("/"):
        node = node[part]
    return node


def object_problems(rule, value, where, root):
    props, rest = rule.get("properties", {}), rule.get("additionalProperties", True)
    out = [f"{where}: {key} is not there" for key in rule.get("required", []) if key not in value]
    names = rule.get("propertyNames")
    for key, item in value.items():
        if names is not None:
            out += problems(names, key, f"{where}.{key} (name)", root)
        if key in props:
            out += problems(props[key], item, f"{where}.{key}", root)
        elif rest is False:
            out.append(f"{where}: {key} is not known")
        elif isinstance(rest, dict):
            out += problems(rest, item, f"{where}.{key}", root)
    return out


def array_problems(rule, value, where, root):
    out = []
    if "items" in rule:
        for i, item in enumerate(value):
            out += problems(rule["items"], item, f"{where}[{i}]", root)
    if len(value) < rule.get("minItems", 0):
        out.append(f"{where}: too few")
    if len(value) > rule.get("maxItems", len(value)):
        out.append(f"{where}: too many")
    if rule.get("uniqueItems") and any(x in value[:i] for i, x in enumerate(value)):
        out.append(f"{where}: something stands twice")
    return out


def scalar_problems(rule, value, where):
    out = []
    if "pattern" in rule and isinstance(value, str) and not re.search(rule["pattern"], value):
        out.append(f"{where}: {value!r} does not match {rule['pattern']}")
    if isinstance(value, str):
        if not rule.get("minLength", 0) <= len(value) <= rule.get("maxLength", len(value)):
            out.append(f"{where}: wrong length")
    if is_type(value, "number"):
        if not rule.get("minimum", value) <= value <= rule.get("maximum", value):
            out.append(f"{where}: {value} is out of range")
    return out


def choice_problems(rule, value, where, root):
    out = []
    for part in rule.get("allOf", []):
        out += problems(part, value, where, root)
    for word, fits in (("anyOf", lambda n: n >= 1), ("oneOf", lambda n: n == 1)):
        if word in rule:
            good = [r for r in rule[word] if not problems(r, value, where, root)]
            if not fits(len(good)):
                out.append(f"{where}: {len(good)} of {word} fit")
    return out


KNOWN = SILENT | {
    "$ref", "type", "enum", "const", "properties", "required", "additionalProperties", "propertyNames",
    "items", "minItems", "maxItems", "uniqueItems", "pattern", "minLength", "maxLength", "minimum",
    "maximum", "anyOf", "oneOf", "allOf",
}


def problems(rule, value, where="$", root=None):
    """What is wrong with `value`, as a list of texts."""
    root = rule if root is None else root
    if rule is True:
        return []
    unknown = set(rule) - KNOWN
    if unknown:
        raise ValueError(f"schema: unknown keywords {sorted(unknown)}")
    out = problems(follow(root, rule["$ref"]), value, where, root) if "$ref" in rule else []
    kinds = rule.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(is_type(value, k) for k in kinds):
        return out + [f"{where}: {type(value).__name__} is not {' or '.join(kinds)}"]
    if "enum" in rule and value not in rule["enum"]:
        out.append(f"{where}: {value!r} is none of {rule['enum']}")
    if "const" in rule and value != rule["const"]:
        out.append(f"{where}: {value!r} is not {rule['const']!r}")
    if isinstance(value, dict):
        out += object_problems(rule, value, where, root)
    if isinstance(value, list):
        out += array_problems(rule, value, where, root)
    return out + scalar_problems(rule, value, where) + choice_problems(rule, value, where, root)
