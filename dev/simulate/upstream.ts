import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Mood = "fails" | "breaks" | "hangs";

/** What the sellers' API does in place of an answer. */
const MOODS: Record<Mood, (res: ServerResponse) => void> = {
  fails: (res: ServerResponse) => void res.writeHead(500).end("failed"),
  breaks: (res: ServerResponse) => {
    res.writeHead(200, { "content-type": "text/plain", "content-length": "100" });
    res.write("half of it", () => res.destroy());
  },
  /** The service waits for `secondsMax` of the link. */
  hangs: () => {},
};

/** A path whose first `times` requests end like this. The others are answered. `name` is used once in a world. */
export const pathOf = (mood: Mood, times: number, name: string): string => `/${mood}/${times}/${name}`;

/** A request that the API got. `at`: the servers' time. `answer`: what it answered; null if it did not. */
export type UpstreamRequest = {
  at: number;
  method: string;
  path: string;
  key: string;
  claims: string;
  answer: string | null;
};

const isMood = (text: string | undefined): text is Mood => text !== undefined && text in MOODS;

/** Time to answer, so that calls overlap. */
const ANSWER_MS = 5;

/** The API of all sellers of a world. It answers everybody, so that requests which nobody has paid for are seen. */
export async function startUpstream(now: () => number) {
  let requests: UpstreamRequest[] = [];
  const asked = new Map<string, number>();
  let answers = 0;
  const server = createServer((req, res) => {
    req.resume();
    const { method = "", url: path = "", headers } = req;
    const request: UpstreamRequest = {
      at: now(),
      method,
      path,
      key: String(headers["idempotency-key"]),
      claims: String(headers["tessera-payment"]),
      answer: null,
    };
    requests.push(request);
    const before = asked.get(path) ?? 0;
    asked.set(path, before + 1);
    const [, mood, times] = path.split("/");
    if (isMood(mood) && before < Number(times)) return MOODS[mood](res);
    setTimeout(() => {
      request.answer = JSON.stringify({ answers: ++answers, path });
      res.writeHead(200, { "content-type": "application/json" }).end(request.answer);
    }, ANSWER_MS);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    /** The requests since the last call. */
    take(): UpstreamRequest[] {
      const taken = requests;
      requests = [];
      return taken;
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
