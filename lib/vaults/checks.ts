import { keccak256 } from "viem";
import { ChainUnavailable } from "@/lib/platform/chain";
import { type Check, type CheckResult, fail, ok, warn } from "@/lib/platform/checks";
import type { Config } from "@/lib/platform/config";
import type { System } from "@/lib/platform/context";
import { presenceOf } from "@/lib/platform/presence";
import { NETWORKS, type NetworkName } from "@/lib/x402/networks";
import { NEWEST_VERSION, VAULT_CONTRACTS, VAULT_VERSIONS, type VaultVersion } from "./contracts";

const contractsOf = (version: VaultVersion) => {
  const { factory, implementation } = VAULT_CONTRACTS[version];
  return [factory, implementation];
};

/** "unknown": another factory than ours is configured. Null: none is. A devnet needs none: its chains have them from the start. */
function configuredVersion({
  mode,
  vaultFactory,
}: Pick<Config, "mode" | "vaultFactory">): VaultVersion | "unknown" | null {
  if (vaultFactory === null) return mode === "devnet" ? NEWEST_VERSION : null;
  return VAULT_VERSIONS.find((version) => VAULT_CONTRACTS[version].factory.address === vaultFactory) ?? "unknown";
}

const hasContracts = { 1: presenceOf(contractsOf(1)), 2: presenceOf(contractsOf(2)) };

/**
 * The version of the vault that a mandate on this network would have now; null if it can have none. The configuration chooses it for
 * new vaults only: those that are open keep theirs. Throws ChainUnavailable.
 */
export async function versionForNew(
  { config, chains }: Pick<System, "config" | "chains">,
  network: NetworkName,
): Promise<VaultVersion | null> {
  const version = configuredVersion(config);
  if (version === null || version === "unknown") return null;
  return (await hasContracts[version](chains[network])) ? version : null;
}

/** Compares the factory and the vaults' code byte for byte, before any owner's money goes there. */
export const vaultCheck = (network: NetworkName): Check => ({
  name: `vault contracts on ${network}`,
  variable: "VAULT_FACTORY",
  run: async ({ config, chains }): Promise<CheckResult> => {
    const version = configuredVersion(config);
    if (version === null) return ok("not set: mandates have no vaults");
    if (version === "unknown") {
      const factories = VAULT_VERSIONS.map((known) => VAULT_CONTRACTS[known].factory.address)
        .toReversed()
        .join(" or ");
      return fail(
        `it is ${config.vaultFactory}, but this version's factory is ${factories}`,
        `Set it to ${factories}, or remove it`,
      );
    }
    const contracts = contractsOf(version);
    try {
      const codes = await chains[network].codes(contracts.map(({ address }) => address));
      if (config.vaultFactory === null && codes.every((code) => code === "0x"))
        return ok("not deployed on this chain: mandates have no vaults");
      const wrong = contracts.find(({ code }, index) => keccak256(codes[index] ?? "0x") !== keccak256(code));
      if (!wrong)
        return ok(`the factory ${VAULT_CONTRACTS[version].factory.address} and the code of its vaults are as compiled`);
      const { label } = NETWORKS[network];
      return fail(
        `${wrong.address} on ${label} does not have the code of the ${wrong.name}, with hash ${keccak256(wrong.code)}`,
        `Deploy it with \`npm run contracts:deploy -- --network ${network}\`, or remove VAULT_FACTORY`,
      );
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error;
      return warn("no node responds", "Vaults are not used on that network until one responds");
    }
  },
});
