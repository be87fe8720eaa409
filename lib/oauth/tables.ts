import { index, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { agents } from "@/lib/agents/tables";
import type { AgentId, AppId, ConnectionId, OwnerId } from "@/lib/core/ids";
import { owners } from "@/lib/owners/tables";
import { moment } from "@/lib/platform/columns";

/** Apps that registered themselves (RFC 7591). Anybody can; an app that no owner connects is deleted after a month. */
export const oauthApps = pgTable(
  "oauth_apps",
  {
    id: text("id").$type<AppId>().primaryKey(),
    name: text("name").notNull(),
    redirectUris: jsonb("redirect_uris").$type<readonly string[]>().notNull(),
    createdAt: moment("created_at").notNull(),
    /** When an owner last connected it; null until then. */
    connectedAt: moment("connected_at"),
  },
  (t) => [index("oauth_apps_created").on(t.createdAt)],
);

/** An app that may act as an agent on /mcp, until the owner or the app ends it. */
export const oauthConnections = pgTable(
  "oauth_connections",
  {
    id: text("id").$type<ConnectionId>().primaryKey(),
    /** `app_…`, or the URL of the app's metadata document. */
    clientId: text("client_id").notNull(),
    /** What the app called itself. Nobody checked it. */
    appName: text("app_name").notNull(),
    /** Where the owner's browser was sent with the code: a host, or the scheme of a program. */
    returnsTo: text("returns_to").notNull(),
    agentId: uuid("agent_id")
      .$type<AgentId>()
      .notNull()
      .references(() => agents.id),
    ownerId: text("owner_id")
      .$type<OwnerId>()
      .notNull()
      .references(() => owners.id),
    createdAt: moment("created_at").notNull(),
    /** Accurate to a minute. */
    usedAt: moment("used_at"),
    endedAt: moment("ended_at"),
  },
  (t) => [index("oauth_connections_owner").on(t.ownerId, t.createdAt)],
);

export type TokenKind = "code" | "access" | "refresh";

/** Codes and tokens of connections, by the SHA-256 of their text. */
export const oauthTokens = pgTable(
  "oauth_tokens",
  {
    hash: text("hash").primaryKey(),
    kind: text("kind").$type<TokenKind>().notNull(),
    connectionId: text("connection_id")
      .$type<ConnectionId>()
      .notNull()
      .references(() => oauthConnections.id),
    createdAt: moment("created_at").notNull(),
    expiresAt: moment("expires_at").notNull(),
    /** When a code or refresh token was first used. A later use ends the connection (RFC 9700, section 4.14.2). */
    usedAt: moment("used_at"),
    /** Of codes: the S256 challenge (RFC 7636) and the redirect URI of the request. */
    codeChallenge: text("code_challenge"),
    redirectUri: text("redirect_uri"),
  },
  (t) => [index("oauth_tokens_connection").on(t.connectionId), index("oauth_tokens_expires").on(t.expiresAt)],
);
