import { keccak256 } from "viem";
import { ChainUnavailable } from "@/lib/platform/chain";
import { type Check, type CheckResult, fail, ok, warn } from "@/lib/platform/checks";
import type { Config } from "@/lib/platform/config";
import type { System } from "@/lib/platform/context";
import { presenceOf } from "@/lib/platform/presence";
import { NETWORKS, type NetworkName } from "@/lib/x402/networks";
import { VAULT_CONTRACTS, VAULT_FACTORY } from "./contracts";

/** Whether vaults are configured. A devnet needs no VAULT_FACTORY: its chains have the factory from the start. */
const hasVaults = ({ mode, vaultFactory }: Pick<Config, "mode" | "vaultFactory">): boolean =>
  mode === "devnet" || vaultFactory !== null;

const hasContracts = presenceOf(VAULT_CONTRACTS);

/** Whether a mandate on this network can have a vault now. Throws ChainUnavailable. */
export const canHaveVaults = async ({ config, chains }: Pick<System, "config" | "chains">, network: NetworkName) =>
  hasVaults(config) &&
  (config.vaultFactory ?? VAULT_FACTORY) === VAULT_FACTORY &&
  (await hasContracts(chains[network]));

/** Compares the factory and the vaults' code byte for byte, before any owner's money goes there. */
export const vaultCheck = (network: NetworkName): Check => ({
  name: `vault contracts on ${network}`,
  variable: "VAULT_FACTORY",
  run: async ({ config, chains }): Promise<CheckResult> => {
    if (!hasVaults(config)) return ok("not set: mandates have no vaults");
    if (config.vaultFactory !== null && config.vaultFactory !== VAULT_FACTORY) {
      return fail(
        `it is ${config.vaultFactory}, but this version's factory is ${VAULT_FACTORY}`,
        `Set it to ${VAULT_FACTORY}, or remove it`,
      );
    }
    try {
      const codes = await chains[network].codes(VAULT_CONTRACTS.map(({ address }) => address));
      if (config.vaultFactory === null && codes.every((code) => code === "0x"))
        return ok("not deployed on this chain: mandates have no vaults");
      const wrong = VAULT_CONTRACTS.find(({ code }, index) => keccak256(codes[index] ?? "0x") !== keccak256(code));
      if (!wrong) return ok(`the factory ${VAULT_FACTORY} and the code of its vaults are as compiled`);
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
