import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { installPackages } from "../local/extra-packages";

const here = fileURLToPath(new URL(".", import.meta.url));

installPackages("dev/tools");
const { compile } = await import("../tools/solidity");
const artifacts = compile(
  {
    TestDollar: `${here}TestDollar.sol`,
    Multicall3: `${here}Multicall3.sol`,
    TestWallet1271: `${here}TestWallet1271.sol`,
    GasBurningWallet1271: `${here}TestWallet1271.sol`,
    TestWalletFactory: `${here}TestWalletFactory.sol`,
    TurncoatWallet: `${here}TurncoatWallet.sol`,
    StrayToken: `${here}StrayToken.sol`,
  },
  10_000,
);
const target = `${here}artifacts.json`;
writeFileSync(target, JSON.stringify(artifacts));
execFileSync(`${here}../tools/node_modules/.bin/biome`, ["format", "--write", target]);
