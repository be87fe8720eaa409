import {
  approval,
  calls,
  defineFunction,
  defineFunctions,
  type Effect,
  handOver,
  type KnownFunction,
  one,
  operator,
  type Path,
  parallel,
  routed,
  rule,
  transfer,
} from "./effects.ts";

const PRIVILEGED = [rule("privileged")];
const OWNERSHIP = [rule("privileged"), rule("ownershipChange")];
const REMOVAL = [rule("privileged"), rule("roleRemoval")];
const UPGRADE = [rule("privileged"), rule("proxyUpgrade")];

const ORDER_PARAMETERS =
  "(address,address,(uint8,address,uint256,uint256,uint256)[],(uint8,address,uint256,uint256,uint256,address)[],uint8,uint256,uint256,bytes32,uint256,bytes32,uint256)";
const ORDER = `(${ORDER_PARAMETERS},bytes)`;
const ADVANCED_ORDER = `(${ORDER_PARAMETERS},uint120,uint120,bytes,bytes)`;
const BASIC_ORDER =
  "(address,uint256,uint256,address,address,address,uint256,uint256,uint8,uint256,uint256,bytes32,uint256,bytes32,bytes32,uint256,(uint256,address)[],bytes)";
const BLUR_INPUT =
  "((address,uint8,address,address,uint256,uint256,address,uint256,uint256,uint256,(uint16,address)[],uint256,bytes),uint8,bytes32,bytes32,bytes,uint8,uint256)";
const CRITERIA = "(uint256,uint8,uint256,uint256,bytes32[])";
const OPERATION = "(address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)";
const OPERATION_V6 = "(address,uint256,bytes,bytes,uint256,uint256,uint256,uint256,uint256,bytes,bytes)";

const SPEND_PERMISSION = "(address,address,address,uint160,uint48,uint48,uint48,uint256,bytes)";

const operations = (each: Path): Effect => ({ is: "calls", each, to: 0, data: 3, isOperation: true });
const SETUP_CALL: Effect = {
  is: "calls",
  each: [],
  to: 2,
  data: 3,
  isDelegate: true,
  isOptional: true,
  isSetup: true,
};

/** `executeUserOp`: ERC-4337's EntryPoint calls it on accounts that take the whole operation. */
export const OPERATION_SELECTOR = "8dd7712f";

