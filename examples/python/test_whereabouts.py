"""Tests against a mock server, each in a world of its own.

`python3 -m pytest` runs them with the fixtures of conftest.py, `python3 -m unittest` without any package.
"""

from __future__ import annotations

import unittest
from datetime import timedelta

from whereabouts import RequestFailed, open_worlds

REX = 1
MISTY = 2
TRAILER = 17


def raises(call, *args, **options) -> RequestFailed:
    """Returns the error of a call that must be refused."""
    try:
        call(*args, **options)
    except RequestFailed as error:
        return error
    raise AssertionError("the call was not refused")


def test_a_person_signs_in_with_a_password_or_without_the_form(world):
    alice = world.persona("alice")
    session = world.api().post("/api/v1/auth/web_get_token/", {"username": alice["email"], "password": alice["password"]})
    assert world.api(token=session["token"]).get("/users/me/")["first_name"] == "Alice"
    assert len(world.api("alice").get("/devices/", type="tracker")) == 18
    refused = raises(world.api().post, "/api/v1/auth/web_get_token/", {"username": alice["email"], "password": "wrong"})
    assert (refused.status, refused.code) == (401, "invalid_credentials")


def test_a_refused_request_names_the_field_and_the_reason(create_world):
    # This test breaks the contract on purpose; in all others that is a failure.
    world = create_world(violations="allowed")
    refused = raises(world.api("alice").post, "/users/password_reset/", {"email": ""})
    assert (refused.status, refused.code, refused.field) == (400, "validation_error", "email")
    assert refused.reason
    assert raises(world.clock.advance, "soon").field == "by"


def test_a_renewal_is_paid_and_mails_its_receipt(create_world):
    world = create_world("expiring")
    before = world.clock.now()
    leap = world.clock.until("renewal")
    assert any(fired["kind"] == "renewal" for fired in leap["fired"])
    # The provider draws the invoice an hour later.
    world.clock.advance(timedelta(hours=1))
    assert world.clock.now() - before == timedelta(days=1, hours=1)
    receipt = world.mail.wait(world.persona("alice")["email"], subject="Receipt")
    assert receipt["template"] == "receipt"
    assert "/trackers/" in receipt["links"][0]


def test_a_forgotten_password_is_reset_with_the_link_of_a_mail(world):
    email = world.persona("zoe")["email"]
    world.api().post("/users/password_reset/", {"email": email})
    key = world.mail.link_to(email, "password_reset").split("key=")[1]
    world.api().post("/users/password_reset/confirm/", {"key": key, "new_password": "A-new-one-22"})
    assert world.mail.wait(email, template="password_changed")
    world.requests.verify(route="sessions.requestReset", status=200, count=1)


def test_a_declined_card_buys_nothing_and_another_card_pays(world):
    alice = world.api("alice")
    checkout = alice.post("/users/payment_session/", {"items": [{"device": MISTY, "price": "eur-12m-once"}]})
    refused = world.pay.complete(checkout, "declined")
    assert (refused["outcome"], refused["fault"]) == ("refused", "declined")
    assert end_of(alice, MISTY).startswith("2026-03-14")
    assert world.pay.complete(checkout)["outcome"] == "paid"
    assert end_of(alice, MISTY).startswith("2027-03-14")
    assert raises(world.pay.complete, checkout).code == "already_paid"


def end_of(api, device: int) -> str:
    return next(each["sub_end_date"] for each in api.get("/users/subscriptions/") if each["device"] == device)


def test_a_fault_answers_503_once_and_another_one_closes_the_connection(world):
    alice = world.api("alice")
    fault = world.faults.fail("places.list", 503, times=1)
    refused = raises(alice.get, "/tracker_places/")
    assert (refused.status, refused.code) == (503, "unavailable")
    assert len(alice.get("/tracker_places/")) == 6
    assert next(each["happened"] for each in world.faults.all() if each["id"] == fault["id"]) == 1
    world.faults.remove(fault)
    world.faults.disconnect("places.list")
    assert raises(alice.get, "/tracker_places/").status == 0
    world.faults.clear()
    world.faults.answer("/devices/:id/weather/", {"device": "{{params.id}}", "sky": "clear"})
    assert alice.get("/devices/1/weather/") == {"device": "1", "sky": "clear"}


def test_a_reported_position_is_in_the_history_and_alerts_a_friend(world):
    assert world.trackers.position(REX, -34.9055, -56.1913)["accepted"] == 1
    last = world.api("alice").get(f"/devices/{REX}/tracker_data/")["results"][-1]
    assert (last["lat"], last["lng"], last["event"]) == (-34.9055, -56.1913, "place_leave")
    assert "Rex" in world.mail.wait("bob@example.net", template="place_alert")["subject"]


