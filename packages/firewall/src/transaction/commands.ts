import { functionsOf, type KnownFunction } from "./effects.ts";

/**
 * Commands of Uniswap's Universal Router by their low six bits. Commands that are not in this table are opaque. The inner
 * actions of 10 can move tokens too, and are not decoded.
 */
export const COMMANDS: readonly KnownFunction[] = functionsOf(
  "",
  `00 V3_SWAP_EXACT_IN(address,uint256,uint256,bytes,bool) -> routed:0
  01 V3_SWAP_EXACT_OUT(address,uint256,uint256,bytes,bool) -> routed:0
  02 PERMIT2_TRANSFER_FROM(address,address,uint160) -> foreignTransfer routed:1:2:0
  03 PERMIT2_PERMIT_BATCH(((address,uint160,uint48,uint48)[],address,uint256),bytes) -> allowance160:0.0.*.1:0.1:0.0.*.0
  04 SWEEP(address,address,uint256) -> routed:1
  05 TRANSFER(address,address,uint256) -> routed:1:2:0
  06 PAY_PORTION(address,address,uint256) -> routed:1
  08 V2_SWAP_EXACT_IN(address,uint256,uint256,address[],bool) -> routed:0
  09 V2_SWAP_EXACT_OUT(address,uint256,uint256,address[],bool) -> routed:0
  0a PERMIT2_PERMIT(((address,uint160,uint48,uint48),address,uint256),bytes) -> allowance160:0.0.1:0.1:0.0.0
  0b WRAP_ETH(address,uint256) -> routed:0
  0c UNWRAP_WETH(address,uint256) -> routed:0
  0d PERMIT2_TRANSFER_FROM_BATCH((address,address,uint160,address)[]) -> foreignTransfer routed:0.*.1:0.*.2:0.*.3
  0e BALANCE_CHECK_ERC20(address,address,uint256) -> none
  10 V4_SWAP(bytes,bytes[]) -> opaqueNestedCall
  15 OWNER_CHECK_721(address,address,uint256) -> none
  16 OWNER_CHECK_1155(address,address,uint256,uint256) -> none
  17 SWEEP_ERC721(address,address,uint256) -> routed:1
  18 X2Y2_721(uint256,bytes,address,address,uint256) -> marketplaceOrder routed:2
  1b X2Y2_1155(uint256,bytes,address,address,uint256,uint256) -> marketplaceOrder routed:2
  1c FOUNDATION(uint256,bytes,address,address,uint256) -> marketplaceOrder routed:2
  1d SWEEP_ERC1155(address,address,uint256,uint256) -> routed:1
  21 EXECUTE_SUB_PLAN(bytes,bytes[]) -> commands:0:1`,
);

/** Commands of the router's first versions that pass an order, a value and calldata, to a marketplace. */
export const ORDER_COMMANDS: readonly KnownFunction[] = functionsOf(
  "",
  `10 SEAPORT_V1_5(uint256,bytes) -> calls::1
  11 LOOKS_RARE_V2(uint256,bytes) 12 NFTX(uint256,bytes) 19 SUDOSWAP(uint256,bytes) 1a NFT20(uint256,bytes)
  1e ELEMENT_MARKET(uint256,bytes) -> marketplaceOrder
  20 SEAPORT_V1_4(uint256,bytes) -> calls::1`,
);
