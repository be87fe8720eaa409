import OAuth2Server from "@node-oauth/oauth2-server";
import type { AppId, ConnectionId } from "@/lib/core/ids";
import { newId } from "@/lib/core/ids";
import { addSeconds } from "@/lib/core/time";
import type { System } from "@/lib/platform/context";
import { ACCESS_SECONDS, type IssuedTokens, isDocumentUrl, issuedTokens, REFRESH_SECONDS, SCOPE } from "./rules";
import { endIn, hashOf } from "./service";
import * as store from "./store";
import type { TokenKind } from "./tables";

/** A response of the token endpoint (RFC 6749, sections 5.1 and 5.2). */
export type TokenResponse =
  | { type: "issued"; body: IssuedTokens }
  | { type: "refused"; status: 400 | 401; body: { error: string; error_description: string } };

/**
 * Exchanges a code or a refresh token. The library decides what the protocol allows; the model decides what exists. Only errors of
 * the protocol are returned: a database that is down throws.
 */
export async function exchange(system: System, headers: Headers, text: string): Promise<TokenResponse> {
  const request = new OAuth2Server.Request({
    method: "POST",
    // The library looks for a body by its length, which a body that came in chunks does not have.
    headers: { ...Object.fromEntries(headers), "content-length": String(Buffer.byteLength(text)) },
    query: {},
    body: Object.fromEntries(new URLSearchParams(text)),
  });
  const response = new OAuth2Server.Response({});
  const server = new OAuth2Server({ model: modelOf(system) });
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
    return { type: "refused", status: error.code === 401 ? 401 : 400, body };
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

function modelOf(system: System): Model {
  const time = system.now();

  /** A token that can be used once, if it still can. A second use is a theft: it ends the connection for thief and app. */
  async function findOnce(kind: TokenKind, text: string) {
    const found = await store.findToken(system.db, hashOf(text));
    if (found?.token.kind !== kind) return null;
    const { token, connection } = found;
    if (token.usedAt !== null) await endNow(system, connection.id, "replay");
    return token.usedAt === null && connection.endedAt === null && time < token.expiresAt ? found : null;
  }

  async function takeOnce(text: string, id: ConnectionId): Promise<boolean> {
    const isFirst = await store.markUsed(system.db, hashOf(text), time);
    if (!isFirst) await endNow(system, id, "replay");
    return isFirst;
  }

  const clientOf = (id: string): OAuth2Server.Client => ({ id, grants: ["authorization_code", "refresh_token"] });

  return {
    // A code and a refresh token are bound to the client that got them. An app that was deleted has to register again.
    getClient: async (id) =>
      isDocumentUrl(id) || (await store.findApp(system.db, id as AppId)) !== null ? clientOf(id) : null,
    getAuthorizationCode: async (text) => {
      const found = await findOnce("code", text);
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
    revokeAuthorizationCode: ({ authorizationCode, user }) => takeOnce(authorizationCode, user.connectionId),
    getRefreshToken: async (text) => {
      const found = await findOnce("refresh", text);
      return (
        found && {
          refreshToken: text,
          refreshTokenExpiresAt: found.token.expiresAt,
          scope: [SCOPE],
          client: clientOf(found.connection.clientId),
          user: { connectionId: found.connection.id },
        }
      );
    },
    revokeToken: ({ refreshToken, user }) => takeOnce(refreshToken, user.connectionId),
    validateScope: async () => [SCOPE],
    generateAccessToken: async () => newId("accessToken"),
    generateRefreshToken: async () => newId("refreshToken"),
    saveToken: async (token, client, user) => {
      const { accessToken, refreshToken = newId("refreshToken") } = token;
      const connectionId: ConnectionId = user.connectionId;
      const isSaved = await system.db.transaction(async (tx) => {
        if (!(await store.lockOpen(tx, connectionId))) return false;
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
