/**
 * Named places where a test can kill the process, to prove that money survives it: FAILPOINTS="relayer.stored=kill".
 * Read once; without the variable a failpoint is one map look-up.
 */
const armed = new Map(
  (process.env.FAILPOINTS ?? "")
    .split(",")
    .filter((entry) => entry.includes("="))
    .map((entry) => entry.split("=") as [string, string]),
);

export type Failpoint =
  | "settlement.claimed"
  | "relayer.signed"
  | "relayer.stored"
  | "relayer.sent"
  | "observer.read"
  | "observer.applied"
  | "payment.reserved"
  | "webhook.sent";

export function failpoint(name: Failpoint): void {
  if (armed.get(name) === "kill") process.kill(process.pid, "SIGKILL");
  if (armed.get(name) === "throw") throw new Error(`failpoint ${name}`);
}
