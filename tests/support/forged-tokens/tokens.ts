import { CLAIMS, CREDENTIAL_CLAIMS, LOGIN_CLAIMS } from "./claims";
import { FORMS } from "./forms";
import { type TokenParts, withClaims, withHeader } from "./parts";
import { now, type Row } from "./row";

export type HostileToken = {
  name: string;
  token: string;
  /** Has a valid signature and a header with typ agent-vc, so login endpoints answer wrong_token_type. */
  isCredential: boolean;
};

/** Variants of a valid login JWT that an insider could create and that must be rejected. */
export const hostileLogins = (m: TokenParts): HostileToken[] => [
  ...toTokens("login", [...FORMS, ...CLAIMS, ...LOGIN_CLAIMS, ...RECEIPT_TYPES], m, false),
  ...toTokens("login", [["its claims under typ agent-vc", withHeader({ typ: "agent-vc" })]], m, true),
];

/** Variants of a valid credential that an insider could create and that must be rejected. */
export const hostileCredentials = (m: TokenParts): HostileToken[] => [
  ...toTokens(
    "credential",
    [...FORMS, ["its claims under typ JWT", withHeader({ typ: "JWT" })], ...RECEIPT_TYPES],
    m,
    false,
  ),
  ...toTokens("credential", [...CLAIMS, ...CREDENTIAL_CLAIMS], m, true),
];

/** A receipt of the service and variants that an insider could create. They pay for nothing and are no login. */
export const hostileReceipts = (m: TokenParts): HostileToken[] => [
  ...toTokens(
    "receipt",
    [
      ["a good one", (good) => good.token],
      ["its claims under typ JWT", withHeader({ typ: "JWT" })],
      ["with its subject as an agent", withClaims({ agent_id: m.claims.sub, exp: now() + 600 })],
    ],
    m,
    false,
  ),
  ...toTokens("receipt", [["its claims under typ agent-vc", withHeader({ typ: "agent-vc" })]], m, true),
];

const RECEIPT_TYPES: readonly Row[] = ["receipt+jwt", "RECEIPT+JWT", "application/receipt+jwt"].map((typ) => [
  `its claims under typ ${typ}`,
  withHeader({ typ }),
]);

const toTokens = (kind: string, rows: readonly Row[], m: TokenParts, isCredential: boolean): HostileToken[] =>
  rows.map(([name, forge]) => ({ name: `${kind}: ${name}`, token: forge(m), isCredential }));
