import { encodeErrorResult, encodeFunctionResult, type Hex, pad, parseAbi } from "viem";
import { type Address, toAddress } from "@/lib/core/address";
import { MULTICALL3, NETWORKS } from "@/lib/x402/networks";
import { MULTICALL_ABI } from "@/lib/x402/token";
import type { World } from "./world";

const SAID = "ERC20: transfer amount exceeds balance";
const ERROR = parseAbi(["error Error(string)"]);

/** Both forms of transferWithAuthorization: with 65 bytes, and with (v, r, s). */
const TRANSFERS = ["cf092995", "e3ee160e"];

export type Liar = {
  /** Whether it has seen a transfer out of the wallet. */
  wasShown: () => boolean;
  /** Submits the first transfer that it has seen. */
  submit: () => Promise<void>;
};

type CallParameters = { to?: string; data?: string; input?: string };

/**
 * Makes the node's simulations of transfers out of `wallet` fail with `said`, while it records the calls.
 * The proxy's `heal` ends this.
 */
export function lieAbout(world: World, wallet: Address, message = SAID): Liar {
  const shown: Hex[] = [];
  const revert = encodeErrorResult({ abi: ERROR, errorName: "Error", args: [message] });
  const inBatch = encodeFunctionResult({
    abi: MULTICALL_ABI,
    functionName: "aggregate3",
    result: [{ success: false, returnData: revert }],
  });
  const { faults } = world.node();
  const keep = ([call]: unknown[]): Address | null => {
    const { to, data, input } = call as CallParameters;
    const transfer = transferIn(data ?? input ?? "", wallet);
    if (transfer) shown.push(transfer);
    return transfer ? toAddress(to ?? "") : null;
  };
  faults.refuses.set("eth_call", (params) =>
    keep(params) === NETWORKS.base.usdc ? { code: 3, message: `execution reverted: ${message}`, data: revert } : null,
  );
  faults.answers.set("eth_call", (params, result) => (keep(params) === MULTICALL3 ? inBatch : result));
  return {
    wasShown: () => shown.length > 0,
    submit: async () => {
      const [data] = shown;
      const account = world.accounts[8];
      if (!data || !account) throw new Error("nothing was shown");
      const client = world.client();
      const hash = await client.sendTransaction({ account, chain: null, to: NETWORKS.base.usdc, data });
      await client.waitForTransactionReceipt({ hash });
    },
  };
}

/** The token call in some calldata that moves money out of `wallet`, including the bytes after it. */
function transferIn(calldata: string, wallet: Address): Hex | null {
  const payer = pad(wallet).slice(2).toLowerCase();
  const at = TRANSFERS.map((selector) => calldata.toLowerCase().indexOf(selector + payer)).find((place) => place >= 0);
  return at === undefined ? null : `0x${calldata.slice(at)}`;
}
