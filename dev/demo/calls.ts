import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import { z } from "zod";
import type { AgentActor } from "../actors/agents";
import { type Api, expectBody } from "../actors/api";
import type { Transcript } from "./transcript";

const PRICE = 10_000n;
const KEY = "Bearer sk_of_the_vendor_0123456789";

const madeLink = z.object({ paymentLink: z.object({ upstream: z.object({ paidUrl: z.string() }) }) });
const figures = z.object({ figures: z.object({ requests: z.number(), income: z.string() }) });

type Asked = { path: string; key: string | undefined; payment: string };

/** A small API of the vendor, which knows nothing of payments. It fails as often as `failures` says. */
export async function startApi() {
  const asked: Asked[] = [];
  const state = { failures: 0 };
  const server = createServer((req, res) => {
    const { authorization: key, "tessera-payment": payment } = req.headers;
    asked.push({ path: req.url ?? "", key, payment: String(payment) });
    if (state.failures > 0) {
      state.failures -= 1;
      res.writeHead(500).end();
    } else res.writeHead(200, { "content-type": "application/json" }).end('{"price":"3120.50"}');
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://localhost:${port}`, asked, state, close };
}

export type CallParties = { buyer: AgentActor; vendor: AgentActor; mandateId: string };

/** The vendor puts a price on an API, and an agent buys from it, also while it fails. `held` reads the payer's balance from the chain. */
export async function playCalls(
  api: Api,
  say: Transcript,
  { buyer, vendor, mandateId }: CallParties,
  held: () => Promise<bigint>,
): Promise<void> {
  say.heading("The vendor puts a price on an API of its own");
  const small = await startApi();
  try {
    const created = await vendor.call("POST", "/api/payment-links", {
      amount: PRICE.toString(),
      title: "Quotes",
      upstream: { url: small.url, headers: { authorization: KEY }, paths: [{ path: "/quotes/{symbol}" }] },
    });
    const { paidUrl } = expectBody(created, 200, madeLink, "the link").paymentLink.upstream;
    const buy = () => buyer.tessera.pay(`${paidUrl}/quotes/ETH`, {}, { maxAmount: `${PRICE}`, mandateId });

    say.heading("The research agent buys one request, and gets the API's answer");
    const balanceBefore = await held();
    const { response } = await buy();
    say.check("the answer is the API's", await response.json(), { price: "3120.50" });
    say.check("the agent paid the price of one request", balanceBefore - (await held()), PRICE);
    const [call] = small.asked;
    say.check("the API got the vendor's key", [call?.path, call?.key], ["/quotes/ETH", KEY]);
    const keys = await api.call("Vendor's API", "GET", "/.well-known/jwks.json");
    const { payload } = await jwtVerify(call?.payment ?? "", createLocalJWKSet(keys.body as JSONWebKeySet), {
      audience: small.url,
      typ: "paid-request+jwt",
    });
    say.check(
      "and a signed header that names the payment",
      [payload.amount, payload.path],
      [`${PRICE}`, "/quotes/ETH"],
    );

    say.heading("The API fails once. The agent sends the same proof again, and pays once");
    small.state.failures = 1;
    const balanceBetween = await held();
    const second = await buy();
    say.check("the answer came with the second try", await second.response.json(), { price: "3120.50" });
    say.check("the API was asked twice", small.asked.length, 3);
    say.check("one payment moved", balanceBetween - (await held()), PRICE);
    const calls = await vendor.call("GET", `/api/payment-links/${paidUrl.split("/").at(-1)}/calls`);
    const seen = expectBody(calls, 200, figures, "the calls").figures;
    say.check("the vendor sees both requests", [seen.requests, seen.income], [2, `${2n * PRICE}`]);
  } finally {
    small.close();
  }
}
