"""A client of the Whereabouts mock server, for end-to-end tests in Python.

It needs Python 3.9 or newer and no package: copy this file into your project. Each test creates a world, which has a database, a
clock, a mailbox, payments and trackers of its own, and closes it at the end:

    with World.create(scenario="expiring") as world:
        alice = world.api("alice")
        world.clock.until("renewal")
        print(world.clock.now(), alice.get("/users/subscriptions/"))

Responses are the JSON of the server as dictionaries and lists; `/mock/docs` of a running server describes the control plane, `/docs` the
API. Every method raises `RequestFailed` when the server refuses, and when it does not respond (`status` is 0).
"""

# The server checks the shapes of its responses.
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import contextlib
import http.client
import json
import os
import socket
import time
import urllib.error
import urllib.parse
import urllib.request
import warnings
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from typing import Any, Literal, Optional, TypedDict

DEFAULT_SERVER = "http://127.0.0.1:8080"

ClockEvent = Literal[
    "position",
    "mode_applied",
    "renewal",
    "subscription_reminder",
    "subscription_end",
    "link_end",
    "boost_end",
    "quiet_end",
    "rule_due",
    "network_silence",
    "link_expiry",  # former name of link_end
    "sub_end",  # former name of subscription_end
]
Preset = Literal[
    "offline", "session_expired", "hang_31s", "flaky", "maintenance", "contract_drift", "slow_3g", "fast_3g", "satellite"
]
Card = Literal["success", "declined", "insufficient", "3ds", "renewal_fails"]


class Persona(TypedDict):
    """A person of a world: `key` is the name in calls, `token` a session that was open when the world began."""

    key: str
    email: str
    password: str
    role: str
    token: str


class _Fired(TypedDict):
    at: str
    kind: str
    ref: str


class Fired(_Fired, total=False):
    """A job, a renewal, an alert or a mail; `ref` names its subject, such as `devices/7`. The kind `mail` has `to` and `template`."""

    to: str
    template: str


# Not a class, because `from` is a keyword of Python.
Leap = TypedDict("Leap", {"from": str, "to": str, "positions": int, "fired": "list[Fired]"})


class MailHead(TypedDict):
    """A mail of the list. `sent_at` is None in a world without SMTP; `bounced` means that the address rejected it for good."""

    id: int
    to: str
    template: str
    language: str
    subject: str
    created_at: str
    sent_at: Optional[str]
    bounced: bool


class Mail(MailHead):
    """A whole mail. `links` and `codes` are the values that it was rendered from, so no test has to search its text."""

    text: str
    html: str
    links: list[str]
    codes: list[str]
    data: dict[str, str]


class Receipt(TypedDict):
    """Numbers of new and of already known positions in a message of a tracker."""

    accepted: int
    ignored: int


class Charge(TypedDict):
    """`outcome` is `paid`, `refused` or `asked`; `fault` says why a card was refused; the buyer is redirected to `url`."""

    outcome: str
    fault: Optional[str]
    status: str
    url: Optional[str]


class RequestFailed(Exception):
    """A refused request, or one without a response.

    `status` is the HTTP status, 0 when there was no response. `code` is the error's name, such as `validation_error`. `errors` has the
    reasons by field; `field` and `reason` are the first of them. `answer` is the whole body. What is missing is None, or empty.
    """

    def __init__(self, method: str, path: str, status: int, answer: Any = None, cause: str = "no response") -> None:
        body = answer if isinstance(answer, dict) else {}
        self.status = status
        self.answer = answer
        self.code: str | None = body.get("code")
        self.errors = _group_errors(body.get("errors") or {})
        self.field: str | None = next(iter(self.errors), None)
        self.reason: str | None = next((reasons[0] for reasons in self.errors.values() if reasons), None)
        reasons = "; ".join(f"{field}: {', '.join(each)}" for field, each in self.errors.items())
        words = f"{status} {self.code or ''} {reasons}" if status else cause
        closest = "".join(
            f"\n  request {miss['id']}, {miss['method']} {miss['url']} ({miss['status']}) differs in {', '.join(miss['differs'])}"
            for miss in body.get("near_misses", [])
        )
        if "mails" in body:
            closest += "\n  the newest mails of the world:" if body["mails"] else "\n  the world has no mail"
        closest += "".join(f"\n  mail {mail['id']} to {mail['to']}, {mail['template']}: {mail['subject']}" for mail in body.get("mails", []))
        is_down = status == 0 and cause.startswith("No server")
        super().__init__(f"{cause}. The call was {method} {path}" if is_down else f"{method} {path}: {words.strip()}{closest}")


