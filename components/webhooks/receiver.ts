/** A complete receiver, which answers the challenge and prints events. Its test runs it. */
export const RECEIVER = `// receiver.mjs: WEBHOOK_SECRET=whsec_… node receiver.mjs
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const { WEBHOOK_SECRET = "", PORT = "8000" } = process.env;
const key = Buffer.from(WEBHOOK_SECRET.replace("whsec_", ""), "base64");

function isSigned(headers, body) {
  const time = headers["webhook-timestamp"];
  if (!(Math.abs(Date.now() / 1000 - time) < 300)) return false;
  const expected = createHmac("sha256", key).update(\`\${headers["webhook-id"]}.\${time}.\${body}\`).digest();
  return String(headers["webhook-signature"]).split(" ").some((signature) => {
    const given = Buffer.from(signature.slice(3), "base64");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

createServer(async (req, res) => {
  let body = "";
  for await (const part of req.setEncoding("utf8")) body += part;
  if (!isSigned(req.headers, body)) return res.writeHead(400).end();
  const { type, data } = JSON.parse(body);
  if (type === "webhook.verification") return res.end(data.challenge);
  // A message can arrive more than once, with the same webhook-id.
  console.log(req.headers["webhook-id"], type, data);
  res.writeHead(204).end();
}).listen(Number(PORT));
`;
