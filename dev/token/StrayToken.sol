// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

/// A token that somebody sends to the wrong place, for tests. `mode` says how its transfer misbehaves.
contract StrayToken {
    enum Mode { Honest, Silent, Fee, Reverts, SaysFalse, Lies, BurnsGas, BurnsOnChain }

    Mode public mode;
    string public symbol;
    uint8 public decimals = 18;
    mapping(address => uint256) private held;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(Mode mode_, string memory symbol_) {
        mode = mode_;
        symbol = symbol_;
    }

    function mint(address to, uint256 amount) external {
        held[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function balanceOf(address account) external view returns (uint256) {
        return held[account];
    }

    function transfer(address to, uint256 amount) external {
        require(mode != Mode.Reverts, "not today");
        // A call without a transaction has no gas price on most nodes.
        if (mode == Mode.BurnsGas || (mode == Mode.BurnsOnChain && tx.gasprice > 0)) while (true) {}
        emit Transfer(msg.sender, to, amount);
        if (mode == Mode.SaysFalse) answer(0);
        if (mode != Mode.Lies) {
            uint256 fee = mode == Mode.Fee ? amount / 10 : 0;
            held[msg.sender] -= amount;
            held[to] += amount - fee;
        }
        if (mode != Mode.Silent) answer(1);
    }

    function answer(uint256 word) private pure {
        assembly ("memory-safe") {
            mstore(0, word)
            return(0, 32)
        }
    }
}