def _group_errors(errors: Any) -> dict[str, list[str]]:
    """Reasons by field. Files have a list with the errors of each line, whose fields become `3.name` for the name in line 3."""
    if isinstance(errors, dict):
        return errors
    return {f"{each['line']}.{field}": reasons for each in errors for field, reasons in each["errors"].items()}


class ContractBroken(AssertionError):
    """Requests or responses of a world that differ from the documented API."""


class Server:
    """A running mock server; `control_token` is needed if it was started with a `CONTROL_TOKEN`."""

    def __init__(self, base: str | None = None, control_token: str | None = None, timeout: float = 30) -> None:
        self.base = (base or os.environ.get("WHEREABOUTS_URL") or DEFAULT_SERVER).rstrip("/")
        self.control_token = control_token or os.environ.get("CONTROL_TOKEN")
        self.timeout = timeout
        is_here = urllib.parse.urlsplit(self.base).hostname in ("127.0.0.1", "localhost", "::1")
        # No proxy of the environment stands between a test and a server on the same machine.
        self._opener = urllib.request.build_opener(*([urllib.request.ProxyHandler({})] if is_here else []))

    def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        query: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
        timeout: float | None = None,
    ) -> Any:
        """Sends a request and returns the response: parsed if it is JSON, else text or bytes; None if it is empty."""
        url = self.base + path + _format_query(query)
        data = None if body is None else json.dumps(body, default=_format_time).encode()
        types = {} if body is None else {"Content-Type": "application/json"}
        request = urllib.request.Request(url, data, {"Accept": "application/json", **types, **(headers or {})}, method=method)
        try:
            with self._opener.open(request, timeout=timeout or self.timeout) as response:
                content = response.read()
        except urllib.error.HTTPError as error:
            raise RequestFailed(method, path, error.code, _parse(_read_error(error))) from None
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", error)
            is_down = isinstance(reason, (ConnectionRefusedError, socket.gaierror))
            start = "start one with `npx whereabouts up`, or set WHEREABOUTS_URL"
            words = f"No server answers at {self.base} ({reason}): {start}" if is_down else f"no response from {self.base}: {reason}"
            raise RequestFailed(method, path, 0, cause=words) from error
        return _parse(content)

    def control(self, method: str, path: str, body: Any = None, *, world: str | None = None, **options: Any) -> Any:
        """Sends a request to the control plane: a path below `/mock`."""
        headers = {**({"X-World": world} if world else {}), **_bearer(self.control_token)}
        return self.send(method, path, body, headers=headers, **options)


def _read_error(error: urllib.error.HTTPError) -> bytes:
    try:
        return error.read()
    except (OSError, http.client.HTTPException):
        return b""


def _parse(content: bytes) -> Any:
    if not content:
        return None
    for read in (json.loads, bytes.decode):
        try:
            return read(content)
        except ValueError:
            pass
    return content


def _bearer(token: str | None) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}


def _format_query(query: dict[str, Any] | None) -> str:
    values = {name: _format_value(value) for name, value in _without_none(query).items()}
    return f"?{urllib.parse.urlencode(values, doseq=True)}" if values else ""


def _format_value(value: Any) -> Any:
    """Writes times as the API expects them, and truth values in a query."""
    if isinstance(value, datetime):
        return _format_time(value)
    return str(value).lower() if isinstance(value, bool) else value


def _without_none(values: dict[str, Any] | None) -> dict[str, Any]:
    return {name: value for name, value in (values or {}).items() if value is not None}


