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
import second from "./contracts.json";
import first from "./contracts-v1.json";

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

/** ABI of contracts/src/MandateVault.sol. The first version has neither `countSigned` nor `NothingToCount`. */
export const VAULT_ABI = parseAbi([
  TERMS,
  "error NotAVault()",
  "error VaultRevoked()",
  "error VaultEnded()",
  "error NotTheOwner()",
  "error WrongSignature()",
  "error NothingToPull()",
  "error NothingToCount()",
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
  "function countSigned(uint256 total, bytes signature)",
  "function revoke()",
  "function revokeSigned(bytes signature)",
  "function withdraw()",
]) satisfies Abi;

/** The version of its contract is a term of a vault: its address depends on it, and so does what its owner signs. */
export type VaultVersion = 1 | 2;

type Contract = { name: string; address: Address; code: Hex };
type Artifacts = { vault: { deployedBytecode: string }; factory: { bytecode: string; deployedBytecode: string } };

/** The contracts of a version, the same on every network, with their runtime code. */
export type VaultContracts = {
  factory: Contract;
  /** The code that vaults delegate to: the first contract that the factory created. */
  implementation: Contract;
  /** Data of the transaction to CREATE2_DEPLOYER that deploys the factory, and with it the code of the vaults. */
  deployment: Hex;
};

/** The compiler's placeholder for an immutable: a PUSH32 of zeros. */
const IMMUTABLE = `7f${"00".repeat(32)}`;

/** CREATE2 ties the factory's address to the bytecode, so no other code can be there. Why: docs/decisions.md, 147. */
function contractsOf(version: VaultVersion, { vault, factory }: Artifacts): VaultContracts {
  const salt = keccak256(stringToHex(`tessera vault factory ${version}`));
  const bytecode = factory.bytecode as Hex;
  const address = toAddress(getCreate2Address({ from: CREATE2_DEPLOYER, salt, bytecode }));
  const implementation = toAddress(getContractAddress({ from: address, nonce: 1n }));
  const word = `7f${pad(implementation).slice(2).toLowerCase()}`;
  return {
    factory: {
      name: `vault factory, version ${version}`,
      address,
      code: factory.deployedBytecode.replaceAll(IMMUTABLE, word) as Hex,
    },
    implementation: {
      name: `vault implementation, version ${version}`,
      address: implementation,
      code: vault.deployedBytecode as Hex,
    },
    deployment: concat([salt, bytecode]),
  };
}

export const VAULT_CONTRACTS: Readonly<Record<VaultVersion, VaultContracts>> = {
  1: contractsOf(1, first),
  2: contractsOf(2, second),
};
export const VAULT_VERSIONS = [1, 2] as const satisfies readonly VaultVersion[];
export const NEWEST_VERSION: VaultVersion = 2;

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
  "NotCanonical",
] as const;
export type Refusal = (typeof REFUSALS)[number];
