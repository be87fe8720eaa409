import type { Call } from "@tessera/firewall";

/** The display name of a call. `codes` are the codes of its findings. */
export function nameOf({ function: name, selector, valueWei }: Call, codes: readonly string[]): string {
  if (name !== null) return name;
  if (selector !== null) return "unknown function";
  if (codes.includes("MALFORMED_CALLDATA")) return "unreadable calldata";
  if (valueWei === "0") return "no call, no value";
  return codes.includes("TRANSFER_TO_TOKEN_CONTRACT") ? "native value to a token" : "plain transfer";
}

/** Argument names in order, for functions of known standards; empty for others. */
export const argumentNames = (signature: string | null): readonly string[] =>
  (signature !== null && Object.hasOwn(NAMES, signature) && NAMES[signature]?.split(" ")) || [];

const AUTHORIZATION = "from recipient amount validAfter validBefore nonce";

/** Keyed by signature: overloads of one name differ in the order of their arguments. */
export const NAMES: Readonly<Record<string, string>> = {
  "approve(address,uint256)": "spender amount",
  "approve(address,uint256,uint256)": "spender id amount",
  "approve(address,address,uint160,uint48)": "token spender amount expiration",
  "approveAndCall(address,uint256,bytes)": "spender amount data",
  "increaseAllowance(address,uint256)": "spender amount",
  "decreaseAllowance(address,uint256)": "spender amount",
  "increaseApproval(address,uint256)": "spender amount",
  "decreaseApproval(address,uint256)": "spender amount",
  "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)": "owner spender amount deadline v r s",
  "permit(address,address,uint256,uint256,bytes)": "owner spender amount deadline signature",
  "permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)": "owner spender nonce expiry allowed v r s",
  "setApprovalForAll(address,bool)": "operator allowed",
  "setOperator(address,bool)": "operator allowed",
  "authorizeOperator(address)": "operator",
  "revokeOperator(address)": "operator",
  "transfer(address,uint256)": "recipient amount",
  "transferAndCall(address,uint256,bytes)": "recipient amount data",
  "send(address,uint256,bytes)": "recipient amount data",
  "transferFrom(address,address,uint256)": "from recipient amount",
  "transferFrom(address,address,uint160,address)": "from recipient amount token",
  "safeTransferFrom(address,address,uint256)": "from recipient id",
  "safeTransferFrom(address,address,uint256,bytes)": "from recipient id data",
  "safeTransferFrom(address,address,uint256,uint256,bytes)": "from recipient id amount data",
  "safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)": "from recipient ids amounts data",
  "transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)": `${AUTHORIZATION} v r s`,
  "transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)": `${AUTHORIZATION} signature`,
  "receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)": `${AUTHORIZATION} v r s`,
  "receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)": `${AUTHORIZATION} signature`,
  "transferOwnership(address)": "newOwner",
  "setOwner(address)": "newOwner",
  "addOwner(address)": "newOwner",
  "addOwnerWithThreshold(address,uint256)": "newOwner threshold",
  "swapOwner(address,address,address)": "previousOwner oldOwner newOwner",
  "removeOwner(address,address,uint256)": "previousOwner owner threshold",
  "changeThreshold(uint256)": "threshold",
  "enableModule(address)": "module",
  "grantRole(bytes32,address)": "role account",
  "revokeRole(bytes32,address)": "role account",
  "renounceRole(bytes32,address)": "role account",
  "upgradeTo(address)": "implementation",
  "upgradeToAndCall(address,bytes)": "implementation data",
  "mint(address,uint256)": "recipient amount",
  "burn(uint256)": "amount",
  "burnFrom(address,uint256)": "from amount",
  "execute(address,uint256,bytes)": "target value data",
  "execute(address,bytes)": "target data",
  "execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)":
    "target value data operation safeTxGas baseGas gasPrice gasToken refundReceiver signatures",
  "multiSend(bytes)": "transactions",
  "multicall(bytes[])": "calls",
  "multicall(uint256,bytes[])": "deadline calls",
  "V3_SWAP_EXACT_IN(address,uint256,uint256,bytes,bool)": "recipient amountIn amountOutMin path payerIsUser",
  "V3_SWAP_EXACT_OUT(address,uint256,uint256,bytes,bool)": "recipient amountOut amountInMax path payerIsUser",
  "V2_SWAP_EXACT_IN(address,uint256,uint256,address[],bool)": "recipient amountIn amountOutMin path payerIsUser",
  "V2_SWAP_EXACT_OUT(address,uint256,uint256,address[],bool)": "recipient amountOut amountInMax path payerIsUser",
  "PERMIT2_TRANSFER_FROM(address,address,uint160)": "token recipient amount",
  "TRANSFER(address,address,uint256)": "token recipient amount",
  "SWEEP(address,address,uint256)": "token recipient amountMin",
  "WRAP_ETH(address,uint256)": "recipient amount",
  "UNWRAP_WETH(address,uint256)": "recipient amountMin",
};
