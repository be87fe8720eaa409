import { z } from "zod";
import { DEFAULT_NETWORK, NETWORK_NAMES, NETWORKS, networkNamed } from "./networks";

const NAMES = NETWORK_NAMES.flatMap((name) => [name, NETWORKS[name].caip2]);

const ONE_OF = `must be one of ${NAMES.join(", ")}`;

export const networkText = z
  .codec(
    z.string(ONE_OF).refine((text) => networkNamed(text) !== null, ONE_OF),
    z.enum(NETWORK_NAMES),
    { decode: (text) => networkNamed(text)?.name ?? DEFAULT_NETWORK, encode: (name) => name },
  )
  .meta({ enum: NAMES });
