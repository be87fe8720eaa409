import { revokeKey, rotateKeys } from "@/lib/identity/service";
import { closeSystem, system } from "@/lib/wiring";

const USAGE = `npm run keys:rotate                     the next key takes over as soon as every verifier can know it
npm run keys:rotate -- --force          it takes over now; the old key stays published until its tokens have expired
npm run keys:rotate -- --revoke <kid>   for a leaked key: tokens it signed are refused from now on`;

const [option, kid] = process.argv.slice(2);

async function run(): Promise<string> {
  if (option === "--revoke" && kid) {
    await revokeKey(system(), kid);
    return `${kid} is revoked. Agents get a new login with POST /refresh.`;
  }
  if (option !== undefined && option !== "--force") return USAGE;
  const { kid: next, activeFrom } = await rotateKeys(system(), { force: option === "--force" });
  return `${next} signs from ${activeFrom.toISOString()}.`;
}

console.log(await run().finally(closeSystem));
