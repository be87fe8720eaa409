// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// A hostile wallet without storage, so that an account can delegate to it (EIP-7702): it accepts every signature while it is
/// simulated, where gas has no price, and burns all its gas in a transaction.
contract TurncoatWallet {
    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        if (tx.gasprice > 0) while (true) {}
        return 0x1626ba7e;
    }
}
