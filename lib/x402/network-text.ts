import { z } from "zod";
import { NETWORK_NAMES, NETWORKS, networkNamed } from "./networks";

export const networkText = z
  .codec(
    z.string().refine((text) => networkNamed(text) !== null, "must be base, base-sepolia, eip155:8453 or eip155:84532"),
    z.enum(NETWORK_NAMES),
    { decode: (text) => networkNamed(text)?.name ?? "base", encode: (name) => name },
  )
  .meta({ enum: NETWORK_NAMES.flatMap((name) => [name, NETWORKS[name].caip2]) });
