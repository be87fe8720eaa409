import { z } from "zod";
import { normalizeHost } from "./host";

export const hostText = z.codec(
  z.string({ error: "must be a host name" }).refine((text) => normalizeHost(text) !== null, {
    error: "must be a host name with optional port, without scheme, path or wildcard",
  }),
  z.string(),
  { decode: (text) => normalizeHost(text) ?? text, encode: (host) => host },
);