class World:
    """One world of a mock server, with a frozen clock. Use it as a context manager, or call `close()`.

    `id` is its name, `origin` its address for browsers, `scenario` what it began from, `personas` its people by key.
    """

    def __init__(self, server: Server, opened: dict[str, Any]) -> None:
        self.server = server
        self.is_open = True
        self.id: str = opened["id"]
        self.origin: str = opened["base_url"]
        self.enter_url: str = opened["enter_url"]
        self.scenario: str = opened["scenario"]
        self.personas: dict[str, Persona] = {persona["key"]: persona for persona in opened["personas"]}
        self.clock = Clock(self)
        self.mail = Mailbox(self)
        self.faults = Faults(self)
        self.pay = Payments(self)
        self.trackers = Trackers(self)
        self.requests = Journal(self)

    @classmethod
    def create(
        cls,
        scenario: str | None = None,
        *,
        seed: int | None = None,
        size: int | None = None,
        snapshot: str | None = None,
        claims: str | None = None,
        id: str | None = None,
        server: Server | str | None = None,
    ) -> World:
        """Creates a world from a scenario (by default `family`) or from a snapshot.

        `size` is the number of trackers of the scenario `crowd`. With `claims="stock"` accounts add only trackers in stock. `server` is an
        address; by default the variable WHEREABOUTS_URL, else http://127.0.0.1:8080. Codes: `validation_error` (unknown scenario, bad name), `world_exists`, `too_many_worlds`.
        """
        host = server if isinstance(server, Server) else Server(server)
        wanted = {"scenario": scenario, "seed": seed, "size": size, "from": snapshot, "claims": claims, "id": id}
        return cls(host, host.control("POST", "/mock/worlds", _without_none(wanted)))

    def close(self) -> None:
        """Removes the world with all its data. A world that is gone already is no error."""
        self.is_open = False
        try:
            self.server.control("DELETE", f"/mock/worlds/{self.id}")
        except RequestFailed as error:
            if error.status != 404:
                raise

    def __enter__(self) -> World:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def control(self, method: str, path: str, body: Any = None, **options: Any) -> Any:
        """Sends a request to the control plane in this world, for everything that has no method here: `/mock/snapshots`, …"""
        return self.server.control(method, path, body, world=self.id, **options)

    def persona(self, key: str) -> Persona:
        """Returns a person of the world with e-mail and password. Raises KeyError with the names there are."""
        if key not in self.personas:
            raise KeyError(f"the scenario {self.scenario} has no persona {key}; it has {', '.join(self.personas)}")
        return self.personas[key]

    def token(self, persona: str) -> str:
        """Signs a persona in without the form, and without a second factor; returns the token of the new session.

        It survives leaps of any length. To test how a session ends, sign in with the password: such a session ends after 14 unused days.
        """
        return self.control("POST", "/mock/login", {"persona": persona})["token"]

    def api(self, persona: str | None = None, *, token: str | None = None) -> Api:
        """Returns the documented API in this world: signed in as a persona, with a token you have, or without a session."""
        return Api(self, self.token(persona) if persona else token)

    def operator(self, member: str) -> Operator:
        """Returns the API of the operator's console, signed in as a member of staff: `clerk`, `helper`, `cashier` or `manager`.

        Code: `validation_error` for a member who does not work there.
        """
        return Operator(self, self.control("POST", "/mock/staff/login", {"member": member}))

    def deed(self, *, kind: str | None = None, subject: str | None = None, after: int | None = None, timeout_ms: int = 5000) -> dict[str, Any]:
        """Waits until staff have done something, such as `gateway_made`, and returns the newest deed. Code: `nothing_came`."""
        wanted = {"kind": kind, "subject": subject, "after": after, "timeout_ms": timeout_ms}
        return self.control("POST", "/mock/deeds/wait", _without_none(wanted), timeout=timeout_ms / 1000 + self.server.timeout)

    def hook(self, *, kind: str | None = None, text: str | None = None, after: int | None = None, timeout_ms: int = 5000) -> dict[str, Any]:
        """Waits for a request to a `webhook`, to `telegram` or to `ntfy` and returns the newest. Code: `nothing_came`."""
        wanted = {"kind": kind, "text": text, "after": after, "timeout_ms": timeout_ms}
        return self.control("POST", "/mock/hooks/wait", _without_none(wanted), timeout=timeout_ms / 1000 + self.server.timeout)

    def push(self, *, user: str | None = None, after: int | None = None, timeout_ms: int = 5000) -> dict[str, Any]:
        """Waits for a notification to a browser, of a user by e-mail, and returns the newest with its `buttons`. Code: `nothing_came`."""
        wanted = {"user": user, "after": after, "timeout_ms": timeout_ms}
        return self.control("POST", "/mock/pushes/wait", _without_none(wanted), timeout=timeout_ms / 1000 + self.server.timeout)

    def firing(
        self,
        *,
        persona: str | None = None,
        kind: str | None = None,
        device: int | None = None,
        after: int | None = None,
        timeout_ms: int = 5000,
    ) -> dict[str, Any]:
        """Waits for an alert to fire, silenced ones too, and returns the newest; `notices` says who was told. Code: `nothing_came`.

        `device` is the tracker that it is about, or the other one of an alert about two trackers.
        """
        wanted = {"persona": persona, "kind": kind, "device": device, "after": after, "timeout_ms": timeout_ms}
        return self.control("POST", "/mock/firings/wait", _without_none(wanted), timeout=timeout_ms / 1000 + self.server.timeout)

    def silence(self, persona: str, **conditions: Any) -> dict[str, Any]:
        """Silences alerts as a persona: `hours` or `until`; also `devices`, `place`, `kinds`, `note` and `everyone`."""
        return self.control("POST", "/mock/silences", {"persona": persona, **conditions})

    def url(self, path: str = "/", persona: str | None = None) -> str:
        """Returns the address of a page for a browser (Selenium, Playwright), which is signed in by it if a persona is given.

        Only browsers resolve the host `w-….localhost`. `enter_url` leads other machines into the world.
        """
        address = urllib.parse.urljoin(self.origin, path)
        if persona is None:
            return address
        return f"{address}{'&' if '?' in path else '?'}{urllib.parse.urlencode({'token': self.token(persona)})}"

    def violations(self) -> list[dict[str, Any]]:
        """Lists where requests and responses broke the contract: `{side, kind, path, message, method, url, status, …}`."""
        return self.control("GET", "/mock/contract/violations")

    def check_contract(self) -> None:
        """Raises ContractBroken if a request or a response of this world broke the contract."""
        lines = [f"{each['method']} {each['url']}: {each['side']} {each['path']}: {each['message']}" for each in self.violations()]
        if lines:
            raise ContractBroken("\n  ".join(["the contract was broken:", *lines]))


