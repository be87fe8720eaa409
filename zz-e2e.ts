import { spawnSync } from "node:child_process";
import { inOwnWorld } from "./dev/local/own-world";
const args = process.argv.slice(2);
process.exitCode = await inOwnWorld("e2e", { log: console.log, settings: { SMTP_URL: "smtp://127.0.0.1:9", MAIL_FROM: "mail@wallet.example", POLL_MILLISECONDS: "500" } } as never, async ({ baseUrl, env }: any) => {
  const world = { ...process.env, ...env, E2E_BASE_URL: baseUrl, CHROMIUM_PATH: "/usr/bin/chromium-headless-shell" };
  return spawnSync("npx", ["playwright", "test", ...args], { stdio: "inherit", env: world }).status ?? 1;
});
process.exit();
