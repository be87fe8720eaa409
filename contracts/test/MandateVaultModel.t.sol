// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MandateVaultModel, ReleaseModel} from "../proofs/MandateVaultModel.sol";
import {MandateVault} from "../src/MandateVault.sol";
import {Terms} from "../src/VaultTerms.sol";
import {VaultKit} from "./VaultKit.sol";

/// Shows what the model keeps internal.
contract ShownModel is MandateVaultModel, ReleaseModel {
    constructor(Terms memory t, uint256 time_) MandateVaultModel(t.start, t.end, t.limit, t.perPayment, time_) {}

    function judges(uint256 value, bool isListed, bool isSigned) external view returns (bool) {
        return judge(value, isListed, isSigned);
    }

    function spentByNow() external view returns (uint256) {
        return spent();
    }

    function releasedBy(uint256 time_, Terms memory t) external pure returns (uint256) {
        return releasedAt(time_, t.start, t.period, t.perPeriod, t.limit);
    }
}

/// Does the same at random with a vault and with its model: both do it or refuse it, and count the same.
contract MandateVaultModelTest is VaultKit {
    MandateVault private vault;
    ShownModel private model;
    Terms private terms;

    function setUp() public {
        prepare();
        Terms memory t = plainTerms();
        (t.limit, t.perPayment, t.perPeriod, t.period) = (5_000, 400, 700, 1 days);
        t.agent = vm.addr(AGENT_KEY);
        t.payees = leaf(SHOP);
        (t.start, t.end) = (START + 1 days, START + 12 days);
        terms = t;
        vault = factory.open(t);
        model = new ShownModel(t, START);
        token.mint(owner, 1_000_000);
        vm.prank(owner);
        token.approve(address(vault), type(uint256).max);
    }

    function testFuzz_the_model_does_what_the_vault_does(uint256 seed) external {
        for (uint256 i = 0; i < 40; ++i) {
            // Forge's own numbers are mostly small: all steps would be of the first kind.
            uint256 random = uint256(keccak256(abi.encode(seed, i)));
            (bool isDone, bytes memory modelled) = _step(random);
            (bool isModelled,) = address(model).call(modelled);
            require(isDone == isModelled, "one of them refuses it");
            _compare(random);
        }
    }

    function _compare(uint256 seed) private {
        require(vault.funded() == model.funded() && vault.isRevoked() == model.isRevoked(), "counts");
        require(vault.spent() == model.spentByNow() && vault.released() == model.released(), "sums");
        uint256 releasedNow = model.releasedBy(block.timestamp, terms);
        require(vault.released() == releasedNow, "release");
        require(token.balanceOf(address(vault)) == model.balance(), "balance");
        uint256 value = seed % 800;
        MandateVault.Payment memory p = signed(vault, payment(SHOP, value), SIGNER_KEY, AGENT_KEY);
        bool isGood = judged(vault, p) == MandateVault.Refusal.None;
        require(isGood == model.judges(value, true, true), "judgement");
    }

    /// Takes one step with the vault; returns whether it was taken, and the call that is the same for the model.
    function _step(uint256 seed) private returns (bool, bytes memory) {
        uint256 value = (seed >> 16) % 65_536;
        (bool isA, bool isB) = (seed & 1 > 0, seed & 2 > 0);
        uint256 kind = (seed >> 8) % 11;
        if (kind == 0) {
            vm.warp(block.timestamp + value % 1.5 days);
            return (true, abi.encodeCall(model.pass, (block.timestamp, vault.released())));
        }
        if (kind == 1) {
            // Sometimes enough to need a count.
            uint256 gift = (isA ? value : value * 60) + 1;
            token.mint(address(vault), gift);
            return (true, abi.encodeCall(model.give, (gift)));
        }
        if (kind == 2) return (_fund(value % 2_000), abi.encodeCall(model.fund, (value % 2_000)));
        if (kind == 3) return (_pull(value % 8_000, isA, isB), abi.encodeCall(model.pull, (value % 8_000, isA || isB)));
        if (kind == 4 && isA) {
            if (isB) vm.prank(owner);
            return (_call(abi.encodeCall(vault.count, ())), abi.encodeCall(model.count, (isB)));
        }
        if (kind == 4) {
            // Often exactly what a count leads to, sometimes one more.
            uint256 total = value % 3 == 0 ? value : vault.spent() + token.balanceOf(address(vault)) + value % 2;
            bytes memory counting = isB ? countSignature(address(vault), total) : bytes("");
            return (
                _call(abi.encodeCall(vault.countSigned, (total, counting))),
                abi.encodeCall(model.countSigned, (total, isB))
            );
        }
        if (kind < 8) return (_pay(value % 500, isA, isB), abi.encodeCall(model.pay, (value % 500, isA, isB)));
        if (kind == 8) return (_payOwner(value, isA, isB), abi.encodeCall(model.payOwner, (value, isA || isB)));
        if (kind == 9) {
            if (isA) vm.prank(owner);
            return (_call(abi.encodeCall(vault.withdraw, ())), abi.encodeCall(model.withdraw, (isA)));
        }
        // Rarely: little happens afterwards.
        bool isByOwner = value % 4 == 0;
        bytes memory signature = isByOwner ? revocation(address(vault)) : bytes("");
        return (_call(abi.encodeCall(vault.revokeSigned, (signature))), abi.encodeCall(model.revoke, (isByOwner, false)));
    }

    function _call(bytes memory data) private returns (bool success) {
        (success,) = address(vault).call(data);
    }

    function _fund(uint256 value) private returns (bool) {
        bytes32 nonce = fresh();
        bytes memory signature = fundingSignature(address(vault), value, nonce);
        return _call(abi.encodeCall(vault.fund, (value, 0, block.timestamp + 600, nonce, signature)));
    }

    function _pull(uint256 total, bool isByOwner, bool isSigned) private returns (bool) {
        bytes memory signature = isSigned ? pullSignature(address(vault), total) : bytes("");
        if (isByOwner) vm.prank(owner);
        return _call(abi.encodeCall(vault.pull, (total, signature)));
    }

    function _pay(uint256 value, bool isListed, bool isSigned) private returns (bool) {
        address to = isListed ? SHOP : OTHER_SHOP;
        return submit(vault, signed(vault, payment(to, value), SIGNER_KEY, isSigned ? AGENT_KEY : SIGNER_KEY));
    }

    function _payOwner(uint256 value, bool isByOwner, bool isBySigner) private returns (bool) {
        uint256 key = isByOwner ? OWNER_KEY : isBySigner ? SIGNER_KEY : AGENT_KEY;
        return submit(vault, signed(vault, payment(owner, value), key, 0));
    }
}