class Api:
    """The documented API of a world, as one of its people. `token` is the session, None without one."""

    def __init__(self, world: World, token: str | None) -> None:
        self._world = world
        self.token = token

    def send(self, method: str, path: str, body: Any = None, *, headers: dict[str, str] | None = None, **options: Any) -> Any:
        """Sends a request with the header X-World and the session; returns the parsed response."""
        own = {"X-World": self._world.id, **_bearer(self.token), **(headers or {})}
        return self._world.server.send(method, path, body, headers=own, **options)

    def get(self, path: str, **query: Any) -> Any:
        return self.send("GET", path, query=query)

    def post(self, path: str, body: Any = None) -> Any:
        return self.send("POST", path, body)

    def put(self, path: str, body: Any = None) -> Any:
        return self.send("PUT", path, body)

    def patch(self, path: str, body: Any = None) -> Any:
        return self.send("PATCH", path, body)

    def delete(self, path: str) -> Any:
        return self.send("DELETE", path)


class Operator(Api):
    """The API of the operator's console, as a member of staff: `operator.get("/operator/api/gateways/")`. `cookie` signs a browser in."""

    def __init__(self, world: World, session: dict[str, Any]) -> None:
        super().__init__(world, None)
        self.cookie: dict[str, str] = session["cookie"]
        self._own = {"Cookie": f"{self.cookie['name']}={self.cookie['value']}", "X-CSRFToken": session["csrf_token"]}

    def send(self, method: str, path: str, body: Any = None, *, headers: dict[str, str] | None = None, **options: Any) -> Any:
        """Sends a request with the header X-World and the session of the member; returns the parsed response."""
        return super().send(method, path, body, headers={**self._own, **(headers or {})}, **options)


