import OAuth2Server from "@node-oauth/oauth2-server";
import type { AppId, ConnectionId, OwnerId } from "@/lib/core/ids";
import { newId } from "@/lib/core/ids";
import { addSeconds } from "@/lib/core/time";
import { edgeErrors } from "@/lib/http/errors";
import { limit } from "@/lib/http/limit";
import type { Anonymous, Ctx, System } from "@/lib/platform/context";
import { takeStorage } from "@/lib/platform/storage";
import {
  ACCESS_SECONDS,
  type IssuedTokens,
  isDocumentUrl,
  issuedTokens,
  REFRESH_AGAIN_SECONDS,
  REFRESH_SECONDS,
  SCOPE,
} from "./rules";
import { endIn, hashOf } from "./service";
import * as store from "./store";
import type { TokenKind } from "./tables";

/** A response of the token endpoint (RFC 6749, sections 5.1 and 5.2). */
export type TokenResponse =
  | { type: "issued"; body: IssuedTokens }
  | { type: "refused"; status: 400; body: ProtocolError }
  /** The client sent an Authorization header that does not name a client. */
  | { type: "refused"; status: 401; body: ProtocolError; challenge: string };

type ProtocolError = { error: string; error_description: string };

/** Whether an owner has moved money. */
type IsPaying = (system: System, ownerId: OwnerId) => Promise<boolean>;

/**
 * Exchanges a code or a refresh token. The library decides what the protocol allows; the model decides what exists. Only errors of
 * the protocol are returned: a database that is down throws. Throws rate_limited: each refresh adds rows that stay for a month.
 */
export async function exchange(
  ctx: Ctx<Anonymous>,
  headers: Headers,
  text: string,
  isPaying: IsPaying,
): Promise<TokenResponse> {
  const { scope: _, ...form } = Object.fromEntries(new URLSearchParams(text));
  const request = new OAuth2Server.Request({
    method: "POST",
    // The library looks for a body by its length, which a body that came in chunks does not have.
    headers: { ...Object.fromEntries(headers), "content-length": String(Buffer.byteLength(text)) },
    query: {},
    // There is one scope. The library would refuse a refresh that names those that the app asked for at first.
    body: form,
  });
  const response = new OAuth2Server.Response({});
  const server = new OAuth2Server({ model: modelOf(ctx, isPaying) });
  try {
    await server.token(request, response, {
      accessTokenLifetime: ACCESS_SECONDS,
      refreshTokenLifetime: REFRESH_SECONDS,
      // Apps run where they cannot keep a secret; the code is bound to one of them by PKCE.
      requireClientAuthentication: { authorization_code: false, refresh_token: false },
    });
  } catch (error) {
    // The library wraps what the model throws.
    if (error instanceof OAuth2Server.ServerError && "inner" in error) throw error.inner;
    if (!(error instanceof OAuth2Server.OAuthError)) throw error;
    const body = { error: error.name, error_description: error.message };
    return error.code === 401
      ? { type: "refused", status: 401, body, challenge: response.get("WWW-Authenticate") ?? "Basic" }
      : { type: "refused", status: 400, body };
  }
  return { type: "issued", body: issuedTokens.parse(response.body) };
}

/** Revokes a token's whole connection (RFC 7009). An unknown token is answered in the same way. */
export async function revoke(system: System, token: string): Promise<void> {
  const found = await store.findToken(system.db, hashOf(token));
  if (found) await endNow(system, found.connection.id, "app");
}

const endNow = (system: System, id: ConnectionId, by: "app" | "replay") =>
  system.db.transaction((tx) => endIn(tx, id, system.now(), by));

type Model = OAuth2Server.AuthorizationCodeModel & OAuth2Server.RefreshTokenModel;

