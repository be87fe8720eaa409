import { fieldsIn } from "../../x402/src/json.ts";
import { errorOf, exchange, type Fetch, jsonOf, repeated } from "./transport.ts";

export type Account = { baseUrl: string; agentId: string; token: string };

const EARLY_SECONDS = 60;
const SECONDS = 30;
const BYTES_MAX = 65_536;

/** `expiresAtMs`: when a new login is needed. */
type Login = { jwt: string; expiresAtMs: number };

/** The login of an agent. Refreshes the JWT before it expires; concurrent callers share one refresh. */
export class Session {
  #login: Login | undefined;
  #refresh: Promise<Login> | undefined;
  #token: string;

  constructor(
    readonly send: Fetch,
    readonly account: Omit<Account, "token">,
    token: string,
  ) {
    this.#token = token;
  }

  /** Returns a JWT that is valid for at least a minute and is not `rejectedJwt`, which the service refused with 401. */
  async jwt(rejectedJwt?: string): Promise<string> {
    const login = this.#login;
    if (login && login.jwt !== rejectedJwt && Date.now() < login.expiresAtMs) return login.jwt;
    this.#refresh ??= this.#send().finally(() => {
      this.#refresh = undefined;
    });
    return (await this.#refresh).jwt;
  }

  /** Sends a request with the login; after a 401, once more with a new login. `init.body` must not be a stream. */
  async fetch(url: string, init: RequestInit): Promise<Response> {
    const send = (jwt: string) => {
      const headers = new Headers(init.headers);
      headers.set("Authorization", `Bearer ${jwt}`);
      return this.send(url, { ...init, headers, redirect: "manual" });
    };
    const jwt = await this.jwt();
    const res = await send(jwt);
    return res.status === 401 ? send(await this.jwt(jwt)) : res;
  }

  replace(token: string, jwt: string): void {
    this.#token = token;
    this.#login = loginOf(jwt);
  }

  get token(): string {
    return this.#token;
  }

  async #send(): Promise<Login> {
    const { baseUrl, agentId } = this.account;
    const body = JSON.stringify({ agent_id: agentId, token: this.#token });
    const init = { method: "POST", headers: { "Content-Type": "application/json" }, body };
    const limits = { seconds: SECONDS, maxBytes: BYTES_MAX };
    // Takes no caller's signal: concurrent callers wait for the same refresh.
    const reply = await repeated(() => exchange(this.send, `${baseUrl}/refresh`, init, limits));
    const { jwt } = jsonOf(reply);
    if (reply.status !== 200 || typeof jwt !== "string") throw errorOf(reply);
    this.#login = loginOf(jwt);
    return this.#login;
  }
}

/** Counts the lifetime (`exp` - `iat`) from now: the clock of this machine may differ from the service's. */
function loginOf(jwt: string): Login {
  const payload = jwt.split(".")[1] ?? "";
  let claims: Record<string, unknown> = {};
  try {
    claims = fieldsIn(atob(payload.replace(/-/g, "+").replace(/_/g, "/")));
  } catch {
    // Not base64: its lifetime counts as 0, so the next request refreshes it.
  }
  const seconds = Number(claims.exp) - Number(claims.iat) - EARLY_SECONDS;
  return { jwt, expiresAtMs: Date.now() + (seconds > 0 ? seconds * 1000 : 0) };
}