/** The functions that the scanner knows, grouped by what they do. Data only. */
export const FUNCTIONS: readonly KnownFunction[] = [
  // Allowances of one token
  defineFunction("0x095ea7b3", "approve(address,uint256)", [{ ...approval([1], [0]), mayBeOne: true }]),
  defineFunction("0x39509351", "increaseAllowance(address,uint256)", [approval([1], [0])]),
  defineFunction("0xa457c2d7", "decreaseAllowance(address,uint256)", []),
  defineFunction("0xd505accf", "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)", [approval([2], [1])]),
  defineFunction("0x9fd5a6cf", "permit(address,address,uint256,uint256,bytes)", [approval([2], [1])]),
  defineFunction("0x8fcbaf0c", "permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)", [
    { is: "fullApproval", allowed: [4], spender: [1] },
  ]),
  defineFunction(
    "0xf3995c67",
    "selfPermit(address,uint256,uint256,uint8,bytes32,bytes32)",
    [approval([1], [], [0])],
    true,
  ),
  defineFunction(
    "0x4659a494",
    "selfPermitAllowed(address,uint256,uint256,uint8,bytes32,bytes32)",
    [rule("approval"), rule("unlimitedApproval")],
    true,
  ),
  defineFunction("0xcae9ca51", "approveAndCall(address,uint256,bytes)", [approval([1], [0]), handOver(0, 2)]),
  defineFunction("0x3177029f", "approveAndCall(address,uint256)", [approval([1], [0])]),
  defineFunction("0xd73dd623", "increaseApproval(address,uint256)", [approval([1], [0])]),
  defineFunction("0x66188463", "decreaseApproval(address,uint256)", []),
  defineFunction("0x426a8493", "approve(address,uint256,uint256)", [approval([2], [0])]),
  // Allowances of one token of a collection, such as a Uniswap position
  defineFunction("0x745a41bc", "permit(address,uint256,uint256,bytes)", [one([0])]),
  defineFunction("0x7ac2ff7b", "permit(address,uint256,uint256,uint8,bytes32,bytes32)", [one([0])], true),
  defineFunction("0x0f5730f1", "permit(address,uint256,uint256,uint256,bytes)", [one([0])], true),
  // Credit delegations and managers of deposits
  defineFunction("0xc04a8a10", "approveDelegation(address,uint256)", [approval([1], [0])]),
  defineFunction("0x0b52d558", "delegationWithSig(address,address,uint256,uint256,uint8,bytes32,bytes32)", [
    approval([2], [1]),
  ]),
  defineFunction("0x110496e5", "allow(address,bool)", [operator([0], [1])]),
  defineFunction("0xbb24d994", "allowBySig(address,address,bool,uint256,uint256,uint8,bytes32,bytes32)", [
    operator([1], [2]),
  ]),
  defineFunction("0xeecea000", "setAuthorization(address,bool)", [operator([0], [1])]),
  defineFunction(
    "0x8069218f",
    "setAuthorizationWithSig((address,address,bool,uint256,uint256),(uint8,bytes32,bytes32))",
    [operator([0, 1], [0, 2])],
  ),
  defineFunction("0xa3b22fc4", "hope(address)", [operator([0])]),
  defineFunction("0xdc4d20fa", "nope(address)", []),
  defineFunction("0xfa6e671d", "setRelayerApproval(address,address,bool)", [operator([1], [2])]),
  // Spend permissions of Coinbase wallets, with an amount per period
  defineFunction("0x33211c30", `approve(${SPEND_PERMISSION})`, [approval([0, 3], [0, 1], [0, 2], 160)]),
  defineFunction("0xb9ffc8e1", `approveWithSignature(${SPEND_PERMISSION},bytes)`, [
    approval([0, 3], [0, 1], [0, 2], 160),
  ]),
  defineFunction(
    "0x9ecae456",
    "approveBatchWithSignature((address,uint48,uint48,uint48,(address,address,uint160,uint256,bytes)[]),bytes)",
    [approval([0, 4, "*", 2], [0, 4, "*", 0], [0, 4, "*", 1], 160)],
  ),
  defineFunction("0x7000882d", `approveWithRevoke(${SPEND_PERMISSION},${SPEND_PERMISSION},(uint48,uint48,uint160))`, [
    approval([0, 3], [0, 1], [0, 2], 160),
  ]),
  defineFunction("0x78792f76", `revoke(${SPEND_PERMISSION})`, []),
  defineFunction("0xb2c2b019", `revokeAsSpender(${SPEND_PERMISSION})`, []),
  defineFunction("0x415a9735", `spend(${SPEND_PERMISSION},uint160)`, [rule("foreignTransfer")]),
  // Permit2
  defineFunction("0x87517c45", "approve(address,address,uint160,uint48)", [approval([2], [1], [0], 160)]),
  defineFunction("0x2b67b570", "permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)", [
    approval([1, 0, 1], [1, 1], [1, 0, 0], 160),
  ]),
  defineFunction("0x2a2d80d1", "permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)", [
    approval([1, 0, "*", 1], [1, 1], [1, 0, "*", 0], 160),
  ]),
  defineFunction(
    "0x30f28b7a",
    "permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes)",
    [approval([0, 0, 1], [1, 0], [0, 0, 0], 160), transfer([1, 0], [1, 1], [0, 0, 0])],
  ),
  defineFunction(
    "0xedd9444b",
    "permitTransferFrom(((address,uint256)[],uint256,uint256),(address,uint256)[],address,bytes)",
    [approval([0, 0, "*", 1], [1, "*", 0], [0, 0, "*", 0], 160), transfer([1, "*", 0], [1, "*", 1], [0, 0, "*", 0])],
  ),
  defineFunction(
    "0x137c29fe",
    "permitWitnessTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes32,string,bytes)",
    [approval([0, 0, 1], [1, 0], [0, 0, 0], 160), transfer([1, 0], [1, 1], [0, 0, 0])],
  ),
  defineFunction(
    "0xfe8ec1a7",
    "permitWitnessTransferFrom(((address,uint256)[],uint256,uint256),(address,uint256)[],address,bytes32,string,bytes)",
    [approval([0, 0, "*", 1], [1, "*", 0], [0, 0, "*", 0], 160), transfer([1, "*", 0], [1, "*", 1], [0, 0, "*", 0])],
  ),
  defineFunction("0x36c78516", "transferFrom(address,address,uint160,address)", [
    rule("foreignTransfer"),
    transfer([1], [2], [3]),
  ]),
  defineFunction("0x0d58b1db", "transferFrom((address,address,uint160,address)[])", [
    rule("foreignTransfer"),
    transfer([0, "*", 1], [0, "*", 2], [0, "*", 3]),
  ]),
  ...defineFunctions(
    [],
    `
    cc53287f lockdown((address,address)[]) 65d9723c invalidateNonces(address,address,uint48)
    3ff9dcb1 invalidateUnorderedNonces(uint256,uint256)
    `,
  ),
  // Operators of collections
  defineFunction("0xa22cb465", "setApprovalForAll(address,bool)", [operator([0], [1])]),
  defineFunction("0x558a7297", "setOperator(address,bool)", [operator([0], [1])]),
  defineFunction("0x959b8c3f", "authorizeOperator(address)", [operator([0])]),
  defineFunction("0x7e5990b8", "setApprovalForOne(address,bool,uint256)", [
    { is: "operator", operator: [0], allowed: [1], isLimited: true },
  ]),
  defineFunction("0xfad8b32a", "revokeOperator(address)", []),
  defineFunction("0x3aea60f0", "permitForAll(address,address,bool,uint256,uint256,bytes)", [operator([1], [2])], true),
  // Transfers
  defineFunction("0xa9059cbb", "transfer(address,uint256)", [transfer([0], [1])]),
  defineFunction("0x4000aea0", "transferAndCall(address,uint256,bytes)", [transfer([0], [1]), handOver(0, 2)]),
  defineFunction("0x1296ee62", "transferAndCall(address,uint256)", [transfer([0], [1])]),
  defineFunction("0x9bd9bbc6", "send(address,uint256,bytes)", [transfer([0], [1]), handOver(0, 2)]),
  defineFunction("0x62ad1b83", "operatorSend(address,address,uint256,bytes,bytes)", [
    rule("foreignTransfer"),
    transfer([1], [2]),
    handOver(1, 3),
  ]),
  defineFunction("0xc1d34b89", "transferFromAndCall(address,address,uint256,bytes)", [
    rule("foreignTransfer"),
    transfer([1], [2]),
    handOver(1, 3),
  ]),
  defineFunction("0xd8fbe994", "transferFromAndCall(address,address,uint256)", [
    rule("foreignTransfer"),
    transfer([1], [2]),
  ]),
  defineFunction("0x23b872dd", "transferFrom(address,address,uint256)", [rule("foreignTransfer"), transfer([1], [2])]),
  ...defineFunctions(
    [rule("foreignTransfer"), transfer([1])],
    `
    42842e0e safeTransferFrom(address,address,uint256) b88d4fde safeTransferFrom(address,address,uint256,bytes)
    f242432a safeTransferFrom(address,address,uint256,uint256,bytes)
    2eb2c2d6 safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)
    `,
  ),
  ...defineFunctions(
    [transfer([1], [2])],
    `
    e3ee160e transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)
    cf092995 transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)
    ef55bec6 receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)
    88b7ab63 receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)
    `,
  ),
  defineFunction("0x5a049a70", "cancelAuthorization(address,bytes32,uint8,bytes32,bytes32)", []),
  defineFunction("0xb7b72899", "cancelAuthorization(address,bytes32,bytes)", []),
  // Ownership and control
  ...defineFunctions(
    OWNERSHIP,
    `
    f2fde38b transferOwnership(address) 715018a6 renounceOwnership() 13af4035 setOwner(address)
    a6f9dae1 changeOwner(address) 2f2ff15d grantRole(bytes32,address) fa82ac76 setupRole(bytes32,address)
    634e93da beginDefaultAdminTransfer(address) 704b6c02 setAdmin(address) 4dd18bf5 setPendingAdmin(address)
    ab033ea9 setGovernance(address) 7a9e5e4b setAuthority(address) ca5eb5e1 setDelegate(address)
    7065cb48 addOwner(address) 0f0f3f24 addOwnerAddress(address) 29565e3b addOwnerPublicKey(bytes32,bytes32)
    0d582f13 addOwnerWithThreshold(address,uint256) e318b52b swapOwner(address,address,address)
    f8dc5dd9 removeOwner(address,address,uint256) 694e80c3 changeThreshold(uint256)
    610b5925 enableModule(address) 8d0dc49f enableModules(address[]) e19a9dd9 setGuard(address)
    e068df37 setModuleGuard(address) f08a0323 setFallbackHandler(address)
    9517e29f installModule(uint256,address,bytes) 1c10893f grantRoles(address,uint256)
    75829def transferAdmin(address) 1627540c nominateNewOwner(address) c42069ec setPendingOwner(address)
    d38bfff4 transferGovernance(address)
    `,
  ),
  defineFunction("0xf04e283e", "completeOwnershipHandover(address)", OWNERSHIP, true),
  ...defineFunctions(
    REMOVAL,
    `
    d547741f revokeRole(bytes32,address) 4a4ee7b1 revokeRoles(address,uint256)
    36568abe renounceRole(bytes32,address) 89625b57 removeOwnerAtIndex(uint256,bytes)
    e009cfde disableModule(address,address) a71763a8 uninstallModule(uint256,address,bytes)
    `,
  ),
  ...defineFunctions(
    PRIVILEGED,
    `
    79ba5097 acceptOwnership() 4e71e0c8 claimOwnership() 0e18b681 acceptAdmin()
    cefc1429 acceptDefaultAdminTransfer()
    `,
  ),
  // Code behind proxies
  defineFunction("0x3659cfe6", "upgradeTo(address)", UPGRADE),
  defineFunction("0x6fbc15e9", "upgradeTo(address,bytes)", UPGRADE, true),
  defineFunction("0x4f1ef286", "upgradeToAndCall(address,bytes)", [...UPGRADE, calls([], 1, 0)], true),
  defineFunction("0x99a88ec4", "upgrade(address,address)", UPGRADE),
  defineFunction("0x9623609d", "upgradeAndCall(address,address,bytes)", [...UPGRADE, calls([], 2, 1)], true),
  ...defineFunctions(
    UPGRADE,
    `
    2f11fdc3 upgradeBeaconTo(address) d42afb56 setBeacon(address) 8f283970 changeAdmin(address)
    7eff275e changeProxyAdmin(address,address)
    `,
  ),
  defineFunction("0xf1739cae", "transferProxyOwnership(address)", [...UPGRADE, rule("ownershipChange")]),
  defineFunction("0xd784d426", "setImplementation(address)", UPGRADE),
  defineFunction("0x1f931c1c", "diamondCut((address,uint8,bytes4[])[],address,bytes)", [
    ...UPGRADE,
    { is: "delegates", to: [1] },
  ]),
  defineFunction("0x8129fc1c", "initialize()", PRIVILEGED),
  defineFunction("0xc4d66de8", "initialize(address)", PRIVILEGED),
  // Other privileges
  defineFunction("0x8456cb59", "pause()", PRIVILEGED),
  defineFunction("0x3f4ba83a", "unpause()", PRIVILEGED),
  defineFunction("0x40c10f19", "mint(address,uint256)", [...PRIVILEGED, transfer([0])]),
  ...defineFunctions(
    PRIVILEGED,
    `
    42966c68 burn(uint256) 9dc29fac burn(address,uint256) 79cc6790 burnFrom(address,uint256)
    f9f92be4 blacklist(address) 1a895266 unBlacklist(address)
    `,
  ),
  ...defineFunctions(
    [rule("grantsMinting")],
    `
    fca3b5aa setMinter(address) 983b2d56 addMinter(address) 4e44d956 configureMinter(address,uint256)
    aa20e1e4 updateMasterMinter(address) 3092afd5 removeMinter(address)
    `,
  ),
  defineFunction("0x41c0e1b5", "kill()", [rule("destroys")]),
  defineFunction("0x83197ef0", "destroy()", [rule("destroys")]),
  // Accounts and modules
  defineFunction(
    "0x6a761202",
    "execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)",
    [...PRIVILEGED, { is: "refund", price: [6], token: [7], to: [8] }, calls([], 2, 0, 1, 3)],
    true,
  ),
  defineFunction("0xb63e800d", "setup(address[],uint256,address,bytes,address,address,uint256,address)", [
    ...PRIVILEGED,
    { is: "handler", at: [4], isSetup: true },
    { is: "refund", price: [6], token: [5], to: [7], amount: [6] },
    SETUP_CALL,
  ]),
  defineFunction("0xa97ab18a", "setup(address[],uint256,address,bytes,address,uint256,address)", [
    ...PRIVILEGED,
    { is: "refund", price: [5], token: [4], to: [6], amount: [5] },
    SETUP_CALL,
  ]),
  defineFunction("0xfe51f643", "setupToL2(address)", [...PRIVILEGED, { is: "code", at: [0] }]),
  ...defineFunctions(
    [calls([], 1, 0)],
    `
    61b69abd createProxy(address,bytes) d18af54d createProxyWithCallback(address,bytes,uint256,address)
    1688f0b9 createProxyWithNonce(address,bytes,uint256)
    ec9e80bb createChainSpecificProxyWithNonce(address,bytes,uint256)
    `,
  ),
  defineFunction("0x7bb37428", "executeUserOp(address,uint256,bytes,uint8)", [calls([], 2, 0, 1, 3)]),
  defineFunction("0x541d63c8", "executeUserOpWithErrorString(address,uint256,bytes,uint8)", [calls([], 2, 0, 1, 3)]),
  defineFunction("0x468721a7", "execTransactionFromModule(address,uint256,bytes,uint8)", [
    ...PRIVILEGED,
    calls([], 2, 0, 1, 3),
  ]),
  defineFunction("0x5229073f", "execTransactionFromModuleReturnData(address,uint256,bytes,uint8)", [
    ...PRIVILEGED,
    calls([], 2, 0, 1, 3),
  ]),
  defineFunction("0xb61d27f6", "execute(address,uint256,bytes)", [calls([], 2, 0, 1)], true),
  defineFunction("0x51945447", "execute(address,uint256,bytes,uint8)", [calls([], 2, 0, 1, 3)], true),
  defineFunction("0x5c1c6dcd", "execute((address,uint256,bytes))", [calls([0], 2, 0, 1)], true),
  defineFunction("0x3f707e6b", "execute((address,uint256,bytes)[])", [calls([0, "*"], 2, 0, 1)], true),
  defineFunction("0x1cff79cd", "execute(address,bytes)", [calls([], 1, 0)], true),
  defineFunction("0x9e5d4c49", "executeCall(address,uint256,bytes)", [calls([], 2, 0, 1)], true),
  defineFunction("0xe9ae5c53", "execute(bytes32,bytes)", [{ is: "mode", mode: 0, data: 1 }], true),
  defineFunction(
    "0xd691c964",
    "executeFromExecutor(bytes32,bytes)",
    [...PRIVILEGED, { is: "mode", mode: 0, data: 1 }],
    true,
  ),
  defineFunction("0x47e1da2a", "executeBatch(address[],uint256[],bytes[])", [parallel(2, 1)], true),
  defineFunction("0x34fcd5be", "executeBatch((address,uint256,bytes)[])", [calls([0, "*"], 2, 0, 1)], true),
  defineFunction("0x18dfb3c7", "executeBatch(address[],bytes[])", [parallel(1)], true),
  defineFunction("0x2c2abd1e", "executeWithoutChainIdValidation(bytes[])", [...PRIVILEGED, calls([0, "*"], 0)]),
  defineFunction(`0x${OPERATION_SELECTOR}`, `executeUserOp(${OPERATION},bytes32)`, [operations([0])]),
  defineFunction("0x765e827f", `handleOps(${OPERATION}[],address)`, [operations([0, "*"])]),
  defineFunction("0x1fad948c", `handleOps(${OPERATION_V6}[],address)`, [operations([0, "*"])]),
  defineFunction("0xdbed18e0", `handleAggregatedOps((${OPERATION}[],address,bytes)[],address)`, [
    operations([0, "*", 0, "*"]),
  ]),
  defineFunction("0x4b1d7cf5", `handleAggregatedOps((${OPERATION_V6}[],address,bytes)[],address)`, [
    operations([0, "*", 0, "*"]),
  ]),
  defineFunction("0x6fadcf72", "forward(address,bytes)", [calls([], 1, 0)], true),
  ...defineFunctions(
    [{ is: "delegates", to: [0] }, calls([], 1, 0)],
    `
    56e7b7aa delegateCall(address,bytes) 6e0aacf7 delegatecall(address,bytes)
    ee33b7e2 functionDelegateCall(address,bytes)
    `,
    true,
  ),
  // Timelocks
  defineFunction(
    "0x134008d3",
    "execute(address,uint256,bytes,bytes32,bytes32)",
    [...PRIVILEGED, calls([], 2, 0, 1)],
    true,
  ),
  defineFunction(
    "0xe38335e5",
    "executeBatch(address[],uint256[],bytes[],bytes32,bytes32)",
    [...PRIVILEGED, parallel(2, 1)],
    true,
  ),
  defineFunction("0x01d5062a", "schedule(address,uint256,bytes,bytes32,bytes32,uint256)", [
    ...PRIVILEGED,
    calls([], 2, 0, 1),
  ]),
  defineFunction("0x8f2a0bb0", "scheduleBatch(address[],uint256[],bytes[],bytes32,bytes32,uint256)", [
    ...PRIVILEGED,
    parallel(2, 1),
  ]),
  // Batches
  defineFunction("0x8d80ff0a", "multiSend(bytes)", [{ is: "multiSend", data: 0 }], true),
  defineFunction("0xac9650d8", "multicall(bytes[])", [calls([0, "*"], 0)], true),
  defineFunction("0xd2423b51", "batch(bytes[],bool)", [calls([0, "*"], 0)], true),
  defineFunction("0x5ae401dc", "multicall(uint256,bytes[])", [calls([1, "*"], 0)], true),
  defineFunction("0x1f0464d1", "multicall(bytes32,bytes[])", [calls([1, "*"], 0)], true),
  defineFunction("0x63fb0b96", "multicall(address[],bytes[])", [parallel(1)], true),
  defineFunction("0x1749e1e3", "multicall((address,uint256,bytes)[])", [calls([0, "*"], 2, 0)], true),
  defineFunction("0x252dba42", "aggregate((address,bytes)[])", [calls([0, "*"], 1, 0)], true),
  defineFunction("0x82ad56cb", "aggregate3((address,bool,bytes)[])", [calls([0, "*"], 2, 0)], true),
  defineFunction("0x174dea71", "aggregate3Value((address,bool,uint256,bytes)[])", [calls([0, "*"], 3, 0, 2)], true),
  defineFunction("0xbce38bd7", "tryAggregate(bool,(address,bytes)[])", [calls([1, "*"], 1, 0)], true),
  defineFunction("0xc3077fa9", "blockAndAggregate((address,bytes)[])", [calls([0, "*"], 1, 0)], true),
  defineFunction("0x399542e9", "tryBlockAndAggregate(bool,(address,bytes)[])", [calls([1, "*"], 1, 0)], true),
  defineFunction("0xb780c362", "batch((address,uint256,bytes)[])", [calls([0, "*"], 2, 0, 1)], true),
  defineFunction("0x24856bc3", "execute(bytes,bytes[])", [{ is: "commands", commands: 0, inputs: 1 }], true),
  defineFunction("0x3593564c", "execute(bytes,bytes[],uint256)", [{ is: "commands", commands: 0, inputs: 1 }], true),
  // Marketplace orders
  defineFunction("0xfb0f3ee1", `fulfillBasicOrder(${BASIC_ORDER})`, [rule("marketplaceOrder")], true),
  defineFunction("0x00000000", `fulfillBasicOrder_efficient_6GL6yc(${BASIC_ORDER})`, [rule("marketplaceOrder")], true),
  defineFunction("0xb3a34c4c", `fulfillOrder(${ORDER},bytes32)`, [rule("marketplaceOrder")], true),
  defineFunction(
    "0xe7acab24",
    `fulfillAdvancedOrder(${ADVANCED_ORDER},${CRITERIA}[],bytes32,address)`,
    [rule("marketplaceOrder")],
    true,
  ),
  defineFunction(
    "0xed98a574",
    `fulfillAvailableOrders(${ORDER}[],(uint256,uint256)[][],(uint256,uint256)[][],bytes32,uint256)`,
    [rule("marketplaceOrder")],
    true,
  ),
  defineFunction(
    "0x87201b41",
    `fulfillAvailableAdvancedOrders(${ADVANCED_ORDER}[],${CRITERIA}[],(uint256,uint256)[][],(uint256,uint256)[][],bytes32,address,uint256)`,
    [rule("marketplaceOrder")],
    true,
  ),
  defineFunction(
    "0xa8174404",
    `matchOrders(${ORDER}[],((uint256,uint256)[],(uint256,uint256)[])[])`,
    [rule("marketplaceOrder")],
    true,
  ),
  defineFunction(
    "0xf2d12b12",
    `matchAdvancedOrders(${ADVANCED_ORDER}[],${CRITERIA}[],((uint256,uint256)[],(uint256,uint256)[])[],address)`,
    [rule("marketplaceOrder")],
    true,
  ),
  defineFunction("0x88147732", `validate(${ORDER}[])`, [rule("marketplaceOrder")]),
  defineFunction("0x9a1fc3a7", `execute(${BLUR_INPUT},${BLUR_INPUT})`, [rule("marketplaceOrder")], true),
  defineFunction(
    "0xab834bab",
    "atomicMatch_(address[14],uint256[18],uint8[8],bytes,bytes,bytes,bytes,bytes,bytes,uint8[2],bytes32[5])",
    [rule("marketplaceOrder")],
    true,
  ),
  defineFunction("0x5b34b966", "incrementCounter()", []),
  defineFunction("0xfd9f1e10", `cancel(${ORDER_PARAMETERS}[])`, []),
  // Claims, and function names of drainers
  ...defineFunctions(
    [{ is: "claim" }],
    `
    4e71d92d claim() 379607f5 claim(uint256) aad3ec96 claim(address,uint256) 372500ab claimRewards()
    b88a802f claimReward() 3d18b912 getReward() 5b88349d claimAirdrop()
    `,
    true,
  ),
  ...defineFunctions(
    [rule("drainerName")],
    `
    3158952e Claim() 79372f9a ClaimReward() 12798972 ClaimRewards() b9a9d3d0 ClaimAirdrop()
    5fba79f5 SecurityUpdate() e8183e7e SecurityUpdates() af347b61 securityUpdate() 4748c382 ConnectWallet()
    a16f15c3 Connect() 9dce07b6 networkMerge(address)
    `,
    true,
  ),
  // Everyday functions
  defineFunction("0xd0e30db0", "deposit()", [], true),
  ...defineFunctions(
    [],
    `
    2e1a7d4d withdraw(uint256) 70a08231 balanceOf(address) dd62ed3e allowance(address,address)
    18160ddd totalSupply() 313ce567 decimals() 95d89b41 symbol() 06fdde03 name() 6352211e ownerOf(uint256)
    `,
  ),
  defineFunction("0x38ed1739", "swapExactTokensForTokens(uint256,uint256,address[],address,uint256)", [transfer([3])]),
  defineFunction("0x8803dbee", "swapTokensForExactTokens(uint256,uint256,address[],address,uint256)", [transfer([3])]),
  defineFunction("0x7ff36ab5", "swapExactETHForTokens(uint256,address[],address,uint256)", [transfer([2])], true),
  defineFunction("0xfb3bdb41", "swapETHForExactTokens(uint256,address[],address,uint256)", [transfer([2])], true),
  defineFunction("0x18cbafe5", "swapExactTokensForETH(uint256,uint256,address[],address,uint256)", [transfer([3])]),
  defineFunction(
    "0x04e45aaf",
    "exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))",
    [routed([0, 3])],
    true,
  ),
  defineFunction(
    "0x414bf389",
    "exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))",
    [routed([0, 3])],
    true,
  ),
  defineFunction("0xb858183f", "exactInput((bytes,address,uint256,uint256))", [routed([0, 1])], true),
  defineFunction(
    "0x5023b4df",
    "exactOutputSingle((address,address,uint24,address,uint256,uint256,uint160))",
    [routed([0, 3])],
    true,
  ),
  defineFunction("0x12210e8a", "refundETH()", [], true),
  defineFunction("0x49404b7c", "unwrapWETH9(uint256,address)", [transfer([1])], true),
  defineFunction("0xdf2ab5bb", "sweepToken(address,uint256,address)", [transfer([2])], true),
  defineFunction("0x617ba037", "supply(address,uint256,address,uint16)", [transfer([2])]),
  defineFunction("0x69328dec", "withdraw(address,uint256,address)", [transfer([2])]),
  defineFunction("0xa415bcad", "borrow(address,uint256,uint256,uint16,address)", []),
  defineFunction("0x573ade81", "repay(address,uint256,uint256,address)", []),
  ...defineFunctions(
    [transfer([1])],
    `
    6e553f65 deposit(uint256,address) 94bf804d mint(uint256,address) b460af94 withdraw(uint256,address,address)
    ba087652 redeem(uint256,address,address)
    `,
  ),
  defineFunction("0xa694fc3a", "stake(uint256)", []),
  defineFunction("0x5c19a95c", "delegate(address)", []),
];