function modelOf(system: Ctx<Anonymous>, isPaying: IsPaying): Model {
  const time = system.now();

  /**
   * A token that was not used, or less than `againSeconds` ago, if it is still valid. A later use is a theft: it ends the connection for
   * thief and app.
   */
  async function findUsable(kind: TokenKind, text: string, againSeconds: number) {
    const found = await store.findToken(system.db, hashOf(text));
    if (found?.token.kind !== kind) return null;
    const { token, connection } = found;
    const isReplay = token.usedAt !== null && time >= addSeconds(token.usedAt, againSeconds);
    if (isReplay) await endNow(system, connection.id, "replay");
    return !isReplay && connection.endedAt === null && time < token.expiresAt ? found : null;
  }

  /** Before its token is used up: the app can repeat a refresh that is refused here. */
  async function assertRoom({ id, agentId, ownerId }: store.Connection): Promise<void> {
    await limit(system, "app_refresh_per_connection", id);
    const retryAfterSeconds = await takeStorage(system, {
      caller: system.caller ?? "unknown",
      actor: { type: "agent", agentId, ownerId, paymentScan: "off" },
      bytes: 0,
      isPaying: () => isPaying(system, ownerId),
    });
    if (retryAfterSeconds !== null) throw edgeErrors.rate_limited({ retryAfterSeconds });
  }

  const clientOf = (id: string): OAuth2Server.Client => ({ id, grants: ["authorization_code", "refresh_token"] });

  return {
    // A code and a refresh token are bound to the client that got them. An app that was deleted has to register again.
    getClient: async (id) =>
      isDocumentUrl(id) || (await store.findApp(system.db, id as AppId)) !== null ? clientOf(id) : null,
    getAuthorizationCode: async (text) => {
      const found = await findUsable("code", text, 0);
      return (
        found && {
          authorizationCode: text,
          expiresAt: found.token.expiresAt,
          redirectUri: found.token.redirectUri ?? "",
          codeChallenge: found.token.codeChallenge ?? "",
          codeChallengeMethod: "S256",
          scope: [SCOPE],
          client: clientOf(found.connection.clientId),
          user: { connectionId: found.connection.id },
        }
      );
    },
    // Before the verifier is compared: nobody can try two.
    revokeAuthorizationCode: async ({ authorizationCode, user }) => {
      const isFirst = await store.markUsed(system.db, hashOf(authorizationCode), time);
      if (!isFirst) await endNow(system, user.connectionId, "replay");
      return isFirst;
    },
    getRefreshToken: async (text) => {
      const found = await findUsable("refresh", text, REFRESH_AGAIN_SECONDS);
      return (
        found && {
          refreshToken: text,
          refreshTokenExpiresAt: found.token.expiresAt,
          scope: [SCOPE],
          client: clientOf(found.connection.clientId),
          user: { connection: found.connection, connectionId: found.connection.id, usedHash: found.token.hash },
        }
      );
    },
    // `saveToken` marks it as used. If that failed in between, the app's next try would pass for a theft.
    revokeToken: async ({ user }) => {
      await assertRoom(user.connection);
      return true;
    },
    validateScope: async () => [SCOPE],
    generateAccessToken: async () => newId("accessToken"),
    generateRefreshToken: async () => newId("refreshToken"),
    saveToken: async (token, client, user) => {
      const { accessToken, refreshToken = newId("refreshToken") } = token;
      const connectionId: ConnectionId = user.connectionId;
      const isSaved = await system.db.transaction(async (tx) => {
        if (!(await store.lockOpen(tx, connectionId))) return false;
        if (user.usedHash !== undefined) await store.markUsed(tx, user.usedHash, time);
        await store.addTokens(tx, [
          {
            hash: hashOf(accessToken),
            kind: "access",
            connectionId,
            createdAt: time,
            expiresAt: addSeconds(time, ACCESS_SECONDS),
          },
          {
            hash: hashOf(refreshToken),
            kind: "refresh",
            connectionId,
            createdAt: time,
            expiresAt: addSeconds(time, REFRESH_SECONDS),
          },
        ]);
        return true;
      });
      if (!isSaved) throw new OAuth2Server.InvalidGrantError("Invalid grant: the connection has ended");
      return { ...token, accessToken, refreshToken, client, user };
    },
    // Only the library's own middleware would use these two; /mcp reads access tokens itself.
    getAccessToken: async () => null,
    saveAuthorizationCode: async () => null,
  };
}
