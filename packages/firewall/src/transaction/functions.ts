import { functionsOf, type KnownFunction } from "./effects.ts";

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

/** `executeUserOp`: ERC-4337's EntryPoint calls it on accounts that take the whole operation. */
export const OPERATION_SELECTOR = "8dd7712f";

/** The functions that the scanner knows, grouped by what they do. Data only: `functionsOf` says how it is read. */
export const FUNCTIONS: readonly KnownFunction[] = functionsOf(
  "0x",
  // Allowances of one token
  `095ea7b3 approve(address,uint256) -> allowanceOrOne:1:0
  39509351 increaseAllowance(address,uint256) -> allowance:1:0
  a457c2d7 decreaseAllowance(address,uint256) -> none
  d505accf permit(address,address,uint256,uint256,uint8,bytes32,bytes32) 9fd5a6cf permit(address,address,uint256,uint256,bytes)
    -> allowance:2:1
  8fcbaf0c permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32) -> fullApproval:4:1
  f3995c67 selfPermit(address,uint256,uint256,uint8,bytes32,bytes32) -> payable allowance:1::0
  4659a494 selfPermitAllowed(address,uint256,uint256,uint8,bytes32,bytes32) -> payable approval unlimitedApproval
  cae9ca51 approveAndCall(address,uint256,bytes) -> allowance:1:0 handOver:0:2
  3177029f approveAndCall(address,uint256) d73dd623 increaseApproval(address,uint256) -> allowance:1:0
  66188463 decreaseApproval(address,uint256) -> none
  426a8493 approve(address,uint256,uint256) -> allowance:2:0`,
  // Allowances of one token of a collection, such as a Uniswap position
  `745a41bc permit(address,uint256,uint256,bytes) -> oneApproval:0
  7ac2ff7b permit(address,uint256,uint256,uint8,bytes32,bytes32) 0f5730f1 permit(address,uint256,uint256,uint256,bytes)
    -> payable oneApproval:0`,
  // Credit delegations and managers of deposits
  `c04a8a10 approveDelegation(address,uint256) -> allowance:1:0
  0b52d558 delegationWithSig(address,address,uint256,uint256,uint8,bytes32,bytes32) -> allowance:2:1
  110496e5 allow(address,bool) -> operator:0:1
  bb24d994 allowBySig(address,address,bool,uint256,uint256,uint8,bytes32,bytes32) -> operator:1:2
  eecea000 setAuthorization(address,bool) -> operator:0:1
  8069218f setAuthorizationWithSig((address,address,bool,uint256,uint256),(uint8,bytes32,bytes32)) -> operator:0.1:0.2
  a3b22fc4 hope(address) -> operator:0
  dc4d20fa nope(address) -> none
  fa6e671d setRelayerApproval(address,address,bool) -> operator:1:2`,
  // Spend permissions of Coinbase wallets, with an amount per period
  `33211c30 approve(${SPEND_PERMISSION}) b9ffc8e1 approveWithSignature(${SPEND_PERMISSION},bytes) -> allowance160:0.3:0.1:0.2
  9ecae456 approveBatchWithSignature((address,uint48,uint48,uint48,(address,address,uint160,uint256,bytes)[]),bytes)
    -> allowance160:0.4.*.2:0.4.*.0:0.4.*.1
  7000882d approveWithRevoke(${SPEND_PERMISSION},${SPEND_PERMISSION},(uint48,uint48,uint160)) -> allowance160:0.3:0.1:0.2
  78792f76 revoke(${SPEND_PERMISSION}) b2c2b019 revokeAsSpender(${SPEND_PERMISSION}) -> none
  415a9735 spend(${SPEND_PERMISSION},uint160) -> foreignTransfer`,
  // Permit2
  `87517c45 approve(address,address,uint160,uint48) -> allowance160:2:1:0
  2b67b570 permit(address,((address,uint160,uint48,uint48),address,uint256),bytes) -> allowance160:1.0.1:1.1:1.0.0
  2a2d80d1 permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes) -> allowance160:1.0.*.1:1.1:1.0.*.0
  30f28b7a permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes)
    -> allowance160:0.0.1:1.0:0.0.0 transfer:1.0:1.1:0.0.0
  edd9444b permitTransferFrom(((address,uint256)[],uint256,uint256),(address,uint256)[],address,bytes)
    -> allowance160:0.0.*.1:1.*.0:0.0.*.0 transfer:1.*.0:1.*.1:0.0.*.0
  137c29fe permitWitnessTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes32,string,bytes)
    -> allowance160:0.0.1:1.0:0.0.0 transfer:1.0:1.1:0.0.0
  fe8ec1a7 permitWitnessTransferFrom(((address,uint256)[],uint256,uint256),(address,uint256)[],address,bytes32,string,bytes)
    -> allowance160:0.0.*.1:1.*.0:0.0.*.0 transfer:1.*.0:1.*.1:0.0.*.0
  36c78516 transferFrom(address,address,uint160,address) -> foreignTransfer transfer:1:2:3
  0d58b1db transferFrom((address,address,uint160,address)[]) -> foreignTransfer transfer:0.*.1:0.*.2:0.*.3
  cc53287f lockdown((address,address)[]) 65d9723c invalidateNonces(address,address,uint48)
  3ff9dcb1 invalidateUnorderedNonces(uint256,uint256) -> none`,
  // Operators of collections
  `a22cb465 setApprovalForAll(address,bool) 558a7297 setOperator(address,bool) -> operator:0:1
  959b8c3f authorizeOperator(address) -> operator:0
  7e5990b8 setApprovalForOne(address,bool,uint256) -> operatorOfOne:0:1
  fad8b32a revokeOperator(address) -> none
  3aea60f0 permitForAll(address,address,bool,uint256,uint256,bytes) -> payable operator:1:2`,
  // Transfers
  `a9059cbb transfer(address,uint256) -> transfer:0:1
  4000aea0 transferAndCall(address,uint256,bytes) -> transfer:0:1 handOver:0:2
  1296ee62 transferAndCall(address,uint256) -> transfer:0:1
  9bd9bbc6 send(address,uint256,bytes) -> transfer:0:1 handOver:0:2
  62ad1b83 operatorSend(address,address,uint256,bytes,bytes) c1d34b89 transferFromAndCall(address,address,uint256,bytes)
    -> foreignTransfer transfer:1:2 handOver:1:3
  d8fbe994 transferFromAndCall(address,address,uint256) 23b872dd transferFrom(address,address,uint256) -> foreignTransfer transfer:1:2
  42842e0e safeTransferFrom(address,address,uint256) b88d4fde safeTransferFrom(address,address,uint256,bytes)
  f242432a safeTransferFrom(address,address,uint256,uint256,bytes)
  2eb2c2d6 safeBatchTransferFrom(address,address,uint256[],uint256[],bytes) -> foreignTransfer transfer:1
  e3ee160e transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)
  cf092995 transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)
  ef55bec6 receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)
  88b7ab63 receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes) -> transfer:1:2
  5a049a70 cancelAuthorization(address,bytes32,uint8,bytes32,bytes32) b7b72899 cancelAuthorization(address,bytes32,bytes) -> none`,
  // Ownership and control
  `f2fde38b transferOwnership(address) 715018a6 renounceOwnership() 13af4035 setOwner(address) a6f9dae1 changeOwner(address)
  2f2ff15d grantRole(bytes32,address) fa82ac76 setupRole(bytes32,address) 634e93da beginDefaultAdminTransfer(address)
  704b6c02 setAdmin(address) 4dd18bf5 setPendingAdmin(address) ab033ea9 setGovernance(address) 7a9e5e4b setAuthority(address)
  ca5eb5e1 setDelegate(address) 7065cb48 addOwner(address) 0f0f3f24 addOwnerAddress(address) 29565e3b addOwnerPublicKey(bytes32,bytes32)
  0d582f13 addOwnerWithThreshold(address,uint256) e318b52b swapOwner(address,address,address)
  f8dc5dd9 removeOwner(address,address,uint256) 694e80c3 changeThreshold(uint256) 610b5925 enableModule(address)
  8d0dc49f enableModules(address[]) e19a9dd9 setGuard(address) e068df37 setModuleGuard(address) f08a0323 setFallbackHandler(address)
  9517e29f installModule(uint256,address,bytes) 1c10893f grantRoles(address,uint256) 75829def transferAdmin(address)
  1627540c nominateNewOwner(address) c42069ec setPendingOwner(address) d38bfff4 transferGovernance(address) -> privileged ownershipChange
  f04e283e completeOwnershipHandover(address) -> payable privileged ownershipChange
  d547741f revokeRole(bytes32,address) 4a4ee7b1 revokeRoles(address,uint256) 36568abe renounceRole(bytes32,address)
  89625b57 removeOwnerAtIndex(uint256,bytes) e009cfde disableModule(address,address) a71763a8 uninstallModule(uint256,address,bytes)
    -> privileged roleRemoval
  79ba5097 acceptOwnership() 4e71e0c8 claimOwnership() 0e18b681 acceptAdmin() cefc1429 acceptDefaultAdminTransfer() -> privileged`,
  // Code behind proxies
  `3659cfe6 upgradeTo(address) -> privileged proxyUpgrade
  6fbc15e9 upgradeTo(address,bytes) -> payable privileged proxyUpgrade
  4f1ef286 upgradeToAndCall(address,bytes) -> payable privileged proxyUpgrade calls::1:0
  99a88ec4 upgrade(address,address) -> privileged proxyUpgrade
  9623609d upgradeAndCall(address,address,bytes) -> payable privileged proxyUpgrade calls::2:1
  2f11fdc3 upgradeBeaconTo(address) d42afb56 setBeacon(address) 8f283970 changeAdmin(address) 7eff275e changeProxyAdmin(address,address)
    -> privileged proxyUpgrade
  f1739cae transferProxyOwnership(address) -> privileged proxyUpgrade ownershipChange
  d784d426 setImplementation(address) -> privileged proxyUpgrade
  1f931c1c diamondCut((address,uint8,bytes4[])[],address,bytes) -> privileged proxyUpgrade delegates:1
  8129fc1c initialize() c4d66de8 initialize(address) -> privileged`,
  // Other privileges
  `8456cb59 pause() 3f4ba83a unpause() -> privileged
  40c10f19 mint(address,uint256) -> privileged transfer:0
  42966c68 burn(uint256) 9dc29fac burn(address,uint256) 79cc6790 burnFrom(address,uint256) f9f92be4 blacklist(address)
  1a895266 unBlacklist(address) -> privileged
  fca3b5aa setMinter(address) 983b2d56 addMinter(address) 4e44d956 configureMinter(address,uint256) aa20e1e4 updateMasterMinter(address)
  3092afd5 removeMinter(address) -> grantsMinting
  41c0e1b5 kill() 83197ef0 destroy() -> destroys`,
  // Accounts and modules
  `6a761202 execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)
    -> payable privileged refund:6:7:8 calls::2:0:1:3
  b63e800d setup(address[],uint256,address,bytes,address,address,uint256,address) -> privileged setupHandler:4 refund:6:5:7:6 setupCall
  a97ab18a setup(address[],uint256,address,bytes,address,uint256,address) -> privileged refund:5:4:6:5 setupCall
  fe51f643 setupToL2(address) -> privileged code:0
  61b69abd createProxy(address,bytes) d18af54d createProxyWithCallback(address,bytes,uint256,address)
  1688f0b9 createProxyWithNonce(address,bytes,uint256) ec9e80bb createChainSpecificProxyWithNonce(address,bytes,uint256) -> calls::1:0
  7bb37428 executeUserOp(address,uint256,bytes,uint8) 541d63c8 executeUserOpWithErrorString(address,uint256,bytes,uint8) -> calls::2:0:1:3
  468721a7 execTransactionFromModule(address,uint256,bytes,uint8)
  5229073f execTransactionFromModuleReturnData(address,uint256,bytes,uint8) -> privileged calls::2:0:1:3
  b61d27f6 execute(address,uint256,bytes) -> payable calls::2:0:1
  51945447 execute(address,uint256,bytes,uint8) -> payable calls::2:0:1:3
  5c1c6dcd execute((address,uint256,bytes)) -> payable calls:0:2:0:1
  3f707e6b execute((address,uint256,bytes)[]) -> payable calls:0.*:2:0:1
  1cff79cd execute(address,bytes) -> payable calls::1:0
  9e5d4c49 executeCall(address,uint256,bytes) -> payable calls::2:0:1
  e9ae5c53 execute(bytes32,bytes) -> payable mode:0:1
  d691c964 executeFromExecutor(bytes32,bytes) -> payable privileged mode:0:1
  47e1da2a executeBatch(address[],uint256[],bytes[]) -> payable parallel:2:1
  34fcd5be executeBatch((address,uint256,bytes)[]) -> payable calls:0.*:2:0:1
  18dfb3c7 executeBatch(address[],bytes[]) -> payable parallel:1
  2c2abd1e executeWithoutChainIdValidation(bytes[]) -> privileged calls:0.*:0
  ${OPERATION_SELECTOR} executeUserOp(${OPERATION},bytes32) -> operations:0
  765e827f handleOps(${OPERATION}[],address) 1fad948c handleOps(${OPERATION_V6}[],address) -> operations:0.*
  dbed18e0 handleAggregatedOps((${OPERATION}[],address,bytes)[],address)
  4b1d7cf5 handleAggregatedOps((${OPERATION_V6}[],address,bytes)[],address) -> operations:0.*.0.*
  6fadcf72 forward(address,bytes) -> payable calls::1:0
  56e7b7aa delegateCall(address,bytes) 6e0aacf7 delegatecall(address,bytes) ee33b7e2 functionDelegateCall(address,bytes)
    -> payable delegates:0 calls::1:0`,
  // Timelocks
  `134008d3 execute(address,uint256,bytes,bytes32,bytes32) -> payable privileged calls::2:0:1
  e38335e5 executeBatch(address[],uint256[],bytes[],bytes32,bytes32) -> payable privileged parallel:2:1
  01d5062a schedule(address,uint256,bytes,bytes32,bytes32,uint256) -> privileged calls::2:0:1
  8f2a0bb0 scheduleBatch(address[],uint256[],bytes[],bytes32,bytes32,uint256) -> privileged parallel:2:1`,
  // Batches
  `8d80ff0a multiSend(bytes) -> payable multiSend:0
  ac9650d8 multicall(bytes[]) d2423b51 batch(bytes[],bool) -> payable calls:0.*:0
  5ae401dc multicall(uint256,bytes[]) 1f0464d1 multicall(bytes32,bytes[]) -> payable calls:1.*:0
  63fb0b96 multicall(address[],bytes[]) -> payable parallel:1
  1749e1e3 multicall((address,uint256,bytes)[]) -> payable calls:0.*:2:0
  252dba42 aggregate((address,bytes)[]) -> payable calls:0.*:1:0
  82ad56cb aggregate3((address,bool,bytes)[]) -> payable calls:0.*:2:0
  174dea71 aggregate3Value((address,bool,uint256,bytes)[]) -> payable calls:0.*:3:0:2
  bce38bd7 tryAggregate(bool,(address,bytes)[]) -> payable calls:1.*:1:0
  c3077fa9 blockAndAggregate((address,bytes)[]) -> payable calls:0.*:1:0
  399542e9 tryBlockAndAggregate(bool,(address,bytes)[]) -> payable calls:1.*:1:0
  b780c362 batch((address,uint256,bytes)[]) -> payable calls:0.*:2:0:1
  24856bc3 execute(bytes,bytes[]) 3593564c execute(bytes,bytes[],uint256) -> payable commands:0:1`,
  // Marketplace orders
  `fb0f3ee1 fulfillBasicOrder(${BASIC_ORDER}) 00000000 fulfillBasicOrder_efficient_6GL6yc(${BASIC_ORDER})
  b3a34c4c fulfillOrder(${ORDER},bytes32) e7acab24 fulfillAdvancedOrder(${ADVANCED_ORDER},${CRITERIA}[],bytes32,address)
  ed98a574 fulfillAvailableOrders(${ORDER}[],(uint256,uint256)[][],(uint256,uint256)[][],bytes32,uint256)
  87201b41 fulfillAvailableAdvancedOrders(${ADVANCED_ORDER}[],${CRITERIA}[],(uint256,uint256)[][],(uint256,uint256)[][],bytes32,address,uint256)
  a8174404 matchOrders(${ORDER}[],((uint256,uint256)[],(uint256,uint256)[])[])
  f2d12b12 matchAdvancedOrders(${ADVANCED_ORDER}[],${CRITERIA}[],((uint256,uint256)[],(uint256,uint256)[])[],address)
    -> payable marketplaceOrder
  88147732 validate(${ORDER}[]) -> marketplaceOrder
  9a1fc3a7 execute(${BLUR_INPUT},${BLUR_INPUT})
  ab834bab atomicMatch_(address[14],uint256[18],uint8[8],bytes,bytes,bytes,bytes,bytes,bytes,uint8[2],bytes32[5])
    -> payable marketplaceOrder
  5b34b966 incrementCounter() fd9f1e10 cancel(${ORDER_PARAMETERS}[]) -> none`,
  // Claims, and function names of drainers
  `4e71d92d claim() 379607f5 claim(uint256) aad3ec96 claim(address,uint256) 372500ab claimRewards() b88a802f claimReward()
  3d18b912 getReward() 5b88349d claimAirdrop() -> payable claim
  3158952e Claim() 79372f9a ClaimReward() 12798972 ClaimRewards() b9a9d3d0 ClaimAirdrop() 5fba79f5 SecurityUpdate()
  e8183e7e SecurityUpdates() af347b61 securityUpdate() 4748c382 ConnectWallet() a16f15c3 Connect() 9dce07b6 networkMerge(address)
    -> payable drainerName`,
  // Everyday functions
  `d0e30db0 deposit() -> payable
  2e1a7d4d withdraw(uint256) 70a08231 balanceOf(address) dd62ed3e allowance(address,address) 18160ddd totalSupply() 313ce567 decimals()
  95d89b41 symbol() 06fdde03 name() 6352211e ownerOf(uint256) -> none
  38ed1739 swapExactTokensForTokens(uint256,uint256,address[],address,uint256)
  8803dbee swapTokensForExactTokens(uint256,uint256,address[],address,uint256) -> transfer:3
  7ff36ab5 swapExactETHForTokens(uint256,address[],address,uint256) fb3bdb41 swapETHForExactTokens(uint256,address[],address,uint256)
    -> payable transfer:2
  18cbafe5 swapExactTokensForETH(uint256,uint256,address[],address,uint256) -> transfer:3
  04e45aaf exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))
  414bf389 exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160)) -> payable routed:0.3
  b858183f exactInput((bytes,address,uint256,uint256)) -> payable routed:0.1
  5023b4df exactOutputSingle((address,address,uint24,address,uint256,uint256,uint160)) -> payable routed:0.3
  12210e8a refundETH() -> payable
  49404b7c unwrapWETH9(uint256,address) -> payable transfer:1
  df2ab5bb sweepToken(address,uint256,address) -> payable transfer:2
  617ba037 supply(address,uint256,address,uint16) 69328dec withdraw(address,uint256,address) -> transfer:2
  a415bcad borrow(address,uint256,uint256,uint16,address) 573ade81 repay(address,uint256,uint256,address) -> none
  6e553f65 deposit(uint256,address) 94bf804d mint(uint256,address) b460af94 withdraw(uint256,address,address)
  ba087652 redeem(uint256,address,address) -> transfer:1
  a694fc3a stake(uint256) 5c19a95c delegate(address) -> none`,
);
