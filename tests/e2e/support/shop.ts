import { createServer } from "node:http";
import { BASE_URL, call, type Person } from "./api";

const ORIGIN = new URL(BASE_URL).origin;

/** The strictest policy with which a page can have the button and the frame. */
const POLICY = `default-src 'none'; script-src 'self' ${ORIGIN}; frame-src ${ORIGIN}; img-src data:; base-uri 'none'; frame-ancestors 'none'`;

/** Lists what the page hears: messages of frames, and events of buttons. */
const SCRIPT = `
const say = (text) => {
  const item = document.createElement("li");
  item.textContent = text;
  document.querySelector("ol").append(item);
};
addEventListener("message", ({ origin, data }) => {
  if (origin === ${JSON.stringify(ORIGIN)} && data.source === "tessera") say(["message", data.type, data.status, data.linkId, data.settlementId].join(" "));
});
addEventListener("tessera:payment", ({ detail, target }) => say(["event", target.localName, detail.status, detail.linkId, detail.settlementId].join(" ")));
`;

/** A seller's own site on this machine. Its page has the HTML of `show`. */
export type Shop = {
  origin: string;
  host: string;
  /** The same pages at an origin that nobody has verified. */
  otherOrigin: string;
  show: (html: string) => void;
  verify: (owner: Person) => Promise<void>;
  close: () => void;
};

export async function openShop(): Promise<Shop> {
  let body = "";
  let proof = "";
  const server = createServer(({ url }, res) => {
    if (url === "/.well-known/tessera-verification.txt") return res.end(proof);
    if (url === "/shop.js") return res.setHeader("Content-Type", "text/javascript").end(SCRIPT);
    if (url !== "/") return res.writeHead(404).end();
    res.setHeader("Content-Type", "text/html; charset=utf-8").setHeader("Content-Security-Policy", POLICY);
    return res.end(
      `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,"><title>Shop</title><main><h1>Shop</h1>${body}<ol aria-label="News"></ol></main><script src="/shop.js"></script></html>`,
    );
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : "";
  const host = `localhost:${port}`;
  return {
    origin: `http://${host}`,
    host,
    otherOrigin: `http://127.0.0.1:${port}`,
    show: (html) => {
      body = html;
    },
    verify: async ({ cookie }) => {
      type Added = { domain: { domainId: string; proof: string } };
      const { domain } = await call<Added>("POST", "/api/seller/domains", { cookie, json: { domain: host } });
      ({ proof } = domain);
      await call("POST", `/api/seller/domains/${domain.domainId}/verify`, { cookie });
    },
    close: () => void server.close(),
  };
}