class Clock:
    """The time of a world. It stands still until it is moved; what falls due on the way happens in order."""

    def __init__(self, world: World) -> None:
        self._world = world

    def now(self) -> datetime:
        """Returns the time of the world, in UTC."""
        return _parse_time(self._world.control("GET", "/mock/clock")["now"])

    def advance(self, by: str | timedelta) -> Leap:
        """Moves forward by a `timedelta`, or by an ISO 8601 duration such as `P3D` or `PT5M`."""
        return self._world.control("POST", "/mock/clock/advance", {"by": _format_duration(by)})

    def until(self, event: ClockEvent) -> Leap:
        """Moves to the next event of a kind. Code: `validation_error` if none is ahead."""
        return self._world.control("POST", "/mock/clock/until", {"event": event})

    def freeze(self, at: datetime | str | None = None) -> None:
        """Stops the clock, now or at another time; setting a time runs nothing that would fall due before."""
        self._set({"mode": "frozen", "at": _format_time(at)})

    def flow(self, rate: float = 1, at: datetime | str | None = None) -> None:
        """Lets time pass by itself, `rate` times as fast as real time."""
        self._set({"mode": "flow", "rate": rate, "at": _format_time(at)})

    def _set(self, setting: dict[str, Any]) -> None:
        self._world.control("PUT", "/mock/clock", _without_none(setting))


