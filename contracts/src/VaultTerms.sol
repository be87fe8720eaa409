// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// What an owner agreed to. The address of a vault is derived from all of it.
struct Terms {
    /// The USDC of this chain.
    address token;
    /// Whose money it is. Money that does not pay a payee goes only here.
    address owner;
    /// The service's key for this mandate. It may pay within these terms, and return money to the owner.
    address signer;
    /// A key that must sign each payment as well; 0 = none.
    address agent;
    /// Unix seconds. Payments are possible from `start` until before `end`.
    uint48 start;
    uint48 end;
    /// Seconds; 0 exactly if `perPeriod` is 0.
    uint32 period;
    /// Atomic units, as all amounts.
    uint96 limit;
    /// Cap of one payment; 0 = none.
    uint96 perPayment;
    /// Released at the begin of each period; what is left over stays released. 0 = all of `limit` at once.
    uint96 perPeriod;
    /// Merkle root of the permitted payees; 0 = any.
    bytes32 payees;
    /// EIP-712 hash of the mandate that the owner signed.
    bytes32 mandate;
}

/// The bytes of terms at the end of a vault's code. Packed: each byte there costs 200 gas at the opening.
library VaultTerms {
    uint256 internal constant SIZE = 196;

    function pack(Terms calldata terms) internal pure returns (bytes memory) {
        // In two parts, or there are too many variables for the stack.
        return bytes.concat(
            abi.encodePacked(terms.token, terms.owner, terms.signer, terms.agent, terms.start, terms.end, terms.period),
            abi.encodePacked(terms.limit, terms.perPayment, terms.perPeriod, terms.payees, terms.mandate)
        );
    }

    /// `packed` must have SIZE bytes.
    function unpack(bytes memory packed) internal pure returns (Terms memory terms) {
        terms.token = address(bytes20(_word(packed, 0)));
        terms.owner = address(bytes20(_word(packed, 20)));
        terms.signer = address(bytes20(_word(packed, 40)));
        terms.agent = address(bytes20(_word(packed, 60)));
        terms.start = uint48(bytes6(_word(packed, 80)));
        terms.end = uint48(bytes6(_word(packed, 86)));
        terms.period = uint32(bytes4(_word(packed, 92)));
        terms.limit = uint96(bytes12(_word(packed, 96)));
        terms.perPayment = uint96(bytes12(_word(packed, 108)));
        terms.perPeriod = uint96(bytes12(_word(packed, 120)));
        terms.payees = _word(packed, 132);
        terms.mandate = _word(packed, 164);
    }

    function _word(bytes memory packed, uint256 offset) private pure returns (bytes32 word) {
        assembly ("memory-safe") {
            word := mload(add(add(packed, 32), offset))
        }
    }
}
