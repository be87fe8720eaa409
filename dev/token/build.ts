import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compile } from "../contracts/solidity";

const here = fileURLToPath(new URL(".", import.meta.url));

const artifacts = compile(
  {
    TestDollar: `${here}TestDollar.sol`,
    Multicall3: `${here}Multicall3.sol`,
    TestWallet1271: `${here}TestWallet1271.sol`,
    GasBurningWallet1271: `${here}TestWallet1271.sol`,
    TurncoatWallet: `${here}TurncoatWallet.sol`,
  },
  10_000,
);
const target = `${here}artifacts.json`;
writeFileSync(target, JSON.stringify(artifacts));
execFileSync("npx", ["biome", "format", "--write", target]);
