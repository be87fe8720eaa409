"""Verifies agent credentials in your own service. Needs PyJWT 2.6 or later, with cryptography.

Create one verifier at startup and keep it: it caches the published keys, and fetches them again when a credential
names an unknown key, at most every 30 seconds.

    verifier = CredentialVerifier(
        service="https://tessera.example",
        audience="https://api.example.com",
        use_challenge=lambda challenge: redis.delete(f"challenge:{challenge}") == 1,
    )
    agent_id = verifier.verify(vc, the_challenge_you_gave_this_visitor)["sub"]

Raises CredentialRefused for an invalid credential: answer 401. Any other exception means that the keys could not be
fetched and says nothing about the credential: answer 503.
"""

import json
import time

import jwt

COOL_DOWN_SECONDS = 30


class CredentialRefused(Exception):
    """The credential is invalid; rules has every rule that it breaks."""

    def __init__(self, *rules):
        super().__init__("the credential breaks: " + ", ".join(rules))
        self.rules = list(rules)


class CredentialVerifier:
    def __init__(self, service, audience, use_challenge):
        """use_challenge marks one of your challenges as used, atomically: True the first time, False afterwards."""
        # PyJWT 2.8 and later also take timeout=5; older versions wait for the keys without a limit.
        self._client = jwt.PyJWKClient(service.rstrip("/") + "/.well-known/jwks.json", lifespan=300)
        self._audience = audience
        self._use_challenge = use_challenge
        self._refreshed_at = float("-inf")
        self._failure = None

    def verify(self, vc, challenge):
        """Returns the claims of a valid credential; "sub" is the agent's id."""
        header, claims = self._read_signed(vc)
        exp = claims.get("exp")
        kept = {
            "type": header.get("typ") == "agent-vc",
            "issuer": claims.get("iss") == "service-agent-did",
            # False for a list: a credential has one audience.
            "audience": claims.get("aud") == self._audience,
            "lifetime": isinstance(exp, (int, float)) and time.time() < exp,
            "challenge": claims.get("challenge") == challenge,
        }
        broken = [rule for rule, is_kept in kept.items() if not is_kept]
        if broken:
            raise CredentialRefused(*broken)
        # Last, so that only a valid credential can use up its challenge.
        if not self._use_challenge(challenge):
            raise CredentialRefused("single-use")
        return claims

    def _read_signed(self, vc):
        try:
            kid = jwt.get_unverified_header(vc).get("kid")
        except (jwt.InvalidTokenError, ValueError, RecursionError):
            raise CredentialRefused("signature") from None
        key = self._key_named(kid)
        if key is None:
            raise CredentialRefused("signature")
        try:
            signed = jwt.PyJWS().decode_complete(vc, key, algorithms=["RS256"])
            claims = json.loads(signed["payload"])
        except (jwt.InvalidTokenError, ValueError, RecursionError):
            raise CredentialRefused("signature") from None
        if not isinstance(claims, dict):
            raise CredentialRefused("signature")
        return signed["header"], claims

    def _key_named(self, kid):
        key = self._find(kid, self._client.get_signing_keys())
        if key is not None:
            return key
        now = time.monotonic()
        # PyJWKClient alone would fetch the keys for every unknown kid, so a stranger could cause any number of requests.
        if now - self._refreshed_at >= COOL_DOWN_SECONDS:
            self._refreshed_at = now
            try:
                keys = self._client.get_signing_keys(refresh=True)
                self._failure = None
            except Exception as failure:
                self._failure = failure
                raise
            return self._find(kid, keys)
        # The last fetch failed, so the key may exist: this says nothing about the credential.
        if self._failure is not None:
            raise self._failure
        return None

    @staticmethod
    def _find(kid, keys):
        return next((key.key for key in keys if key.key_id == kid), None)