def test_a_device_reports_with_its_key(world):
    rex = world.api("alice").get(f"/devices/{REX}/")
    fix = {"lat": -34.9, "lng": -56.17, "precision": 8, "datetime": world.clock.now()}
    message = {"identifier": rex["identifier"], "battery": 80, "positions": [fix]}
    assert world.trackers.ingest(message)["accepted"] == 1
    assert raises(world.trackers.ingest, message, key="another").code == "invalid_device_key"


def test_staff_work_in_the_console_and_their_deeds_are_logged(world):
    clerk = world.operator("clerk")
    clerk.post("/operator/api/gateways/", {"label": "North"})
    assert world.deed(kind="gateway_made")["subject"] == "North"
    assert raises(clerk.get, "/operator/api/staff/").code == "permission_denied"
    assert raises(world.api("alice").get, "/operator/api/gateways/").status == 401


def test_an_alert_reaches_a_webhook_and_a_receiver_that_is_gone_stops_it(create_world):
    world = create_world(scenario="alarms")
    world.clock.advance("PT4H")
    assert world.hook(kind="webhook", text="place_leave")["json"]["data"]["device"]["name"]
    world.control("PUT", "/mock/hooks/answer", {"status": 410})
    world.clock.advance("P1D")
    assert [each["stopped"]["reason"] for each in world.api("alice").get("/users/channels/")[:1]] == ["gone"]


def test_a_channel_has_chosen_alerts_and_quiet_hours_have_spans(create_world):
    alice = create_world(scenario="alarms").api("alice")
    family = next(each for each in alice.get("/users/channels/") if each["kind"] == "telegram")
    assert (family["devices"], family["kinds"]) == ([REX], ["place_enter", "place_leave"])
    assert alice.patch(f"/users/channels/{family['id']}/", {"devices": None, "kinds": ["low_battery"]})["kinds"] == ["low_battery"]
    assert [span["from"] for span in alice.get("/users/quiet_hours/")["spans"]] == ["23:00", "00:00"]
    nights = {"days": [1, 2, 3, 4, 5, 6, 7], "from": "22:00", "to": "05:00"}
    assert alice.put("/users/quiet_hours/", {"spans": [nights]})["quiet"] == {"from": "22:00", "to": "05:00"}


def test_a_notification_to_a_browser_has_buttons(world):
    keys = {
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    }
    world.api("alice").put("/users/push/", {"endpoint": "https://push.example.net/browser-1", "keys": keys})
    world.trackers.event(REX, "low_battery", 4)
    assert [button["action"] for button in world.push(user="alice@example.com")["buttons"]] == ["show", "snooze"]


def test_a_silenced_alert_fires_and_tells_nobody(world):
    world.silence("alice", hours=1, everyone=True)
    world.trackers.event(REX, "low_battery", 4)
    assert world.firing(persona="alice", kind="low_battery", device=REX)["mails"] == 0


def test_two_trackers_meet_in_the_course_of_the_morning(create_world):
    world = create_world(scenario="alarms")
    world.clock.advance(timedelta(hours=2))
    met = world.firing(persona="alice", kind="together", device=TRAILER)
    assert {met["device_name"], met["other_name"]} == {"Trailer", "Company van"}
    assert met["distance"] <= 200


def test_a_tracker_that_is_not_where_it_usually_is_fires_an_alert(world):
    assert len(world.trackers.learn(REX)["places"]) > 3
    alert = {"devices": [REX], "contacts": [1], "rule": {"kind": "unusual"}}
    world.api("alice").post("/tracker_alerts/", alert)
    world.trackers.drive(REX, ["Zelmar Michelini 1326"])
    world.clock.advance("PT30M")
    assert world.firing(kind="unusual", device=REX)["rule"]["meters"] > 300


def test_two_worlds_do_not_see_each_other(create_world):
    one, other = create_world(), create_world()
    place = {"name": "Depot", "address": "Rambla 1", "type": "work", "radius": 200, "lat": -34.9, "lng": -56.15}
    one.api("alice").post("/tracker_places/", place)
    one.clock.advance("P3D")
    assert [len(each.api("alice").get("/tracker_places/")) for each in (one, other)] == [7, 6]
    assert one.clock.now() - other.clock.now() == timedelta(days=3)
    # A session is valid in its own world only.
    assert raises(other.api(token=one.token("alice")).get, "/users/me/").code == "not_authenticated"
    one.close()
    assert raises(one.clock.now).code == "unknown_world"


def load_tests(loader, tests, pattern):
    """Lets unittest run the functions above, with the same two arguments as pytest."""

    def run(test):
        with open_worlds() as create_world:
            test(create_world if "create_world" in test.__code__.co_varnames[:1] else create_world())

    functions = [test for name, test in globals().items() if name.startswith("test_")]
    return unittest.TestSuite(unittest.FunctionTestCase(lambda test=test: run(test), description=test.__name__) for test in functions)
