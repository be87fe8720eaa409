#!/usr/bin/env node
import { spawnSync } from "node:child_process";

const args = ["node_modules/tsx/dist/cli.mjs", "dev/tools/run.ts", "biome", ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
process.exit(status ?? 1);
