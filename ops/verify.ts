import { closeSystem, system } from "@/lib/wiring";
import { violations } from "./invariants";

/** `npm run verify`: checks the invariants of the configured database and its chains. Exits with 1 if one is violated. */
const failures = await violations(system());
for (const { invariant, count, example } of failures) {
  const text = JSON.stringify(example, (_, value) => (typeof value === "bigint" ? value.toString() : value));
  console.log(`✗ ${invariant}: ${count} violation${count === 1 ? "" : "s"}, for example ${text}`);
}
if (failures.length === 0) console.log("✓ every invariant holds");
await closeSystem();
process.exitCode = failures.length === 0 ? 0 : 1;
