import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { installPackages } from "../local/extra-packages";

/** `tsx dev/tools/run.ts <command> [arguments]`: runs a command from this folder's packages in the repository's root. */
const [command = "", ...args] = process.argv.slice(2);
installPackages("dev/tools");
const { status } = spawnSync(resolve("dev/tools/node_modules/.bin", command), args, { stdio: "inherit" });
process.exit(status ?? 1);
