import {
  type Abi,
  concat,
  getContractAddress,
  getCreate2Address,
  type Hex,
  keccak256,
  pad,
  parseAbi,
  stringToHex,
} from "viem";
import { type Address, toAddress } from "@/lib/core/address";
import { CREATE2_DEPLOYER } from "@/lib/x402/networks";
import artifacts from "./contracts.json";

const TERMS =
  "struct Terms { address token; address owner; address signer; address agent; uint48 start; uint48 end; uint32 period; uint96 limit; uint96 perPayment; uint96 perPeriod; bytes32 payees; bytes32 mandate; }";

/** ABI of contracts/src/MandateVaultFactory.sol. */
export const FACTORY_ABI = parseAbi([
  TERMS,
  "error UnsoundTerms()",
  "event VaultOpened(address indexed vault, address indexed owner, bytes32 indexed mandate)",
  "function implementation() view returns (address)",
  "function vaultOf(Terms terms) view returns (address)",
  "function open(Terms terms) returns (address)",
  "function openAndFund(Terms terms, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)",
  "function openAndPull(Terms terms, uint256 allowance, uint256 deadline, bytes permitSignature, uint256 total, bytes pullSignature)",
]);

/** ABI of contracts/src/MandateVault.sol. */
export const VAULT_ABI = parseAbi([
  TERMS,
  "error NotAVault()",
  "error VaultRevoked()",
  "error VaultEnded()",
  "error NotTheOwner()",
  "error WrongSignature()",
  "error NothingToPull()",
  "error OverReleased()",
  "error NotReturnableYet()",
  "error TransferFailed()",
  "error NotEnoughGas()",
  "event Funded(uint256 value)",
  "event Pulled(uint256 value)",
  "event Revoked()",
  "event Returned(uint256 value)",
  "function judge(bytes32 hash, bytes signature) view returns (uint8)",
  "function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)",
  "function terms() view returns (Terms)",
  "function funded() view returns (uint256)",
  "function spent() view returns (uint256)",
  "function released() view returns (uint256)",
  "function isRevoked() view returns (bool)",
  "function fund(uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)",
  "function pull(uint256 total, bytes signature)",
  "function count()",
  "function revoke()",
  "function revokeSigned(bytes signature)",
  "function withdraw()",
]) satisfies Abi;

const FACTORY_SALT = keccak256(stringToHex("tessera vault factory 1"));
const FACTORY_BYTECODE = artifacts.factory.bytecode as Hex;

/** Data of the transaction to CREATE2_DEPLOYER that deploys the factory, and with it the code of the vaults. */
export const FACTORY_DEPLOYMENT = concat([FACTORY_SALT, FACTORY_BYTECODE]);

/** The factory's address on every network. CREATE2 ties it to the bytecode, so no other code can be there. Why: docs/decisions.md, 147. */
export const VAULT_FACTORY = toAddress(
  getCreate2Address({ from: CREATE2_DEPLOYER, salt: FACTORY_SALT, bytecode: FACTORY_BYTECODE }),
);

/** The code that vaults delegate to: the first contract that the factory created. */
export const VAULT_IMPLEMENTATION = toAddress(getContractAddress({ from: VAULT_FACTORY, nonce: 1n }));

/** The compiler's placeholder for an immutable: a PUSH32 of zeros. */
const IMMUTABLE = `7f${"00".repeat(32)}`;

const FACTORY_CODE = artifacts.factory.deployedBytecode.replaceAll(
  IMMUTABLE,
  `7f${pad(VAULT_IMPLEMENTATION).slice(2).toLowerCase()}`,
) as Hex;

type Contract = { name: string; address: Address; code: Hex };

/** The contracts that vaults need, with their runtime code. */
export const VAULT_CONTRACTS: readonly [Contract, Contract] = [
  { name: "vault factory", address: VAULT_FACTORY, code: FACTORY_CODE },
  { name: "vault implementation", address: VAULT_IMPLEMENTATION, code: artifacts.vault.deployedBytecode as Hex },
];

/** Refusals of `judge`, in the contract's order. */
export const REFUSALS = [
  "None",
  "OtherDigest",
  "Revoked",
  "NotStarted",
  "Ended",
  "OverPaymentCap",
  "PayeeNotListed",
  "NotReleased",
  "NotSigned",
  "NotSignedByAgent",
  "NotCounted",
] as const;
export type Refusal = (typeof REFUSALS)[number];
