// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {IFiatToken} from "../IFiatToken.sol";
import {MandateVault} from "./MandateVault.sol";
import {Terms, VaultTerms} from "../VaultTerms.sol";

/// Opens vaults. It has no owner, no storage and no money, and anybody may call it: the address of a vault depends on its terms
/// alone, so nobody can open one with others there.
contract MandateVaultFactory {
    using VaultTerms for Terms;

    event VaultOpened(address indexed vault, address indexed owner, bytes32 indexed mandate);

    error UnsoundTerms();

    address public immutable implementation;

    constructor() {
        implementation = address(new MandateVault());
    }

    /// The address of the vault with these terms, open or not.
    function vaultOf(Terms calldata terms) external view returns (address) {
        return Clones.predictDeterministicAddressWithImmutableArgs(implementation, terms.pack(), 0);
    }

    /// Opens the vault, or returns the open one.
    function open(Terms calldata terms) public returns (MandateVault) {
        _requireSound(terms);
        bytes memory packed = terms.pack();
        address vault = Clones.predictDeterministicAddressWithImmutableArgs(implementation, packed, 0);
        if (vault.code.length == 0) {
            vault = Clones.cloneDeterministicWithImmutableArgs(implementation, packed, 0);
            emit VaultOpened(vault, terms.owner, terms.mandate);
        }
        return MandateVault(vault);
    }

    /// Opens the vault and funds it with the owner's ReceiveWithAuthorization to the vault.
    function openAndFund(
        Terms calldata terms,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external {
        open(terms).fund(value, validAfter, validBefore, nonce, signature);
    }

    /// Opens the vault, submits the owner's EIP-2612 permit for it, and pulls until `total` came in, unless that is 0.
    function openAndPull(
        Terms calldata terms,
        uint256 allowance,
        uint256 deadline,
        bytes calldata permitSignature,
        uint256 total,
        bytes calldata pullSignature
    ) external {
        MandateVault vault = open(terms);
        IFiatToken token = IFiatToken(terms.token);
        // Anybody may submit a permit, and then it fails here. What counts is the allowance.
        try token.permit(terms.owner, address(vault), allowance, deadline, permitSignature) {}
        catch (bytes memory reason) {
            if (token.allowance(terms.owner, address(vault)) < allowance) _revertWith(reason);
        }
        if (total > 0) vault.pull(total, pullSignature);
    }

    function _requireSound(Terms calldata terms) private view {
        bool isSound = terms.token.code.length > 0 && terms.owner != address(0) && terms.signer != address(0)
            && terms.agent != terms.signer && terms.start < terms.end && terms.limit > 0
            && (terms.perPeriod == 0) == (terms.period == 0);
        if (!isSound) revert UnsoundTerms();
    }

    function _revertWith(bytes memory reason) private pure {
        assembly ("memory-safe") {
            revert(add(reason, 32), mload(reason))
        }
    }
}
