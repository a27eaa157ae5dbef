"""Sends the examples of an OpenAPI document to a server, with the standard library alone: send_examples.py DOCUMENT BASE NAME PASSWORD."""

import json
import sys
import urllib.error
import urllib.request


def send(base, method, path, body=None, token=None):
    headers = {"accept": "application/json"}
    if body is not None:
        headers["content-type"] = "application/json"
    if token:
        headers["authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(base + path, data=data, headers=headers, method=method.upper())
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def find_calls(document):
    """Calls that name no object, can be undone, and have JSON on both sides."""
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            content = operation.get("requestBody", {}).get("content", {})
            answers = {kind for one in operation["responses"].values() for kind in one.get("content", {})}
            is_json = set(content) <= {"application/json"} and answers <= {"application/json"}
            is_safe = operation.get("x-safety") != "destructive" and "user" in operation.get("x-roles", [])
            needs_query = any(one.get("required") for one in operation.get("parameters", []))
            if "{" not in path and is_json and is_safe and not needs_query:
                yield method, path, operation, content.get("application/json", {}).get("example")


def main(file, base, name, password):
    with open(file, encoding="utf-8") as source:
        document = json.load(source)
    status, answer = send(base, "post", "/api/v1/auth/web_get_token/", {"username": name, "password": password})
    assert status == 200, answer
    token = json.loads(answer)["token"]
    sent = 0
    for method, path, operation, example in find_calls(document):
        status, answer = send(base, method, path, example, token)
        assert str(status) in operation["responses"], f"{method} {path}: {status} is not documented: {answer[:200]!r}"
        if status != 204 and answer:
            json.loads(answer)
        sent += 1
    print(f"{sent} calls")


main(*sys.argv[1:])