def _parse_time(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def _format_time(at: Any) -> Any:
    if at is None or isinstance(at, str):
        return at
    if not isinstance(at, datetime):
        raise TypeError(f"{type(at).__name__} is neither JSON nor a time")
    if at.tzinfo is None:
        raise ValueError("a time needs a time zone, such as datetime(2026, 3, 2, 9, tzinfo=timezone.utc)")
    return at.astimezone(timezone.utc).isoformat(timespec="seconds").replace("+00:00", "Z")


def _format_duration(by: str | timedelta) -> str:
    if isinstance(by, str):
        return by
    if by < timedelta():
        raise ValueError("the clock only moves forward")
    return f"P{by.days}DT{by.seconds}S"


class Mailbox:
    """The mails of a world, which are written but not sent."""

    def __init__(self, world: World) -> None:
        self._world = world

    def all(self, to: str | None = None, template: str | None = None) -> list[MailHead]:
        """Lists the mails, newest first: all, or those to an address or of a template, such as `password_reset`."""
        return self._world.control("GET", "/mock/mail", query={"to": to, "template": template})

    def read(self, id: int) -> Mail:
        """Reads a mail. Code: `not_found`."""
        return self._world.control("GET", f"/mock/mail/{id}")

    def wait(
        self,
        to: str,
        *,
        template: str | None = None,
        subject: str | None = None,
        after: MailHead | int | None = None,
        timeout: float = 5,
    ) -> Mail:
        """Returns the newest mail to an address, as soon as there is one: of a template, or with these words in its subject.

        `after` skips a mail and those before it, for the next one. `timeout` is in real seconds, at most 60. Code: `nothing_came`.
        """
        seen = after["id"] if isinstance(after, dict) else after
        ends = time.monotonic() + timeout
        if subject is not None:
            heads = [head for head in self.all(to, template) if head["id"] > (seen or 0)]
            match = next((head for head in heads if subject in head["subject"]), None)
            if match:
                return self.read(match["id"])
            seen = heads[0]["id"] if heads else seen
        while True:
            left = max(0.0, ends - time.monotonic())
            wanted = {"to": to, "template": template, "after": seen, "timeout_ms": int(left * 1000)}
            mail = self._world.control("POST", "/mock/mail/wait", _without_none(wanted), timeout=left + 30)["message"]
            if subject is None or subject in mail["subject"]:
                return mail
            seen = mail["id"]

    def link_to(self, to: str, template: str) -> str:
        """Returns the first link in the newest mail of a template to an address, as soon as it arrives."""
        mail = self.wait(to, template=template)
        if not mail["links"]:
            raise LookupError(f"the mail {template} to {to} has no link")
        return mail["links"][0]


class Faults:
    """What goes wrong on purpose. `route` is the name of an endpoint (`places.list`) or its path (`/tracker_places/`)."""

    def __init__(self, world: World) -> None:
        self._world = world

    def add(self, effect: str, *, route: str | None = None, match: dict[str, Any] | None = None, **settings: Any) -> dict[str, Any]:
        """Adds a fault of any effect with its settings; returns `{id, effect, matched, happened, …}`.

        Effects: `status`, `respond`, `latency`, `hang`, `reset`, `empty`, `malformed`, `slow`, `stream`, `mutate`, `stale`. All take
        `times` (how many requests), `after` (how many succeed first) and `probability`. `match` selects requests by `method`, `persona`,
        `access`, `query`, `headers` and `body`. Code: `validation_error`.
        """
        chosen = _without_none({"route": route, **(match or {})})
        return self._world.control("POST", "/mock/faults", {"effect": effect, **({"match": chosen} if chosen else {}), **settings})

    def fail(self, route: str, status: int = 500, **settings: Any) -> dict[str, Any]:
        """Makes a call fail with a status; with `code`, also with that error code."""
        return self.add("status", route=route, status=status, **settings)

    def delay(self, route: str, seconds: float, **settings: Any) -> dict[str, Any]:
        """Answers a call later, by real time."""
        return self.add("latency", route=route, ms=int(seconds * 1000), **settings)

    def disconnect(self, route: str, **settings: Any) -> dict[str, Any]:
        """Closes the connection of a call without a response."""
        return self.add("reset", route=route, **settings)

    def answer(self, route: str, body: Any, status: int = 200, **settings: Any) -> dict[str, Any]:
        """Answers a call instead of the server, also one that the API does not have; text may hold `{{params.id}}` and the like."""
        return self.add("respond", route=route, body=body, status=status, **settings)

    def preset(self, name: Preset) -> list[dict[str, Any]]:
        """Adds faults that belong together, such as `offline`."""
        return self._world.control("POST", f"/mock/faults/presets/{name}")

    def all(self) -> list[dict[str, Any]]:
        """Lists the faults with the number of requests each matched and affected. Scenarios may have some of their own."""
        return self._world.control("GET", "/mock/faults")

    def unused(self) -> list[dict[str, Any]]:
        """Lists the faults that were added, also removed ones, that never happened or whose paths hit nothing; `notes` say so."""
        return self._world.control("GET", "/mock/faults/unused")

    def remove(self, fault: dict[str, Any] | int) -> None:
        """Removes a fault, by itself or by its id. Code: `not_found`."""
        self._world.control("DELETE", f"/mock/faults/{fault['id'] if isinstance(fault, dict) else fault}")

    def clear(self) -> None:
        """Removes all faults."""
        self._world.control("DELETE", "/mock/faults")


class Payments:
    """The payment provider of a world. A checkout is the response of `POST /users/payment_session/`, or its `id`."""

    def __init__(self, world: World) -> None:
        self._world = world

    def complete(self, checkout: dict[str, Any] | str, card: Card | str = "success", *, sca: bool = True) -> Charge:
        """Pays an open checkout with a test card, by outcome or number; `sca` is the owner's answer when the bank asks.

        A refused card is a result, no error. Codes: `not_found`, `already_paid`, `expired`.
        """
        return self._checkout(checkout, "complete", {"card": card, "sca": sca})

    def cancel(self, checkout: dict[str, Any] | str) -> Any:
        """Goes back from a checkout, which stays open; returns `{status, url}`."""
        return self._checkout(checkout, "cancel")

    def expire(self, checkout: dict[str, Any] | str) -> Any:
        """Expires an open checkout, as happens after a day; returns `{status, url}`. Codes: `already_paid`, `expired`."""
        return self._checkout(checkout, "expire")

    def renew(self, subscription: int | str, outcome: str = "success") -> Any:
        """Renews a subscription now: `success`, `declined`, `insufficient` or `3ds`, whatever its card."""
        return self._world.control("POST", f"/mock/payments/subscriptions/{subscription}/renew", {"outcome": outcome})

    def webhooks(self, **settings: Any) -> Any:
        """Changes how events are delivered: `mode` (`auto`, `manual`, `off`), `delay_ms`, `order`, `duplicate`, `drop`, `signature`."""
        return self._world.control("PUT", "/mock/payments/webhooks", settings)

    def flush(self) -> Any:
        """Delivers all waiting events."""
        return self._world.control("POST", "/mock/payments/events/flush")

    def _checkout(self, checkout: dict[str, Any] | str, step: str, body: Any = None) -> Any:
        id = checkout["id"] if isinstance(checkout, dict) else checkout
        return self._world.control("POST", f"/mock/payments/checkout/{urllib.parse.quote(id, safe='')}/{step}", body)


class Trackers:
    """The trackers of a world, by the id that `GET /devices/` lists. Positions go through the same code as those of real devices."""

    def __init__(self, world: World) -> None:
        self._world = world

    def position(self, id: int, lat: float, lng: float, **measured: Any) -> Receipt:
        """Reports a position now; also `precision` in metres, `battery`, `speed`, `course`, `altitude`. Code: `not_found`."""
        return self._world.control("POST", f"/mock/sim/trackers/{id}/position", {"lat": lat, "lng": lng, **measured})

    def event(self, id: int, type: str, battery: float | None = None) -> Receipt:
        """Reports an event now, such as `low_battery`, at the last position."""
        return self._world.control("POST", f"/mock/sim/trackers/{id}/event", _without_none({"type": type, "battery": battery}))

    def communicate(self, id: int) -> Receipt:
        """Sends a message without a position, which applies a pending mode."""
        return self._world.control("POST", f"/mock/sim/trackers/{id}/communicate")

    def drive(self, id: int, route: list[str], speed_kmh: float = 30) -> dict[str, Any]:
        """Sends a tracker along the streets to addresses, from now on; returns `{metres, positions, ends_at}`."""
        return self._world.control("POST", f"/mock/sim/trackers/{id}/drive", {"route": route, "speed_kmh": speed_kmh})

    def learn(self, id: int) -> dict[str, Any]:
        """Learns now where a tracker usually is, from its positions until now; returns `places`, `ways`, `cells` and more. Code: `not_found`."""
        return self._world.control("POST", f"/mock/sim/trackers/{id}/learn")

    def silence(self, id: int, duration: str | timedelta | None = None) -> None:
        """Silences a tracker for a while or for ever; a duration of zero ends the silence."""
        body = {} if duration is None else {"for": _format_duration(duration)}
        self._world.control("POST", f"/mock/sim/trackers/{id}/silence", body)

    def ingest(self, message: dict[str, Any], key: str = "demo-device-key") -> Receipt:
        """Sends a message as a device does: `{identifier, battery, positions: [{lat, lng, precision, datetime}]}`.

        Codes: `invalid_device_key`, `unknown_tracker`, `serial_mismatch`, `validation_error`.
        """
        return self._world.api().send("POST", "/devices/ingest/", message, headers={"X-Device-Key": key})


class Journal:
    """Every request in a world with its response. A match has `route`, `method`, `persona`, `status`, `query`, `body`, `answer`, …"""

    def __init__(self, world: World) -> None:
        self._world = world

    def find(self, **match: Any) -> list[dict[str, Any]]:
        """Finds requests, newest first."""
        return self._world.control("POST", "/mock/requests/find", match)

    def wait(self, *, count: int = 1, timeout: float = 5, **match: Any) -> list[dict[str, Any]]:
        """Waits until so many matching requests were made, and returns them. Code: `nothing_came`."""
        body = {**match, "count": count, "timeout_ms": int(timeout * 1000)}
        return self._world.control("POST", "/mock/requests/wait", body, timeout=timeout + 30)

    def verify(self, **match: Any) -> int:
        """Asserts that a request was made: `count` times, or between `at_least` and `at_most`. Returns how often.

        Raises RequestFailed with the code `not_verified`; its message lists the closest requests and how they differ.
        """
        return self._world.control("POST", "/mock/requests/verify", match)["count"]


@contextlib.contextmanager
def open_worlds(server: Server | str | None = None) -> Iterator[Callable[..., World]]:
    """Yields a function that creates worlds, and closes them at the end. Fixtures of pytest and other runners are made of it.

    The function takes the options of `World.create`. At the end it raises ContractBroken if a world broke the contract, except those
    that were created with `violations="allowed"`, for tests that send wrong requests on purpose.
    """
    with contextlib.ExitStack() as stack:
        checked: list[World] = []
        opened: list[World] = []

        def create(scenario: str | None = None, *, violations: Literal["forbidden", "allowed"] = "forbidden", **options: Any) -> World:
            world = stack.enter_context(World.create(scenario, server=server, **options))
            opened.append(world)
            if violations == "forbidden":
                checked.append(world)
            return world

        yield create
        for world in opened:
            for fault in world.faults.unused() if world.is_open else []:
                warnings.warn(f"a fault had no effect. {fault['words']}: {'; '.join(fault['notes'])}", stacklevel=2)
        for world in checked:
            if world.is_open:
                world.check_contract()
