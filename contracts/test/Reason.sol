// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// The selector of the error that a call reverted with.
function selectorOf(bytes memory reason) pure returns (bytes4) {
    // What follows it are the error's arguments.
    // forge-lint: disable-next-line(unsafe-typecast)
    return bytes4(reason);
}
