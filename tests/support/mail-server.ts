import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

export type ReceivedMail = { to: string[]; headers: Map<string, string>; text: string };

export type MailServer = {
  url: string;
  got: ReceivedMail[];
  /** The reply to further mails: a code of SMTP, or null for taking them. "silence" ends the connection instead. */
  answer: (reply: number | "silence" | null) => void;
  close: () => Promise<void>;
};

/** A mail server that keeps what it receives. */
export async function startMailServer(): Promise<MailServer> {
  const got: ReceivedMail[] = [];
  let reply: number | "silence" | null = null;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        if (reply === "silence") {
          for (const connection of server.connections) connection.close();
          return;
        }
        if (reply !== null) return done(Object.assign(new Error("no"), { responseCode: reply }));
        got.push(
          parse(
            Buffer.concat(chunks).toString(),
            session.envelope.rcptTo.map(({ address }) => address),
          ),
        );
        done();
      });
    },
  });
  server.on("error", () => {});
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    got,
    answer: (next) => {
      reply = next;
    },
    close: () => new Promise((closed) => server.close(closed)),
  };
}

function parse(message: string, to: string[]): ReceivedMail {
  const position = message.indexOf("\r\n\r\n");
  const lines = message
    .slice(0, position)
    .replace(/\r\n[ \t]+/g, " ")
    .split("\r\n");
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 2)]),
  );
  const isQuoted = headers.get("content-transfer-encoding") === "quoted-printable";
  const body = message.slice(position + 4).replaceAll("\r\n", "\n");
  return { to, headers, text: isQuoted ? unquoted(body) : body };
}

const unquoted = (text: string): string =>
  Buffer.from(
    text
      .replace(/=\n/g, "")
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  ).toString();
