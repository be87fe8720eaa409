import type { Descriptor } from "@/lib/clear-signing/contract";
import { encodeType } from "@/lib/clear-signing/encode-type";
import { type Readable, readable } from "./readable";
import type { TypedDataJson } from "./test-wallet";

type List = { descriptors: { url: string; messages: string[] }[] };

/** The message in the words of this service's descriptors; null if none is for it, or they cannot be read. */
export async function readDescriptor(typedData: TypedDataJson): Promise<Readable | null> {
  try {
    const { descriptors } = await fetchJson<List>("/.well-known/erc7730");
    const type = encodeType(typedData.primaryType, typedData.types);
    for (const { url, messages } of descriptors) {
      if (!messages.includes(type)) continue;
      const description = readable(await fetchJson<Descriptor>(new URL(url).pathname), typedData);
      if (description) return description;
    }
    return null;
  } catch {
    // The wallet then shows the message's own names and values.
    return null;
  }
}

async function fetchJson<T>(path: string): Promise<T> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.json();
}
