import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { PACKAGE } from "@/ops/compile-lib";
import { writePlainConfig } from "@/ops/plain-config.mjs";
import { stripPackages } from "@/ops/strip-packages.mjs";

/** What the last stage of the Dockerfile says. */
export type Image = {
  copies: { from: string[]; to: string }[];
  env: Record<string, string>;
  user: string;
  command: string[];
  healthCheck: string[];
  stopSignal: string;
};

/** Reads the instructions that the Dockerfile uses, and throws on any other. */
export function readImage(file = "Dockerfile"): Image {
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  const image: Image = { copies: [], env: {}, user: "root", command: [], healthCheck: [], stopSignal: "SIGTERM" };
  for (const line of lines.slice(lines.findLastIndex((each) => each.startsWith("FROM ")) + 1)) {
    const [name = "", ...words] = line.split(" ");
    const rest = words.join(" ");
    if (name === "ENV") Object.assign(image.env, Object.fromEntries(words.map((word) => word.split("=", 2))));
    else if (name === "COPY" && words[0] === "--from=build") {
      image.copies.push({ from: words.slice(1, -1).map((path) => relative("/app", path)), to: words.at(-1) ?? "" });
    } else if (name === "USER") image.user = rest;
    else if (name === "CMD") image.command = JSON.parse(rest);
    else if (name === "HEALTHCHECK") image.healthCheck = JSON.parse(rest.slice(rest.indexOf("CMD ") + 4));
    else if (name === "STOPSIGNAL") image.stopSignal = rest;
    else if (name !== "WORKDIR" && name !== "EXPOSE") throw new Error(`${file}: ${line}`);
  }
  return image;
}

/**
 * Copies what the image gets from this checkout, which is built like its build stage. Of node_modules only the packages that
 * `npm prune --omit=dev` leaves, and of these what `ops/strip-packages.mjs` leaves. Files are linked where possible: they are not changed.
 */
export function assemble({ copies }: Image, target: string): void {
  for (const { from, to } of copies) {
    for (const path of from) {
      if (path === "node_modules") copyPackages(target);
      else if (path === "next.config.mjs") writePlainConfig(join(target, path));
      // The Dockerfile removes it from the build stage.
      else if (path === ".next") link(path, join(target, path), "cache");
      else link(path, join(target, from.length > 1 || to.endsWith("/") ? join(to, path) : to));
    }
  }
  chmodSync(target, 0o755);
}

function copyPackages(target: string): void {
  // The check also fails for peers that .npmrc leaves out.
  const { stdout: listed } = spawnSync("npm", ["ls", "--omit=dev", "--all", "--parseable"], {
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  const root = resolve(".");
  const packages = listed
    .split("\n")
    .map((path) => relative(root, path))
    .filter((path) => path.startsWith("node_modules/") && !path.startsWith("node_modules/@tessera/"));
  // Packages inside of another one are listed themselves.
  for (const path of packages.toSorted()) if (existsSync(path)) link(path, join(target, path), "node_modules");
  mkdirSync(join(target, "node_modules/@tessera"), { recursive: true });
  for (const name of ["client", "firewall"]) {
    cpSync(`node_modules/@tessera/${name}`, join(target, `node_modules/@tessera/${name}`), { verbatimSymlinks: true });
  }
  link(PACKAGE, join(target, PACKAGE));
  stripPackages(join(target, "node_modules"));
}

function link(path: string, to: string, without?: string): void {
  mkdirSync(dirname(to), { recursive: true });
  if (without === undefined) {
    copy([path], to);
    return;
  }
  mkdirSync(to, { recursive: true });
  const inside = execFileSync("find", [path, "-mindepth", "1", "-maxdepth", "1", "-not", "-name", without, "-print0"], {
    encoding: "utf8",
  });
  const entries = inside.split("\0").filter(Boolean);
  if (entries.length > 0) copy(entries, to);
}

const READ_ONLY = `mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && cd "$0" && exec "$@"`;

/** Without these rights a process cannot see the tree as read-only. */
export const MAY_MOUNT = spawnSync("unshare", ["--mount", "true"]).status === 0 && process.getuid?.() === 0;

/** The command that runs `command` in `tree`, which it cannot change, as a user without rights. */
export function inImage(tree: string, command: readonly string[]): string[] {
  const user = [
    "setpriv",
    "--reuid=1000",
    "--regid=1000",
    "--clear-groups",
    "--no-new-privs",
    "--inh-caps=-all",
    "--bounding-set=-all",
  ];
  const [program = "", ...args] = command;
  const run = program === "node" ? process.execPath : program;
  return ["unshare", "--mount", "--propagation=private", "sh", "-c", READ_ONLY, tree, ...user, run, ...args];
}

/** The tool that can build images here, or null. */
export const CONTAINER_TOOL =
  ["docker", "podman"].find((tool) => spawnSync(tool, ["info"], { timeout: 20_000 }).status === 0) ?? null;

/** Hard links, which cost nothing, unless the target is on another disk. */
function copy(from: readonly string[], to: string): void {
  if (spawnSync("cp", ["-al", ...from, to]).status === 0) return;
  execFileSync("cp", ["-a", ...from, to]);
}
