import { decodeJwt, decodeProtectedHeader } from "jose";
import { CredentialRefused, credentialVerifier, type Rule } from "@/docs/verifiers/verify-vc";

/** "unreached": not checked, because the signature is invalid and the text proves nothing. */
export type Outcome = "passed" | "failed" | "unchecked" | "unreached";
export type Check = { rule: Rule; outcome: Outcome };
export type Claims = Record<string, unknown>;
export type Expected = { audience: string; challenge: string };
export type Examination =
  | { state: "judged"; checks: Check[]; expected: Expected; header: unknown; claims: Claims }
  | { state: "login" | "unreadable" | "unreachable" };

/**
 * Verifies a pasted credential against our published keys, with the same verifier that the page offers for copying. Only the request for
 * the keys leaves the browser. An empty expectation is not checked.
 */
export async function examine(text: string, expected: Expected): Promise<Examination> {
  const vc = text.trim();
  const decoded = decode(vc);
  if (!decoded) return { state: "unreadable" };
  if (isLogin(decoded)) return { state: "login" };
  const broken = await brokenRules(vc, decoded.claims, expected);
  if (!broken) return { state: "unreachable" };
  const checks = RULES.map((rule) => ({ rule, outcome: outcomeOf(rule, broken, expected) }));
  return { state: "judged", checks, expected, ...decoded };
}

const RULES = [
  "signature",
  "type",
  "issuer",
  "audience",
  "lifetime",
  "challenge",
  "single-use",
] as const satisfies readonly Rule[];

/** The rules that `vc` fails, or null when the keys could not be read. */
async function brokenRules(vc: string, claims: Claims, expected: Expected): Promise<readonly Rule[] | null> {
  const verify = credentialVerifier({
    service: window.location.origin,
    audience: expected.audience || toText(claims.aud),
    useChallenge: async () => true,
  });
  try {
    await verify(vc, expected.challenge || toText(claims.challenge));
    return [];
  } catch (error) {
    return error instanceof CredentialRefused ? error.rules : null;
  }
}

/** The verifier cannot skip a rule: without an expected value, pass the credential's own value. */
const toText = (claim: unknown): string => (typeof claim === "string" ? claim : "");

function outcomeOf(rule: Rule, broken: readonly Rule[], expected: Expected): Outcome {
  if (broken.includes(rule)) return "failed";
  // Only the service that issues challenges knows which were used.
  if (rule === "single-use") return "unchecked";
  if (broken.includes("signature")) return "unreached";
  const isLeftOut = (rule === "audience" && !expected.audience) || (rule === "challenge" && !expected.challenge);
  return isLeftOut ? "unchecked" : "passed";
}

function decode(vc: string) {
  try {
    const decoded = { header: decodeProtectedHeader(vc), claims: decodeJwt<Claims>(vc) };
    // JSON nested too deeply to serialise could not be shown either.
    JSON.stringify(decoded, null, 2);
    return decoded;
  } catch {
    return null;
  }
}

const isLogin = ({ header, claims }: { header: { typ?: unknown }; claims: Claims }): boolean =>
  typeof header.typ === "string" && header.typ.toUpperCase() === "JWT" && claims.iss === "service-agent-did";
