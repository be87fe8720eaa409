import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

type Compiled = { abi: unknown[]; evm: Record<"bytecode" | "deployedBytecode", { object: string }> };
type Output = {
  errors?: { severity: string; formattedMessage: string }[];
  contracts: Record<string, Record<string, Compiled>>;
};

const here = fileURLToPath(new URL(".", import.meta.url));
const require = createRequire(import.meta.url);
// solc is CommonJS with types that do not cover import callbacks.
const solc: {
  compile(input: string, callbacks: { import(path: string): { contents: string } }): string;
} = require("solc");

const contracts = {
  TestDollar: "TestDollar.sol",
  Multicall3: "Multicall3.sol",
  TestWallet1271: "TestWallet1271.sol",
  GasBurningWallet1271: "TestWallet1271.sol",
};

const compiled = compile([...new Set(Object.values(contracts))]);
const artifacts = Object.entries(contracts).map(([name, file]) => [name, artifact(compiled, file, name)]);
const target = `${here}artifacts.json`;
writeFileSync(target, JSON.stringify(Object.fromEntries(artifacts)));
execFileSync("npx", ["biome", "format", "--write", target]);

function compile(files: string[]): Output {
  const input = {
    language: "Solidity",
    sources: Object.fromEntries(files.map((file) => [file, { content: readFileSync(here + file, "utf8") }])),
    settings: {
      evmVersion: "cancun",
      optimizer: { enabled: true, runs: 10_000 },
      // Without the metadata hash the bytes depend on the code alone, not on comments or paths.
      metadata: { appendCBOR: false, bytecodeHash: "none" },
      outputSelection: { "*": { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"] } },
    },
  };
  const resolve = (path: string) => ({ contents: readFileSync(require.resolve(path), "utf8") });
  const output: Output = JSON.parse(solc.compile(JSON.stringify(input), { import: resolve }));
  const complaints = output.errors?.map((error) => error.formattedMessage) ?? [];
  if (complaints.length > 0) throw new Error(complaints.join("\n"));
  return output;
}

function artifact(output: Output, file: string, name: string) {
  const contract = output.contracts[file]?.[name];
  if (!contract) throw new Error(`${file} does not define ${name}`);
  const { abi, evm } = contract;
  return { abi, bytecode: `0x${evm.bytecode.object}`, deployedBytecode: `0x${evm.deployedBytecode.object}` };
}
