"""Verifies that a webhook is from the service, as Standard Webhooks 1.0.0 says. Needs Python 3.8, and nothing else.

    event = verify_webhook(secret, request.headers, request.get_data())
    event["type"], event["data"]

It raises WebhookRefused for a message that is not to be believed: answer 400.
"""

import base64
import hashlib
import hmac
import json
import time

TOLERANCE_SECONDS = 300


class WebhookRefused(Exception):
    """A message that is not to be believed."""


def verify_webhook(secret, headers, body, now=None):
    """body: the bytes that came, before anybody parsed them. headers: a mapping by lower-case name."""
    try:
        message_id = headers["webhook-id"]
        timestamp = headers["webhook-timestamp"]
        signatures = headers["webhook-signature"]
        age = (time.time() if now is None else now) - int(timestamp)
    except (KeyError, ValueError):
        raise WebhookRefused("the message is not signed") from None
    if abs(age) > TOLERANCE_SECONDS:
        raise WebhookRefused("the message is too old, or from the future")
    key = base64.b64decode(secret[len("whsec_") :] if secret.startswith("whsec_") else secret)
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    # There are two signatures while the secret is being rotated: one that is right is enough.
    if not any(hmac.compare_digest(expected, given.encode()) for given in signatures.split(" ")):
        raise WebhookRefused("the signature is not the service's")
    return json.loads(body)
