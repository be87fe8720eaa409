import { createHash } from "node:crypto";
import { parseUrl } from "@tessera/x402/url";
import type { Hex } from "viem";
import { agentErrors } from "@/lib/agents/errors";
import { createOwned, getOwned } from "@/lib/agents/service";
import { confirmed, type Use, unsigned } from "@/lib/confirmations/service";
import { type AgentId, type AppId, type ConnectionId, newId, PREFIX } from "@/lib/core/ids";
import { addSeconds } from "@/lib/core/time";
import { limit } from "@/lib/http/limit";
import type { Agent, Ctx, Owner, System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { record } from "@/lib/platform/events";
import { createSend } from "@/lib/platform/outbound";
import { oauthErrors } from "./errors";
import {
  type AppMetadata,
  type AuthorizationRequest,
  CODE_SECONDS,
  describeReturn,
  isDocumentUrl,
  isRegistered,
  type MetadataProblem,
  type RequestProblem,
  readDocument,
  readMetadata,
  readRequest,
  returnUrl,
  UNUSED_APP_SECONDS,
} from "./rules";
import * as store from "./store";

export type { App } from "./store";

/** Codes and tokens have 142 random bits, so a fast hash is enough. */
export const hashOf = (secret: string): string => createHash("sha256").update(secret).digest("hex");

/** Registers an app by its metadata (RFC 7591). It can do nothing until an owner connects it. */
export async function registerApp(system: System, metadata: unknown): Promise<store.App | MetadataProblem> {
  const app = readMetadata(metadata);
  if (typeof app === "string") return app;
  const row = { ...app, id: newId("app"), createdAt: system.now(), connectedAt: null };
  await store.addApp(system.db, row);
  return row;
}

/** What an owner decides about: an app that asks to act as one of their agents. */
export type Ask = {
  request: AuthorizationRequest;
  /** The name that the app gave itself. */
  appName: string;
  /** The host of the app's metadata document, which answered there; null for an app that only registered. */
  host: string | null;
  returnsTo: string;
};

/**
 * Reads the query of an authorization request. Throws app_request_refused, app_not_known, rate_limited. Its redirect URI is the app's
 * once this returns; before, nobody may be sent there.
 */
export async function readAsk(ctx: Ctx<Owner>, query: unknown): Promise<Ask> {
  const request = readRequest(query, ctx.config.baseUrl);
  if (isProblem(request)) throw oauthErrors.app_request_refused({ field: request.parameter });
  const { clientId, redirectUri } = request;
  const isDocument = isDocumentUrl(clientId);
  const app = isDocument ? await fetchApp(ctx, clientId) : await store.findApp(ctx.db, clientId as AppId);
  if (!app) throw oauthErrors.app_not_known();
  if (!isRegistered(redirectUri, app.redirectUris)) throw oauthErrors.app_request_refused({ field: "redirect_uri" });
  const host = isDocument ? new URL(clientId).host : null;
  return { request, appName: app.name, host, returnsTo: describeReturn(redirectUri) };
}

const isProblem = (request: AuthorizationRequest | RequestProblem): request is RequestProblem => "parameter" in request;

const DOCUMENT_MS_MAX = 5_000;
const DOCUMENT_BYTES_MAX = 16_384;

/** The app whose metadata document is at this URL, or null. The owner's turn is taken, because the URL is a stranger's. */
async function fetchApp(ctx: Ctx<Owner>, clientId: string): Promise<AppMetadata | null> {
  const url = parseUrl(clientId);
  const isDevnet = ctx.config.mode === "devnet";
  if (url?.href !== clientId || url.hash !== "" || url.username !== "" || url.pathname === "/") return null;
  if (url.protocol !== "https:" && !isDevnet) return null;
  await limit(ctx, "app_document_per_owner", ctx.actor.ownerId);
  const send = createSend({
    allowsLoopback: isDevnet,
    totalMsMax: DOCUMENT_MS_MAX,
    replyBytesMax: DOCUMENT_BYTES_MAX,
  });
  const reply = await send(url, { method: "GET", headers: { accept: "application/json", "user-agent": "Tessera" } });
  if (!reply.isAnswered || reply.status !== 200 || reply.end !== "whole") return null;
  const app = readDocument(clientId, parsed(reply.bytes.toString("utf8")));
  return typeof app === "string" ? null : app;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not a metadata document.
    return null;
  }
}

/** An agent of the owner, or the name of one to create. */
export type Choice = { agentId: AgentId; signature: Hex | undefined } | { newAgentName: string };

const CONNECTIONS_MAX = 100;

/**
 * Lets the app act as an agent, and returns the URL that takes the browser back to the app with a code. For an agent that exists the
 * owner's wallet signs, because whoever acts as it can spend what its mandates allow. Throws the errors of `readAsk`,
 * too_many_connections, agent_not_found, nothing_signed_yet, signature_required, rate_limited.
 */
