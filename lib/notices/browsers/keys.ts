import webPush from "web-push";
import { z } from "zod";
import { parseJson } from "@/lib/core/json";
import type { VapidKeys } from "@/lib/platform/config-push";
import type { System } from "@/lib/platform/context";
import { serviceSecret } from "@/lib/platform/secrets";

const NAME = "vapid_keys";
const stored = z.object({ publicKey: z.string(), privateKey: z.string() });

/** The configured keys, or keys generated once per database and sealed with the master key. */
export async function vapidKeys(system: System): Promise<VapidKeys> {
  const { keys } = system.config.push;
  if (keys) return keys;
  return stored.parse(parseJson(await serviceSecret(system, NAME, () => JSON.stringify(webPush.generateVAPIDKeys()))));
}
