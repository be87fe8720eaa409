// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Submits many EIP-3009 transfers in one transaction so that none can harm another.
///
/// Each transfer is a call to the token with a gas stipend of its own. It may fail or burn its whole stipend; the others
/// still run with all of theirs. The contract has no owner, no storage and no way to receive money, and anybody may call it:
/// what it submits is what the payers signed.
contract Settler {
    struct Transfer {
        address from;
        address to;
        uint256 value;
        uint256 validAfter;
        uint256 validBefore;
        bytes32 nonce;
        /// Gas that the token call gets: exactly this much.
        uint256 gasStipend;
        bytes signature;
    }

    struct Failure {
        uint256 index;
        /// What the token reverted with, at most REASON_BYTES_MAX of it.
        bytes reason;
    }

    event TransferFailed(uint256 indexed index, bytes reason);

    error NotAToken();
    error NotEnoughGas(uint256 needed);
    error TransferRefused(uint256 index, bytes reason);

    uint256 private constant REASON_BYTES_MAX = 256;
    /// The most that one transfer costs beside its stipend, without the bytes of its signature.
    uint256 private constant OVERHEAD = 15_000;
    /// The cost of a call to a cold account, and a margin for the instructions around it.
    uint256 private constant CALL_GAS = 5_000;
    bytes4 private constant TRANSFER_WITH_AUTHORIZATION =
        bytes4(keccak256("transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)"));

    /// Makes each transfer that the token accepts, and returns those it refused. Reverts, with nothing done, if there is not
    /// enough gas to give every transfer its stipend.
    function settle(address token, Transfer[] calldata items) external returns (Failure[] memory failures) {
        _requireGas(token, items);
        uint256 count;
        for (uint256 index = 0; index < items.length; ++index) {
            (bool isMade, bytes memory reason) = _attempt(token, items[index]);
            if (isMade) continue;
            if (count == 0) failures = new Failure[](items.length);
            failures[count] = Failure(index, reason);
            ++count;
            emit TransferFailed(index, reason);
        }
        assembly {
            // Without a failure this is the shared empty array, which must stay as it is.
            if count { mstore(failures, count) }
        }
    }

    /// Makes all transfers, or reverts with the first that the token refused.
    function settleTogether(address token, Transfer[] calldata items) external {
        _requireGas(token, items);
        for (uint256 index = 0; index < items.length; ++index) {
            (bool isMade, bytes memory reason) = _attempt(token, items[index]);
            if (!isMade) revert TransferRefused(index, reason);
        }
    }

    function _requireGas(address token, Transfer[] calldata items) private view {
        if (token.code.length == 0) revert NotAToken();
        uint256 needed = CALL_GAS;
        uint256 largest = 0;
        for (uint256 index = 0; index < items.length; ++index) {
            uint256 stipend = items[index].gasStipend;
            needed += stipend + OVERHEAD + 2 * items[index].signature.length;
            if (stipend > largest) largest = stipend;
        }
        // A call is given at most 63/64 of what is left (EIP-150).
        needed += largest / 63;
        if (gasleft() < needed) revert NotEnoughGas(needed);
    }

    function _attempt(address token, Transfer calldata item) private returns (bool isMade, bytes memory reason) {
        uint256 free;
        assembly {
            free := mload(0x40)
        }
        bytes memory data = abi.encodeWithSelector(
            TRANSFER_WITH_AUTHORIZATION,
            item.from,
            item.to,
            item.value,
            item.validAfter,
            item.validBefore,
            item.nonce,
            item.signature
        );
        uint256 stipend = item.gasStipend;
        uint256 needed = stipend + stipend / 63 + CALL_GAS;
        if (gasleft() < needed) revert NotEnoughGas(needed);
        assembly {
            // Nothing is copied back by the call itself: a long answer costs the callee, not us.
            isMade := call(stipend, token, 0, add(data, 32), mload(data), 0, 0)
            switch isMade
            case 1 {
                // The memory of a call that is over serves the next one.
                mstore(0x40, free)
            }
            default {
                let size := returndatasize()
                if gt(size, REASON_BYTES_MAX) { size := REASON_BYTES_MAX }
                reason := mload(0x40)
                mstore(reason, size)
                returndatacopy(add(reason, 32), 0, size)
                mstore(add(add(reason, 32), size), 0)
                mstore(0x40, add(reason, and(add(size, 95), not(31))))
            }
        }
    }
}
