import { setBounded } from "@/lib/core/bounded";
import { type Reply, reply } from "@/lib/core/endpoint";
import { signingKid, signOffer } from "@/lib/identity/service";
import type { Ctx, System } from "@/lib/platform/context";
import type { Db } from "@/lib/platform/db";
import { isDeploymentRefusal } from "@/lib/settlements/deployment";
import type { AcceptedPayment, PaymentRequiredBody } from "@/lib/settlements/responses";
import { encodeHeader } from "@/lib/x402/header";
import { offerPayload, signedOffer } from "@/lib/x402/offer-receipt";
import {
  extensionsOf,
  paymentRequiredV1,
  paymentRequiredV2,
  type Requirement,
  unpaidError,
  withShortTexts,
} from "@/lib/x402/requirement";
import { newChallenge } from "./challenge";
import { type ProofRefusal, REFUSALS } from "./replies";
import { type BoughtBy, signInExtension } from "./sign-in";

/** These limits bound the cached offers of a process to about 10 MB, and each offer to about 3 KB in the 402's header. */
const OFFERS_MAX = 4_000;
/** With header and body, each has 5 to 15 KB. */
const TERMS_MAX = 1_000;
const RESOURCE_LENGTH_MAX = 512;
/** Concurrent signatures. Logins are signed by the same threads, and anyone can request new offers. */
const SIGNING_MAX = 16;

/** What a 402 says in its header and its body. */
type Terms = { header: string; body: PaymentRequiredBody };
type Memory = { offers: Map<string, string>; signing: Map<string, Promise<string>>; terms: Map<string, Terms> };

/** Per database: one per process except in tests. */
const memories = new WeakMap<Db, Memory>();

function memoryOf({ db }: System): Memory {
  const memory = memories.get(db) ?? { offers: new Map(), signing: new Map(), terms: new Map() };
  memories.set(db, memory);
  return memory;
}

type Required = {
  refusal?: ProofRefusal | undefined;
  others?: readonly AcceptedPayment[] | undefined;
  extensions?: Extensions | undefined;
  /** Present where buyers can sign in to read a purchase again. */
  boughtBy?: BoughtBy | undefined;
};

/**
 * A 402 that clients of x402 v1 (body), x402 v2 (header) and MPP (challenge) can pay. `others` are additional entries of
 * `accepts`, only for clients that request them: stock v1 clients reject the whole response because of one unknown network.
 */
export async function paymentRequired(
  ctx: Ctx,
  requirement: Requirement,
  { refusal, others: extraAccepts = [], extensions: extraExtensions, boughtBy }: Required = {},
): Promise<Reply<402, PaymentRequiredBody>> {
  const error = refusal ? REFUSALS[refusal] : unpaidError(requirement);
  const code = isDeploymentRefusal(refusal) ? "PAYMENT_SIGNATURE_INVALID" : refusal;
  const jws = await offerJws(ctx, requirement);
  const signIn = boughtBy && (await signInExtension(ctx, requirement));
  const extensions: Extensions = { ...(jws !== null && signedOffer(jws)), ...signIn, ...extraExtensions };
  const compose = (): Terms => {
    const { header, left } = fitted(requirement, error, extensions);
    const body = paymentRequiredV1([requirement], error, code);
    const accepts = [...body.accepts, ...extraAccepts];
    return { header, body: { ...body, accepts, ...(left && { extensions: left }) } };
  };
  // A sign-in is new in each 402. Strangers choose the query of a resource.
  const isShared = !signIn && extraAccepts.length === 0 && requirement.resource.length <= RESOURCE_LENGTH_MAX;
  const all = [jws, error, code, extraExtensions, { ...requirement, amount: requirement.amount.toString() }];
  const { header, body } = isShared ? composeOnce(ctx, JSON.stringify(all), compose) : compose();
  const headers = { "PAYMENT-REQUIRED": header, "WWW-Authenticate": await newChallenge(ctx, requirement) };
  return reply(402, body, { headers, isShared });
}

/** `name` has everything that the terms depend on, as the database says it now. */
function composeOnce(system: System, name: string, compose: () => Terms): Terms {
  const { terms } = memoryOf(system);
  const composed = terms.get(name);
  if (composed) return composed;
  const newTerms = compose();
  setBounded(terms, name, newTerms, TERMS_MAX);
  return newTerms;
}

/** Of PAYMENT-REQUIRED. With the challenge and the other headers, a 402 stays below the 8 KB that clients and proxies read. */
const HEADER_CHARACTERS_MAX = 6_500;

/**
 * The header, and the extensions that do not fit it with a long URL, for the body. Texts are cut in the header first: the body has them
 * in full.
 */
function fitted(
  requirement: Requirement,
  error: string,
  extensions: Extensions,
): { header: string; left?: Extensions } {
  const headerOf = (of: Requirement, sent: Extensions) => encodeHeader(paymentRequiredV2([of], error, sent));
  const full = headerOf(requirement, extensions);
  if (full.length <= HEADER_CHARACTERS_MAX) return { header: full };
  const short = withShortTexts(requirement);
  const cut = headerOf(short, extensions);
  if (cut.length <= HEADER_CHARACTERS_MAX) return { header: cut };
  const bare = headerOf(short, {});
  if (bare.length <= HEADER_CHARACTERS_MAX) return { header: bare, left: extensions };
  const { discovery, ...undescribed } = short;
  return { header: headerOf(undescribed, {}), left: { ...extensionsOf(requirement), ...extensions } };
}

/** Extensions of x402 v2 by name, each with its `info` and `schema`. */
export type Extensions = Readonly<Record<string, object>>;

/** The signed offer, or null when it is not available: a buyer can pay a 402 without one. */
async function offerJws(ctx: Ctx, requirement: Requirement): Promise<string | null> {
  if (requirement.resource.length > RESOURCE_LENGTH_MAX) return null;
  try {
    return await cachedOffer(ctx, offerPayload(requirement, ctx.now()));
  } catch (err) {
    ctx.log.error({ resource: requirement.resource, err }, "offer.signing_failed");
    return null;
  }
}

async function cachedOffer(system: System, payload: ReturnType<typeof offerPayload>): Promise<string | null> {
  const { offers, signing } = memoryOf(system);
  // Includes the key id: offers of a revoked key must no longer be sent.
  const name = `${await signingKid(system)} ${JSON.stringify(payload)}`;
  const cachedJws = offers.get(name) ?? signing.get(name);
  if (cachedJws !== undefined) return cachedJws;
  if (signing.size >= SIGNING_MAX) return null;
  const signed = signOffer(system, payload).finally(() => signing.delete(name));
  signing.set(name, signed);
  const jws = await signed;
  setBounded(offers, name, jws, OFFERS_MAX);
  return jws;
}
