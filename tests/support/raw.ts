import { connect } from "node:net";

export type RawAnswer = { status: number; headers: Headers; names: string[]; body: string };

/** Sends the bytes unchanged, which an HTTP client would correct, and reads until the server closes the connection. */
export async function rawRequest(baseUrl: string, target: string, lines: readonly string[] = []): Promise<RawAnswer> {
  const { hostname, port, host } = new URL(baseUrl);
  return rawBytes(
    hostname,
    Number(port),
    `GET ${target} HTTP/1.1\r\n${["Host: ", "Connection: close"]
      .map((line, index) => (index === 0 ? line + host : line))
      .concat(lines)
      .join("\r\n")}\r\n\r\n`,
  );
}

export function rawBytes(hostname: string, port: number, bytes: string): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, hostname, () => socket.write(bytes, "latin1"));
    const chunks: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    // The server may refuse before everything is sent; its response is still used.
    socket.on("error", (error) => (chunks.length > 0 ? resolve(parsed(chunks)) : reject(error)));
    socket.on("end", () => resolve(parsed(chunks)));
  });
}

function parsed(chunks: readonly Buffer[]): RawAnswer {
  const text = Buffer.concat(chunks).toString("latin1");
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const [first = "", ...fields] = head.split("\r\n");
  const headers = new Headers();
  const names: string[] = [];
  for (const field of fields) {
    const position = field.indexOf(":");
    names.push(field.slice(0, position).toLowerCase());
    headers.append(field.slice(0, position), field.slice(position + 1).trim());
  }
  return { status: Number(first.split(" ")[1]), headers, names, body: rest.join("\r\n\r\n") };
}
