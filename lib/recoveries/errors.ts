import { failures, type Remedies } from "@/lib/core/errors";

export const recoveryErrors = failures({
  usdc_not_recovered: [
    "invalid",
    "USDC on this network is the balance of your spending wallet: mandates depend on it. Withdraw it, or pay it out",
  ],
  nothing_to_recover: ["invalid", "There is nothing of it at your spending wallet that could be sent"],
  gas_missing: [
    "invalid",
    "The wallet pays the gas for a token from its own ETH, and has too little. Send it the ETH of weiMissing first: the rest can be sent back",
  ],
  token_refuses: ["invalid", "The token refuses this transfer. Nothing was sent"],
  address_refuses: ["invalid", "Your address is a contract, and it takes no ETH. Nothing was sent"],
  recovery_under_way: [
    "conflict",
    "Something is being sent from this wallet already. Wait for its end, then send the next",
  ],
});

export const recoveryRemedies: Remedies = {
  usdc_not_recovered: {
    cause:
      "The request names the USDC contract of the network. What is reserved and what mandates may spend is counted on it.",
    remedy: "Use `POST /api/wallet/withdrawals`, which leaves what is reserved.",
  },
  nothing_to_recover: {
    cause:
      "The wallet has nothing of this token, the address is no token, or the ETH is less than the gas to send it costs.",
    remedy: "Read what is there with `GET /api/wallet/recoveries`.",
  },
  gas_missing: {
    cause: "The service pays no gas for tokens that it does not know. The owner pays it, from ETH at the same wallet.",
    remedy: "Send `weiMissing` wei or more to the spending wallet, then repeat the call.",
  },
  token_refuses: {
    cause: "The token's code was run without sending anything, and it reverted, answered false or needed too much gas.",
    remedy:
      "Nothing can move this token from here now. Some tokens block transfers for some time or for some addresses.",
  },
  address_refuses: {
    cause: "The code at the address that you sign in with was run with the ETH, without sending it, and it reverted.",
    remedy: "ETH cannot be sent to this address. It stays at the spending wallet.",
  },
  recovery_under_way: {
    cause: "A wallet sends one transaction after the other, so that each has its turn whatever it costs.",
    remedy: "Read `GET /api/wallet/recoveries` until none is `under_way`.",
  },
};
