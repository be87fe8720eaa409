import { approval, defineFunction, type Effect, type KnownFunction, routed, rule } from "./effects.ts";

/** Commands of Uniswap's Universal Router by their low six bits. Commands that are not in this table are opaque. */
export const COMMANDS: readonly KnownFunction[] = [
  defineFunction("00", "V3_SWAP_EXACT_IN(address,uint256,uint256,bytes,bool)", [routed([0])]),
  defineFunction("01", "V3_SWAP_EXACT_OUT(address,uint256,uint256,bytes,bool)", [routed([0])]),
  defineFunction("02", "PERMIT2_TRANSFER_FROM(address,address,uint160)", [
    rule("foreignTransfer"),
    routed([1], [2], [0]),
  ]),
  defineFunction("03", "PERMIT2_PERMIT_BATCH(((address,uint160,uint48,uint48)[],address,uint256),bytes)", [
    approval([0, 0, "*", 1], [0, 1], [0, 0, "*", 0], 160),
  ]),
  defineFunction("04", "SWEEP(address,address,uint256)", [routed([1])]),
  defineFunction("05", "TRANSFER(address,address,uint256)", [routed([1], [2], [0])]),
  defineFunction("06", "PAY_PORTION(address,address,uint256)", [routed([1])]),
  defineFunction("08", "V2_SWAP_EXACT_IN(address,uint256,uint256,address[],bool)", [routed([0])]),
  defineFunction("09", "V2_SWAP_EXACT_OUT(address,uint256,uint256,address[],bool)", [routed([0])]),
  defineFunction("0a", "PERMIT2_PERMIT(((address,uint160,uint48,uint48),address,uint256),bytes)", [
    approval([0, 0, 1], [0, 1], [0, 0, 0], 160),
  ]),
  defineFunction("0b", "WRAP_ETH(address,uint256)", [routed([0])]),
  defineFunction("0c", "UNWRAP_WETH(address,uint256)", [routed([0])]),
  defineFunction("0d", "PERMIT2_TRANSFER_FROM_BATCH((address,address,uint160,address)[])", [
    rule("foreignTransfer"),
    routed([0, "*", 1], [0, "*", 2], [0, "*", 3]),
  ]),
  defineFunction("0e", "BALANCE_CHECK_ERC20(address,address,uint256)", []),
  // Its inner actions can move tokens too. They are not decoded.
  defineFunction("10", "V4_SWAP(bytes,bytes[])", [rule("opaqueNestedCall")]),
  defineFunction("15", "OWNER_CHECK_721(address,address,uint256)", []),
  defineFunction("16", "OWNER_CHECK_1155(address,address,uint256,uint256)", []),
  defineFunction("17", "SWEEP_ERC721(address,address,uint256)", [routed([1])]),
  defineFunction("18", "X2Y2_721(uint256,bytes,address,address,uint256)", [rule("marketplaceOrder"), routed([2])]),
  defineFunction("1b", "X2Y2_1155(uint256,bytes,address,address,uint256,uint256)", [
    rule("marketplaceOrder"),
    routed([2]),
  ]),
  defineFunction("1c", "FOUNDATION(uint256,bytes,address,address,uint256)", [rule("marketplaceOrder"), routed([2])]),
  defineFunction("1d", "SWEEP_ERC1155(address,address,uint256,uint256)", [routed([1])]),
  defineFunction("21", "EXECUTE_SUB_PLAN(bytes,bytes[])", [{ is: "commands", commands: 0, inputs: 1 }]),
];

const SEAPORT: readonly Effect[] = [{ is: "calls", each: [], data: 1 }];
const ORDER: readonly Effect[] = [rule("marketplaceOrder")];

/** Commands of the router's first versions that pass an order, a value and calldata, to a marketplace. */
export const ORDER_COMMANDS: readonly KnownFunction[] = [
  defineFunction("10", "SEAPORT_V1_5(uint256,bytes)", SEAPORT),
  defineFunction("11", "LOOKS_RARE_V2(uint256,bytes)", ORDER),
  defineFunction("12", "NFTX(uint256,bytes)", ORDER),
  defineFunction("19", "SUDOSWAP(uint256,bytes)", ORDER),
  defineFunction("1a", "NFT20(uint256,bytes)", ORDER),
  defineFunction("1e", "ELEMENT_MARKET(uint256,bytes)", ORDER),
  defineFunction("20", "SEAPORT_V1_4(uint256,bytes)", SEAPORT),
];
