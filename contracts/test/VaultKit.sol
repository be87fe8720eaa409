// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MandateVault} from "../src/MandateVault.sol";
import {MandateVaultFactory} from "../src/MandateVaultFactory.sol";
import {Terms} from "../src/VaultTerms.sol";
import {TestDollar} from "token/TestDollar.sol";
import {selectorOf} from "./Reason.sol";

/// The cheat codes of forge that these tests use.
interface Vm {
    function addr(uint256 key) external pure returns (address);
    function sign(uint256 key, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function warp(uint256 timestamp) external;
    function etch(address account, bytes calldata code) external;
    function prank(address sender) external;
    function snapshotGasLastCall(string calldata name) external returns (uint256 gasUsed);
}

/// The token after Circle changed its name, and with it the domain of all signatures.
contract RenamedDollar is TestDollar {
    function name() public pure override returns (string memory) {
        return "USD Coin (new)";
    }
}

/// Keys, terms and signatures of the tests of vaults.
abstract contract VaultKit {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    uint256 internal constant OWNER_KEY = 0xa11ce;
    uint256 internal constant SIGNER_KEY = 0x519;
    uint256 internal constant AGENT_KEY = 0xa9e;
    address internal constant SHOP = address(0x5409);
    address internal constant OTHER_SHOP = address(0x540a);
    bytes32 internal constant MANDATE = keccak256("mandate");
    uint48 internal constant START = 1_000_000;

    MandateVaultFactory internal factory;
    TestDollar internal token;
    address internal owner;
    uint256 private nonce;

    function prepare() internal {
        vm.warp(START);
        factory = new MandateVaultFactory();
        token = new TestDollar();
        owner = vm.addr(OWNER_KEY);
    }

    /// A thousand dollars for a month, to anybody, all at once.
    function plainTerms() internal view returns (Terms memory) {
        return Terms({
            token: address(token),
            owner: owner,
            signer: vm.addr(SIGNER_KEY),
            agent: address(0),
            start: START,
            end: START + 30 days,
            period: 0,
            limit: 1_000e6,
            perPayment: 0,
            perPeriod: 0,
            payees: 0,
            mandate: MANDATE
        });
    }

    function sign(uint256 key, bytes32 digest) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }

    function tokenDigest(bytes memory message) internal view returns (bytes32) {
        return keccak256(abi.encodePacked(hex"1901", token.DOMAIN_SEPARATOR(), keccak256(message)));
    }

    function vaultDigest(address vault, bytes memory message) internal view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("Mandate Vault"),
                keccak256("1"),
                block.chainid,
                vault
            )
        );
        return keccak256(abi.encodePacked(hex"1901", domain, keccak256(message)));
    }

    function fresh() internal returns (bytes32) {
        return bytes32(++nonce);
    }

    function payment(address to, uint256 value) internal returns (MandateVault.Payment memory p) {
        p.to = to;
        p.value = value;
        p.validBefore = block.timestamp + 600;
        p.nonce = fresh();
    }

    function digestOf(MandateVault vault, MandateVault.Payment memory p) internal view returns (bytes32) {
        return tokenDigest(
            abi.encode(
                token.TRANSFER_WITH_AUTHORIZATION_TYPEHASH(),
                address(vault),
                p.to,
                p.value,
                p.validAfter,
                p.validBefore,
                p.nonce
            )
        );
    }

    function signed(MandateVault vault, MandateVault.Payment memory p, uint256 key, uint256 agentKey)
        internal
        view
        returns (MandateVault.Payment memory)
    {
        p.signature = sign(key, digestOf(vault, p));
        if (agentKey != 0) p.agentSignature = sign(agentKey, digestOf(vault, p));
        return p;
    }

    function judged(MandateVault vault, MandateVault.Payment memory p) internal view returns (MandateVault.Refusal) {
        return vault.judge(digestOf(vault, p), abi.encode(p));
    }

    function submission(MandateVault vault, MandateVault.Payment memory p) internal pure returns (bytes memory) {
        return abi.encodeWithSignature(
            "transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)",
            address(vault), p.to, p.value, p.validAfter, p.validBefore, p.nonce, abi.encode(p)
        );
    }

    function submit(MandateVault vault, MandateVault.Payment memory p) internal returns (bool) {
        (bool success,) = address(token).call(submission(vault, p));
        return success;
    }

    /// Pays with the service's signature, and the agent's if the terms name one.
    function pay(MandateVault vault, address to, uint256 value) internal returns (bool) {
        uint256 agentKey = vault.terms().agent == address(0) ? 0 : AGENT_KEY;
        return submit(vault, signed(vault, payment(to, value), SIGNER_KEY, agentKey));
    }

    function fundingSignature(address vault, uint256 value, bytes32 nonce_) internal view returns (bytes memory) {
        return sign(
            OWNER_KEY,
            tokenDigest(
                abi.encode(
                    token.RECEIVE_WITH_AUTHORIZATION_TYPEHASH(),
                    owner,
                    vault,
                    value,
                    0,
                    block.timestamp + 600,
                    nonce_
                )
            )
        );
    }

    function fund(MandateVault vault, uint256 value) internal {
        token.mint(owner, value);
        bytes32 nonce_ = fresh();
        bytes memory signature = fundingSignature(address(vault), value, nonce_);
        vault.fund(value, 0, block.timestamp + 600, nonce_, signature);
    }

    function pullSignature(address vault, uint256 total) internal view returns (bytes memory) {
        return sign(SIGNER_KEY, vaultDigest(vault, abi.encode(keccak256("Pull(uint256 total)"), total)));
    }

    function countSignature(address vault, uint256 total) internal view returns (bytes memory) {
        return sign(SIGNER_KEY, vaultDigest(vault, abi.encode(keccak256("Count(uint256 total)"), total)));
    }

    function revocation(address vault) internal view returns (bytes memory) {
        return sign(OWNER_KEY, vaultDigest(vault, abi.encode(keccak256("Revocation(bytes32 mandate)"), MANDATE)));
    }

    function opened(Terms memory terms, uint256 funds) internal returns (MandateVault vault) {
        vault = factory.open(terms);
        if (funds > 0) fund(vault, funds);
    }

    function leaf(address payee) internal pure returns (bytes32) {
        return keccak256(bytes.concat(keccak256(abi.encode(payee))));
    }

    function root(bytes32 a, bytes32 b) internal pure returns (bytes32) {
        return a < b ? keccak256(bytes.concat(a, b)) : keccak256(bytes.concat(b, a));
    }

    function revertsWith(bytes4 wanted, address target, bytes memory data) internal {
        (bool success, bytes memory reason) = target.call(data);
        require(!success && selectorOf(reason) == wanted, "did not revert as expected");
    }
}
