import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Abi, Hex } from "viem";

type Compiled = { abi: Abi; evm: Record<"bytecode" | "deployedBytecode", { object: string }> };
type Output = {
  errors?: { severity: string; formattedMessage: string }[];
  contracts: Record<string, Record<string, Compiled>>;
};

export type Artifact = { abi: Abi; bytecode: Hex; deployedBytecode: Hex };

const require = createRequire(import.meta.url);
// solc is a CommonJS module whose types lack import callbacks.
const solc: {
  compile(input: string, callbacks: { import(path: string): { contents: string } }): string;
} = require("solc");

/**
 * Compiles `contracts` (name to file path) with the npm package "solc". Imports are resolved as npm packages. Reproducible: the
 * same sources give the same bytes on every machine. Throws with the compiler's errors and warnings.
 */
export function compile(contracts: Record<string, string>, optimizerRuns: number): Record<string, Artifact> {
  const files = [...new Set(Object.values(contracts))];
  const input = {
    language: "Solidity",
    sources: Object.fromEntries(files.map((file) => [file, { content: readFileSync(file, "utf8") }])),
    settings: {
      evmVersion: "cancun",
      optimizer: { enabled: true, runs: optimizerRuns },
      // Without the metadata hash, the bytes depend only on the code, not on comments or paths.
      metadata: { appendCBOR: false, bytecodeHash: "none" },
      outputSelection: { "*": { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"] } },
    },
  };
  const resolve = (path: string) => ({ contents: readFileSync(require.resolve(path), "utf8") });
  const output: Output = JSON.parse(solc.compile(JSON.stringify(input), { import: resolve }));
  const complaints = output.errors?.map((error) => error.formattedMessage) ?? [];
  if (complaints.length > 0) throw new Error(complaints.join("\n"));
  return Object.fromEntries(Object.entries(contracts).map(([name, file]) => [name, artifact(output, file, name)]));
}

function artifact(output: Output, file: string, name: string): Artifact {
  const contract = output.contracts[file]?.[name];
  if (!contract) throw new Error(`${file} does not define ${name}`);
  const { abi, evm } = contract;
  return { abi, bytecode: `0x${evm.bytecode.object}`, deployedBytecode: `0x${evm.deployedBytecode.object}` };
}
