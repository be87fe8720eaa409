"""Verifies that a webhook is from the service, according to Standard Webhooks 1.0.0. Needs only Python 3.8 or later.

    event = verify_webhook(secret, request.headers, request.get_data())
    event["type"], event["data"]

Raises WebhookRefused if the message is not authentic: answer 400.
"""

import base64
import hashlib
import hmac
import json
import time

TOLERANCE_SECONDS = 300


class WebhookRefused(Exception):
    """The message is not authentic."""


def verify_webhook(secret, headers, body, now=None):
    """body: the received bytes, unparsed. headers: a mapping with lower-case names."""
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
    # There are two signatures while the secret is being rotated: one valid signature is enough.
    if not any(hmac.compare_digest(expected, given.encode()) for given in signatures.split(" ")):
        raise WebhookRefused("the signature is not the service's")
    return json.loads(body)