export async function connect(ctx: Ctx<Owner>, query: unknown, choice: Choice): Promise<string> {
  await limit(ctx, "connection_per_owner", ctx.actor.ownerId);
  const ask = await readAsk(ctx, query);
  if ((await store.countOpen(ctx.db, ctx.actor.ownerId)) >= CONNECTIONS_MAX) throw oauthErrors.too_many_connections();
  if ("newAgentName" in choice) {
    const { owned } = await createOwned(ctx, choice.newAgentName);
    return open(ctx, ask, owned.agent.id, unsigned);
  }
  const { agent } = await getOwned(ctx, choice.agentId);
  if (agent.boundAt === null) throw agentErrors.nothing_signed_yet();
  const action = {
    type: "AppConnection" as const,
    agent: agent.name,
    agentId: agent.id,
    app: ask.appName,
    returnsTo: ask.returnsTo,
    contents: `${ask.request.clientId} ${ask.request.redirectUri}`,
  };
  return confirmed(ctx, action, choice.signature, (use) => open(ctx, ask, agent.id, use));
}

async function open(ctx: Ctx<Owner>, ask: Ask, agentId: AgentId, use: Use): Promise<string> {
  const { request, appName, returnsTo } = ask;
  const { clientId, codeChallenge, redirectUri } = request;
  const { ownerId } = ctx.actor;
  const time = ctx.now();
  const id = newId("connection");
  const code = newId("authorizationCode");
  await ctx.db.transaction(async (tx) => {
    await use(tx);
    await store.addConnection(tx, { id, clientId, appName, returnsTo, agentId, ownerId, createdAt: time });
    const expiresAt = addSeconds(time, CODE_SECONDS);
    const row = { hash: hashOf(code), connectionId: id, createdAt: time, expiresAt, codeChallenge, redirectUri };
    await store.addTokens(tx, [{ ...row, kind: "code" }]);
    if (!isDocumentUrl(clientId)) await store.noteConnected(tx, clientId as AppId, time);
    await record(tx, time, {
      type: "agent.app_connected",
      subject: id,
      agentId,
      ownerId,
      meta: { app: appName, returnsTo },
    });
  });
  return returnUrl(request, { code }, ctx.config.baseUrl);
}

/** Where "Cancel" takes the owner: back to the app, which learns that nothing was allowed. */
export const denialUrl = ({ request }: Ask, baseUrl: string): string =>
  returnUrl(request, { error: "access_denied" }, baseUrl);

export type OpenConnection = Awaited<ReturnType<typeof store.listOpen>>[number];

/** The owner's open connections, newest first. */
export const listConnections = (ctx: Ctx<Owner>): Promise<OpenConnection[]> =>
  store.listOpen(ctx.db, ctx.actor.ownerId);

/** Ends a connection at once: none of its tokens works any more. Throws connection_not_found. */
export async function endConnection(ctx: Ctx<Owner>, id: ConnectionId): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (!(await endIn(tx, id, ctx.now(), "owner", ctx.actor.ownerId))) throw oauthErrors.connection_not_found();
  });
}

export type EndedBy = "owner" | "app" | "replay" | "expiry";

/** Ends a connection and records by whom; false if it is not open, or not this owner's. */
export async function endIn(
  tx: Tx,
  id: ConnectionId,
  time: Date,
  by: EndedBy,
  ownerId?: Owner["ownerId"],
): Promise<boolean> {
  const ended = await store.end(tx, id, time, ownerId);
  if (!ended) return false;
  const { agentId, appName } = ended;
  const meta = { app: appName, by };
  await record(tx, time, { type: "agent.app_disconnected", subject: id, agentId, ownerId: ended.ownerId, meta });
  return true;
}

const ACCESS_TOKEN = new RegExp(`^${PREFIX.accessToken}[0-9A-Za-z]{1,100}$`);

/** Whether a bearer token has the form of an app's access token. */
export const isAccessToken = (bearer: string): boolean => ACCESS_TOKEN.test(bearer);

/** The agent that an app may act as; null when the token has expired or its connection has ended. */
export async function logInByApp(system: System, token: string): Promise<Agent | null> {
  const time = system.now();
  const access = await store.findAccess(system.db, hashOf(token), time);
  if (!access) return null;
  await store.noteUse(system.db, access.connection, time);
  const { id: agentId, ownerId, paymentScan } = access.agent;
  return { type: "agent", agentId, ownerId, paymentScan };
}

/**
 * Deletes up to `limit` expired codes and tokens, and apps that nobody connected; ends the connections that lost their last token. Returns
 * the larger number.
 */
export async function forgetOld(system: System, limit: number): Promise<number> {
  const time = system.now();
  const tokens = await system.db.transaction(async (tx) => {
    const { count, unusable } = await store.forgetTokens(tx, time, limit);
    for (const id of unusable) await endIn(tx, id, time, "expiry");
    return count;
  });
  const apps = await store.forgetApps(system.db, addSeconds(time, -UNUSED_APP_SECONDS), limit);
  return Math.max(tokens, apps);
}
