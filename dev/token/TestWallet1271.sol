// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";

/// A contract wallet that accepts signatures of its owner's key.
contract TestWallet1271 is IERC1271 {
    address public immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function isValidSignature(bytes32 hash, bytes memory signature) public view virtual returns (bytes4) {
        (address signer, ECDSA.RecoverError failure,) = ECDSA.tryRecover(hash, signature);
        bool isOwner = failure == ECDSA.RecoverError.NoError && signer == owner;
        return isOwner ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }
}

/// A hostile wallet: it accepts the owner's signatures after burning all but about a sixteenth of its gas.
contract GasBurningWallet1271 is TestWallet1271 {
    constructor(address owner_) TestWallet1271(owner_) {}

    function isValidSignature(bytes32 hash, bytes memory signature) public view override returns (bytes4) {
        uint256 gasLeftOver = gasleft() / 16 + 10_000;
        bytes32 burnt = hash;
        while (gasleft() > gasLeftOver) burnt = keccak256(abi.encode(burnt));
        return burnt == 0 ? bytes4(0xffffffff) : super.isValidSignature(hash, signature);
    }
}
