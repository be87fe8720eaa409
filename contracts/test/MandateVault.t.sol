// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MandateVault} from "../src/MandateVault.sol";
import {MandateVaultFactory} from "../src/MandateVaultFactory.sol";
import {Settler} from "../src/Settler.sol";
import {Terms} from "../src/VaultTerms.sol";
import {TestWallet1271} from "token/TestWallet1271.sol";
import {RenamedDollar, VaultKit} from "./VaultKit.sol";

/// An owner that agrees to everything.
contract AgreeingWallet {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        return 0x1626ba7e;
    }
}

contract MandateVaultTest is VaultKit {
    function setUp() public {
        prepare();
    }

    function expect(MandateVault vault, MandateVault.Payment memory p, MandateVault.Refusal refusal) private {
        require(judged(vault, p) == refusal, "judged otherwise");
        require(submit(vault, p) == (refusal == MandateVault.Refusal.None), "the token did otherwise");
    }

    function good(MandateVault vault, uint256 value) private returns (MandateVault.Payment memory) {
        return signed(vault, payment(SHOP, value), SIGNER_KEY, 0);
    }

    function test_pays() public {
        MandateVault vault = opened(plainTerms(), 100e6);
        expect(vault, good(vault, 40e6), MandateVault.Refusal.None);
        expect(vault, good(vault, 60e6), MandateVault.Refusal.None);
        require(token.balanceOf(SHOP) == 100e6 && vault.spent() == 100e6 && vault.funded() == 100e6, "sums");
        require(!pay(vault, SHOP, 1), "paid what it does not have");
    }

    function test_the_same_payment_is_made_once() public {
        MandateVault vault = opened(plainTerms(), 100e6);
        MandateVault.Payment memory p = good(vault, 40e6);
        require(submit(vault, p) && !submit(vault, p), "twice");
    }

    function test_refuses_another_digest() public {
        MandateVault vault = opened(plainTerms(), 100e6);
        MandateVault.Payment memory p = good(vault, 1e6);
        require(
            vault.judge(bytes32(uint256(1)), abi.encode(p)) == MandateVault.Refusal.OtherDigest, "another digest"
        );
        require(vault.isValidSignature(bytes32(uint256(1)), abi.encode(p)) == 0xffffffff, "magic");
        // The token asks about what is transferred, and not about what was signed.
        bytes memory signature = abi.encode(p);
        try token.transferWithAuthorization(
            address(vault), OTHER_SHOP, p.value, p.validAfter, p.validBefore, p.nonce, signature
        ) {
            revert("paid another");
        } catch {}
        require(vault.isValidSignature(bytes32(0), hex"1234") == 0xffffffff, "short");
        require(vault.isValidSignature(bytes32(0), "") == 0xffffffff, "empty");
    }

    function test_a_vault_signs_nothing_but_transfers() public {
        MandateVault vault = opened(plainTerms(), 100e6);
        MandateVault.Payment memory p = good(vault, 100e6);
        bytes memory signature = abi.encode(p);
        try token.permit(address(vault), SHOP, 100e6, block.timestamp, signature) {
            revert("permit");
        } catch {}
        vm.prank(SHOP);
        try token.receiveWithAuthorization(
            address(vault), SHOP, p.value, p.validAfter, p.validBefore, p.nonce, signature
        ) {
            revert("received");
        } catch {}
        try token.cancelAuthorization(address(vault), p.nonce, signature) {
            revert("canceled");
        } catch {}
    }

    function test_refuses_before_start_and_from_end() public {
        Terms memory t = plainTerms();
        t.start = START + 100;
        MandateVault vault = opened(t, 100e6);
        vm.warp(START + 99);
        expect(vault, good(vault, 1e6), MandateVault.Refusal.NotStarted);
        vm.warp(START + 100);
        expect(vault, good(vault, 1e6), MandateVault.Refusal.None);
        vm.warp(t.end - 1);
        expect(vault, good(vault, 1e6), MandateVault.Refusal.None);
        vm.warp(t.end);
        expect(vault, good(vault, 1e6), MandateVault.Refusal.Ended);
    }

    function test_refuses_over_the_cap_of_a_payment() public {
        Terms memory t = plainTerms();
        t.perPayment = 5e6;
        MandateVault vault = opened(t, 100e6);
        expect(vault, good(vault, 5e6 + 1), MandateVault.Refusal.OverPaymentCap);
        expect(vault, good(vault, 5e6), MandateVault.Refusal.None);
    }

    function test_refuses_payees_that_are_not_listed() public {
        Terms memory t = plainTerms();
        t.payees = root(leaf(SHOP), leaf(OTHER_SHOP));
        MandateVault vault = opened(t, 100e6);
        expect(vault, good(vault, 1e6), MandateVault.Refusal.PayeeNotListed);
        MandateVault.Payment memory p = payment(SHOP, 1e6);
        p.proof = new bytes32[](1);
        p.proof[0] = leaf(OTHER_SHOP);
        expect(vault, signed(vault, p, SIGNER_KEY, 0), MandateVault.Refusal.None);
        p = payment(address(0xbad), 1e6);
        p.proof = new bytes32[](1);
        p.proof[0] = leaf(OTHER_SHOP);
        expect(vault, signed(vault, p, SIGNER_KEY, 0), MandateVault.Refusal.PayeeNotListed);
    }

    function test_releases_by_period_and_carries_over() public {
        Terms memory t = plainTerms();
        (t.period, t.perPeriod, t.limit) = (1 days, 10e6, 25e6);
        MandateVault vault = opened(t, 100e6);
        expect(vault, good(vault, 10e6 + 1), MandateVault.Refusal.NotReleased);
        expect(vault, good(vault, 4e6), MandateVault.Refusal.None);
        vm.warp(START + 1 days);
        require(vault.released() == 20e6, "released");
        expect(vault, good(vault, 16e6 + 1), MandateVault.Refusal.NotReleased);
        expect(vault, good(vault, 16e6), MandateVault.Refusal.None);
        vm.warp(START + 20 days);
        expect(vault, good(vault, 5e6 + 1), MandateVault.Refusal.NotReleased);
        expect(vault, good(vault, 5e6), MandateVault.Refusal.None);
        require(token.balanceOf(SHOP) == 25e6, "limit");
    }

    function test_extreme_terms() public {
        Terms memory t = plainTerms();
        (t.limit, t.perPeriod, t.period, t.end) = (type(uint96).max, type(uint96).max, 1, type(uint48).max);
        MandateVault vault = opened(t, 1);
        vm.warp(type(uint48).max - 1);
        expect(vault, good(vault, 1), MandateVault.Refusal.None);
        t.limit = 1;
        vault = opened(t, 100);
        expect(vault, good(vault, 2), MandateVault.Refusal.NotReleased);
        expect(vault, good(vault, 1), MandateVault.Refusal.None);
        expect(vault, good(vault, 1), MandateVault.Refusal.NotReleased);
        expect(vault, good(vault, type(uint256).max), MandateVault.Refusal.NotReleased);
    }

    function test_needs_the_signer() public {
        MandateVault vault = opened(plainTerms(), 100e6);
        expect(vault, signed(vault, payment(SHOP, 1), AGENT_KEY, 0), MandateVault.Refusal.NotSigned);
        // Payments of the owner to others are not the vault's purpose either.
        expect(vault, signed(vault, payment(SHOP, 1), OWNER_KEY, 0), MandateVault.Refusal.NotSigned);
        expect(vault, payment(SHOP, 1), MandateVault.Refusal.NotSigned);
    }

    function test_needs_the_agent() public {
        Terms memory t = plainTerms();
        t.agent = vm.addr(AGENT_KEY);
        MandateVault vault = opened(t, 100e6);
        expect(vault, good(vault, 1), MandateVault.Refusal.NotSignedByAgent);
        expect(
            vault,
            signed(vault, payment(SHOP, 1), SIGNER_KEY, SIGNER_KEY),
            MandateVault.Refusal.NotSignedByAgent
        );
        expect(vault, signed(vault, payment(SHOP, 1), AGENT_KEY, AGENT_KEY), MandateVault.Refusal.NotSigned);
        expect(vault, signed(vault, payment(SHOP, 1), SIGNER_KEY, AGENT_KEY), MandateVault.Refusal.None);
    }

    function test_refuses_after_revocation_but_lets_the_owner_out() public {
        MandateVault vault = opened(plainTerms(), 100e6);
        vm.prank(owner);
        vault.revoke();
        require(token.balanceOf(owner) == 100e6 && vault.isRevoked(), "returned");
        token.mint(address(vault), 7);
        expect(vault, good(vault, 1), MandateVault.Refusal.Revoked);
        expect(vault, signed(vault, payment(owner, 7), OWNER_KEY, 0), MandateVault.Refusal.None);
    }

    /// Before the start, after the end, over every cap, to a payee that is not listed, without the agent.
    function test_no_rule_stops_money_on_its_way_home() public {
        Terms memory t = plainTerms();
        (t.start, t.limit, t.perPayment, t.perPeriod, t.period) = (START + 50, 2, 1, 1, 1);
        (t.agent, t.payees) = (vm.addr(AGENT_KEY), leaf(SHOP));
        MandateVault vault = opened(t, 100e6);
        expect(vault, signed(vault, payment(owner, 30e6), OWNER_KEY, 0), MandateVault.Refusal.None);
        vm.warp(t.end);
        expect(vault, signed(vault, payment(owner, 30e6), SIGNER_KEY, 0), MandateVault.Refusal.None);
        expect(vault, signed(vault, payment(owner, 1), AGENT_KEY, 0), MandateVault.Refusal.Ended);
    }

    function test_money_that_was_sent_here_does_not_raise_the_limit() public {
        Terms memory t = plainTerms();
        t.limit = 10e6;
        MandateVault vault = opened(t, 0);
        token.mint(address(vault), 100e6);
        expect(vault, good(vault, 1e6), MandateVault.Refusal.NotCounted);
        vault.countSigned(100e6, countSignature(address(vault), 100e6));
        require(vault.funded() == 100e6 && vault.spent() == 0, "counted");
        expect(vault, good(vault, 10e6 + 1), MandateVault.Refusal.NotReleased);
        expect(vault, good(vault, 10e6), MandateVault.Refusal.None);
        expect(vault, good(vault, 1), MandateVault.Refusal.NotReleased);
    }

    function test_a_little_money_does_not_block_a_payment() public {
        MandateVault vault = opened(plainTerms(), 10e6);
        token.mint(address(vault), 1e6);
        expect(vault, good(vault, 10e6), MandateVault.Refusal.None);
    }

    function test_a_refund_can_be_spent_again_unless_it_was_counted() public {
        Terms memory t = plainTerms();
        t.limit = 10e6;
        MandateVault vault = opened(t, 20e6);
        require(pay(vault, SHOP, 10e6), "paid");
        vm.prank(SHOP);
        require(token.transfer(address(vault), 10e6), "refund");
        require(vault.spent() == 0, "refunded");
        require(pay(vault, SHOP, 10e6), "paid again");
        vm.prank(owner);
        vault.count();
        vm.prank(SHOP);
        require(token.transfer(address(vault), 10e6), "refund");
        require(vault.spent() == 10e6 && !pay(vault, SHOP, 1), "counted");
    }

    /// What left and comes back can be spent again, unless owner or signer have it counted in between.
    function test_a_stranger_makes_nothing_spent() public {
        MandateVault vault = opened(plainTerms(), 20e6);
        require(pay(vault, SHOP, 10e6), "paid");
        revertsWith(MandateVault.NotTheOwner.selector, address(vault), abi.encodeCall(vault.count, ()));
        vm.prank(vm.addr(SIGNER_KEY));
        revertsWith(MandateVault.NotTheOwner.selector, address(vault), abi.encodeCall(vault.count, ()));
        bytes[3] memory signatures = [
            bytes(""),
            // For another purpose, and for another total.
            pullSignature(address(vault), 20e6),
            countSignature(address(vault), 20e6 + 1)
        ];
        for (uint256 i = 0; i < 3; ++i) {
            revertsWith(
                MandateVault.WrongSignature.selector,
                address(vault),
                abi.encodeCall(vault.countSigned, (20e6, signatures[i]))
            );
        }
        vm.prank(SHOP);
        require(token.transfer(address(vault), 10e6), "refund");
        require(vault.spent() == 0 && vault.funded() == 20e6, "counted");
        require(pay(vault, SHOP, 20e6), "the refund was made spent");
    }

    function test_a_signed_count_is_of_use_once_and_only_when_its_total_is_there() public {
        MandateVault vault = opened(plainTerms(), 20e6);
        MandateVault other = opened(capped(), 20e6);
        bytes memory count = abi.encodeCall(vault.countSigned, (25e6, countSignature(address(vault), 25e6)));
        bytes4 nothing = MandateVault.NothingToCount.selector;
        revertsWith(nothing, address(vault), count);
        token.mint(address(vault), 5e6 - 1);
        revertsWith(nothing, address(vault), count);
        require(vault.funded() == 20e6, "a count that reverts counts nothing");
        // A stranger who sends more in front of it cannot stop it.
        token.mint(address(vault), 3);
        revertsWith(MandateVault.WrongSignature.selector, address(other), count);
        (bool success,) = address(vault).call(count);
        require(success && vault.funded() == 25e6 + 2, "counted");
        require(pay(vault, SHOP, 10e6), "paid");
        vm.prank(SHOP);
        require(token.transfer(address(vault), 10e6), "refund");
        revertsWith(nothing, address(vault), count);
        token.mint(address(vault), 30e6);
        revertsWith(nothing, address(vault), count);
        require(vault.spent() == 0, "used twice");
    }

    /// A stranger's dollars stop payments until they are counted. Owner and service can each do that alone.
    function test_owner_and_service_each_unblock_a_vault() public {
        for (uint256 i = 0; i < 2; ++i) {
            Terms memory t = plainTerms();
            if (i == 1) t.limit += 1;
            MandateVault vault = opened(t, 10e6);
            token.mint(address(vault), 1e6 + 1);
            expect(vault, good(vault, 10e6), MandateVault.Refusal.NotCounted);
            if (i == 0) {
                vm.prank(owner);
                vault.count();
            } else {
                vault.countSigned(11e6 + 1, countSignature(address(vault), 11e6 + 1));
            }
            expect(vault, good(vault, 10e6), MandateVault.Refusal.None);
        }
    }

    function test_a_blocked_vault_keeps_no_owner_in() public {
        MandateVault vault = opened(plainTerms(), 10e6);
        token.mint(address(vault), 5e6);
        expect(vault, signed(vault, payment(owner, 1e6), OWNER_KEY, 0), MandateVault.Refusal.None);
        vm.prank(owner);
        vault.withdraw();
        require(token.balanceOf(owner) == 15e6, "kept in");
        fund(vault, 10e6);
        expect(vault, good(vault, 1e6), MandateVault.Refusal.None);
    }

    function capped() private view returns (Terms memory t) {
        t = plainTerms();
        (t.perPayment, t.agent, t.payees) = (50e6, vm.addr(AGENT_KEY), root(leaf(SHOP), leaf(OTHER_SHOP)));
    }

    function full(MandateVault vault, address to) private returns (MandateVault.Payment memory p) {
        p = payment(to, 1e6);
        p.proof = new bytes32[](1);
        p.proof[0] = leaf(OTHER_SHOP);
        return signed(vault, p, SIGNER_KEY, AGENT_KEY);
    }

    function refused(MandateVault vault, MandateVault.Payment memory p, bytes memory form) private view {
        try vault.judge(digestOf(vault, p), form) returns (MandateVault.Refusal refusal) {
            require(refusal == MandateVault.Refusal.NotCanonical, "another form");
        } catch {}
    }

    function test_takes_one_encoding_only() public {
        MandateVault vault = opened(capped(), 10e6);
        MandateVault.Payment memory p = full(vault, SHOP);
        bytes memory form = abi.encode(p);
        expect(vault, p, MandateVault.Refusal.None);
        p = full(vault, SHOP);
        form = abi.encode(p);
        refused(vault, p, bytes.concat(form, hex"00"));
        refused(vault, p, bytes.concat(form, bytes32(0)));
        // Without the padding after the last part but one, and without the end of the last.
        bytes memory short = form;
        assembly ("memory-safe") { mstore(short, sub(mload(short), 1)) }
        refused(vault, p, short);
        assembly ("memory-safe") { mstore(short, add(mload(short), 1)) }
        // Behind a first word that nobody reads.
        form = bytes.concat(bytes32(uint256(64)), form);
        refused(vault, p, form);
    }

    function test_takes_no_part_that_is_not_needed() public {
        MandateVault vault = opened(plainTerms(), 10e6);
        MandateVault.Payment memory p = good(vault, 1e6);
        p.agentSignature = hex"01";
        expect(vault, p, MandateVault.Refusal.NotCanonical);
        p.agentSignature = "";
        p.proof = new bytes32[](1);
        expect(vault, p, MandateVault.Refusal.NotCanonical);
        p.proof = new bytes32[](0);
        expect(vault, p, MandateVault.Refusal.None);
        // On the way home nothing is needed but one signature.
        vault = opened(capped(), 10e6);
        expect(vault, full(vault, owner), MandateVault.Refusal.NotCanonical);
        p = payment(owner, 1e6);
        expect(vault, signed(vault, p, SIGNER_KEY, 0), MandateVault.Refusal.None);
        p.nonce = fresh();
        p = signed(vault, p, OWNER_KEY, AGENT_KEY);
        expect(vault, p, MandateVault.Refusal.NotCanonical);
        p.agentSignature = "";
        expect(vault, p, MandateVault.Refusal.None);
    }

    /// Of all changes of one byte, all cuts and all additions, the vault takes none: the bytes are those of `abi.encode`, or other
    /// fields, or another signature.
    function testFuzz_no_second_encoding_of_a_payment(uint256 place, uint8 bits, bytes calldata tail, bool isHome) public {
        MandateVault vault = opened(isHome ? plainTerms() : capped(), 10e6);
        MandateVault.Payment memory p =
            isHome ? signed(vault, payment(owner, 1e6), OWNER_KEY, 0) : full(vault, SHOP);
        bytes memory form = abi.encode(p);
        bytes32 digest = digestOf(vault, p);
        require(vault.judge(digest, form) == MandateVault.Refusal.None, "its own form");
        place = place % form.length;
        form[place] = bytes1(uint8(form[place]) ^ (bits == 0 ? 1 : bits));
        neverTaken(vault, digest, form);
        form = abi.encode(p);
        if (tail.length > 0) neverTaken(vault, digest, bytes.concat(form, tail));
        assembly ("memory-safe") { mstore(form, place) }
        neverTaken(vault, digest, form);
    }

    /// Every offset and length, replaced by numbers that a decoder could take.
    function testFuzz_no_offset_leads_elsewhere(uint8 word, uint16 offset, bytes32 seed) public {
        MandateVault vault = opened(capped(), 10e6);
        MandateVault.Payment memory p = full(vault, SHOP);
        bytes memory form = abi.encode(p);
        uint256[7] memory places =
            [uint256(0), 6 * 32, 7 * 32, 8 * 32, 9 * 32, form.length - 64, form.length - 32];
        uint256 place = places[word % 7];
        uint256 value = offset % 1_000;
        // Room behind the payment, with a copy of it.
        form = bytes.concat(form, abi.encode(p), seed);
        assembly ("memory-safe") { mstore(add(add(form, 32), place), value) }
        neverTaken(vault, digestOf(vault, p), form);
        assembly ("memory-safe") { mstore(form, div(sub(mload(form), 32), 2)) }
        if (keccak256(form) != keccak256(abi.encode(p))) neverTaken(vault, digestOf(vault, p), form);
    }

    function neverTaken(MandateVault vault, bytes32 digest, bytes memory form) private view {
        try vault.isValidSignature(digest, form) returns (bytes4 magic) {
            require(magic == 0xffffffff, "a second form");
        } catch {}
    }

    /// The contract of an owner may take signatures of any length.
    function testFuzz_a_contract_of_the_owner_signs_with_any_length(uint16 length, bytes32 seed) public {
        bytes memory own = new bytes(length % 400);
        for (uint256 i = 0; i < own.length; ++i) own[i] = seed[i % 32];
        owner = address(new AgreeingWallet());
        MandateVault vault = opened(plainTerms(), 10e6);
        MandateVault.Payment memory p = payment(owner, 1e6);
        p.signature = own;
        bytes memory form = abi.encode(p);
        require(vault.judge(digestOf(vault, p), form) == MandateVault.Refusal.None, "its own form");
        neverTaken(vault, digestOf(vault, p), bytes.concat(form, hex"00"));
        if (own.length % 32 == 0) return;
        // The last byte of the padding.
        form[form.length - 65] = 0x01;
        refused(vault, p, form);
    }

    function test_funding_needs_the_owner_and_a_live_mandate() public {
        Terms memory t = plainTerms();
        MandateVault vault = opened(t, 0);
        token.mint(owner, 100e6);
        bytes memory signature = fundingSignature(address(vault), 10e6, MANDATE);
        uint256 before = block.timestamp + 600;
        try vault.fund(11e6, 0, before, MANDATE, signature) {
            revert("another amount");
        } catch {}
        require(vault.funded() == 0, "nothing is counted that did not come");
        vault.fund(10e6, 0, before, MANDATE, signature);
        require(vault.funded() == 10e6 && token.balanceOf(address(vault)) == 10e6, "funded");
        try vault.fund(10e6, 0, before, MANDATE, signature) {
            revert("twice");
        } catch {}
        signature = fundingSignature(address(vault), 1, bytes32(uint256(99)));
        vm.warp(t.end);
        revertsWith(
            MandateVault.VaultEnded.selector,
            address(vault),
            abi.encodeCall(vault.fund, (1, 0, before, bytes32(uint256(99)), signature))
        );
        vm.warp(START);
        vm.prank(owner);
        vault.revoke();
        revertsWith(
            MandateVault.VaultRevoked.selector,
            address(vault),
            abi.encodeCall(vault.fund, (1, 0, before, bytes32(uint256(99)), signature))
        );
    }

    function test_pulls_what_is_released_and_no_more() public {
        Terms memory t = plainTerms();
        (t.period, t.perPeriod) = (1 days, 10e6);
        MandateVault vault = opened(t, 0);
        token.mint(owner, 100e6);
        vm.prank(owner);
        token.approve(address(vault), 15e6);
        bytes memory pull = abi.encodeCall(vault.pull, (10e6, pullSignature(address(vault), 10e6)));
        revertsWith(
            MandateVault.WrongSignature.selector,
            address(vault),
            abi.encodeCall(vault.pull, (9e6, pullSignature(address(vault), 10e6)))
        );
        revertsWith(
            MandateVault.OverReleased.selector,
            address(vault),
            abi.encodeCall(vault.pull, (10e6 + 1, pullSignature(address(vault), 10e6 + 1)))
        );
        (bool success,) = address(vault).call(pull);
        require(success && token.balanceOf(address(vault)) == 10e6 && vault.funded() == 10e6, "pulled");
        revertsWith(MandateVault.NothingToPull.selector, address(vault), pull);
        vm.warp(START + 1 days);
        // The allowance has 5 left.
        try vault.pull(20e6, pullSignature(address(vault), 20e6)) {
            revert("over the allowance");
        } catch {}
        require(vault.funded() == 10e6, "nothing is counted that did not come");
        vm.prank(owner);
        vault.pull(15e6, "");
        require(token.allowance(owner, address(vault)) == 0 && vault.funded() == 15e6, "counted down");
        vm.warp(t.end);
        revertsWith(
            MandateVault.VaultEnded.selector,
            address(vault),
            abi.encodeCall(vault.pull, (20e6, pullSignature(address(vault), 20e6)))
        );
    }

    function test_revocation_by_signature() public {
        MandateVault vault = opened(plainTerms(), 100e6);
        revertsWith(MandateVault.NotTheOwner.selector, address(vault), abi.encodeCall(vault.revoke, ()));
        revertsWith(
            MandateVault.WrongSignature.selector,
            address(vault),
            abi.encodeCall(vault.revokeSigned, (pullSignature(address(vault), 1)))
        );
        vault.revokeSigned(revocation(address(vault)));
        require(vault.isRevoked() && token.balanceOf(owner) == 100e6, "revoked");
        vault.revokeSigned(revocation(address(vault)));
    }

    function testFuzz_a_revocation_returns_the_money_with_whatever_gas(uint256 gas_) public {
        MandateVault vault = opened(plainTerms(), 100e6);
        bytes memory signature = revocation(address(vault));
        try vault.revokeSigned{gas: 20_000 + gas_ % 400_000}(signature) {
            require(token.balanceOf(owner) == 100e6, "revoked and not returned");
        } catch {
            require(!vault.isRevoked(), "reverted");
        }
    }

    function test_withdrawal() public {
        Terms memory t = plainTerms();
        MandateVault vault = opened(t, 100e6);
        revertsWith(MandateVault.NotReturnableYet.selector, address(vault), abi.encodeCall(vault.withdraw, ()));
        vm.prank(owner);
        vault.withdraw();
        require(token.balanceOf(owner) == 100e6 && vault.spent() == 100e6, "returned");
        fund(vault, 50e6);
        vm.warp(t.end);
        vault.withdraw();
        require(token.balanceOf(owner) == 150e6, "returned by a stranger");
        vault.withdraw();
    }

    function test_a_paused_token_and_a_blacklisted_owner_delay_the_return_only() public {
        MandateVault vault = opened(plainTerms(), 100e6);
        token.pause();
        vault.revokeSigned(revocation(address(vault)));
        require(vault.isRevoked() && token.balanceOf(address(vault)) == 100e6, "revoked");
        token.unpause();
        token.blacklist(owner);
        try vault.withdraw() {
            revert("moved");
        } catch {}
        token.unBlacklist(owner);
        vault.withdraw();
        require(token.balanceOf(owner) == 100e6, "returned");
    }

    function test_a_renamed_token_lets_the_owner_out() public {
        MandateVault vault = opened(plainTerms(), 100e6);
        bytes32 old = token.DOMAIN_SEPARATOR();
        vm.etch(address(token), type(RenamedDollar).runtimeCode);
        require(token.DOMAIN_SEPARATOR() != old, "renamed");
        expect(vault, signed(vault, payment(owner, 60e6), OWNER_KEY, 0), MandateVault.Refusal.None);
        expect(vault, good(vault, 1e6), MandateVault.Refusal.None);
        vm.prank(owner);
        vault.withdraw();
        require(token.balanceOf(owner) == 99e6, "returned");
    }

    function test_an_owner_that_is_a_contract() public {
        owner = address(new TestWallet1271(vm.addr(OWNER_KEY)));
        MandateVault vault = opened(plainTerms(), 100e6);
        expect(vault, signed(vault, payment(owner, 10e6), OWNER_KEY, 0), MandateVault.Refusal.None);
        expect(vault, signed(vault, payment(owner, 10e6), AGENT_KEY, 0), MandateVault.Refusal.NotSigned);
        vault.revokeSigned(revocation(address(vault)));
        require(token.balanceOf(owner) == 100e6, "returned");
    }

    function test_two_payments_in_a_batch_are_judged_one_after_the_other() public {
        Terms memory t = plainTerms();
        t.limit = 10e6;
        MandateVault vault = opened(t, 20e6);
        Settler.Transfer[] memory items = new Settler.Transfer[](2);
        for (uint256 i = 0; i < 2; ++i) {
            MandateVault.Payment memory p = good(vault, 6e6);
            require(judged(vault, p) == MandateVault.Refusal.None, "each alone is good");
            items[i] = Settler.Transfer(
                address(vault), p.to, p.value, p.validAfter, p.validBefore, p.nonce, 200_000, abi.encode(p)
            );
        }
        Settler.Failure[] memory failures = new Settler().settle(address(token), items);
        require(failures.length == 1 && failures[0].index == 1 && token.balanceOf(SHOP) == 6e6, "one of them");
    }

    function test_the_implementation_is_not_a_vault() public {
        MandateVault implementation = MandateVault(factory.implementation());
        revertsWith(MandateVault.NotAVault.selector, address(implementation), abi.encodeCall(implementation.terms, ()));
        revertsWith(
            MandateVault.NotAVault.selector, address(implementation), abi.encodeCall(implementation.revoke, ())
        );
    }

    function test_what_was_signed_for_a_vault_is_of_no_use_at_another() public {
        Terms memory t = plainTerms();
        MandateVault vault = opened(t, 10e6);
        t.limit += 1;
        MandateVault other = opened(t, 10e6);
        require(address(vault) != address(other), "one bit, another address");
        MandateVault.Payment memory p = good(vault, 1e6);
        require(judged(other, p) == MandateVault.Refusal.NotSigned, "payment");
        revertsWith(
            MandateVault.WrongSignature.selector,
            address(other),
            abi.encodeCall(other.revokeSigned, (revocation(address(vault))))
        );
    }

    function testFuzz_pays_within_the_terms_only(
        uint96 funds,
        uint96 limit,
        uint96 perPayment,
        uint96 perPeriod,
        uint32 period,
        uint32 elapsed,
        uint96 value
    ) public {
        Terms memory t = plainTerms();
        (t.limit, t.perPayment, t.perPeriod) = (limit == 0 ? 1 : limit, perPayment, perPeriod);
        t.period = perPeriod == 0 ? 0 : period == 0 ? 1 : period;
        MandateVault vault = opened(t, uint256(funds) + 1);
        vm.warp(uint256(START) + elapsed);
        uint256 released = perPeriod == 0 ? t.limit : uint256(perPeriod) * (uint256(elapsed) / t.period + 1);
        if (released > t.limit) released = t.limit;
        bool isDue = elapsed < 30 days && (perPayment == 0 || value <= perPayment) && value <= released
            && value <= uint256(funds) + 1;
        require(submit(vault, good(vault, value)) == isDue, "judged otherwise");
        require(token.balanceOf(SHOP) == (isDue ? value : 0), "moved");
    }

    function testFuzz_nobody_elses_signature_counts(uint256 key, bytes32 digest, bytes calldata noise) public {
        MandateVault vault = opened(plainTerms(), 10e6);
        key = 1 + key % type(uint128).max;
        if (key == SIGNER_KEY) return;
        require(judged(vault, signed(vault, payment(SHOP, 1), key, 0)) == MandateVault.Refusal.NotSigned, "key");
        try vault.isValidSignature(digest, noise) returns (bytes4 magic) {
            require(magic == 0xffffffff, "noise");
        } catch {}
    }

    function testFuzz_terms_survive_packing(Terms memory t) public {
        t.token = address(token);
        (t.owner, t.signer) = (owner, vm.addr(SIGNER_KEY));
        if (t.agent == t.signer) t.agent = address(0);
        if (t.limit == 0) t.limit = 1;
        if (t.start > t.end) (t.start, t.end) = (t.end, t.start);
        if (t.start == t.end) (t.start, t.end) = (1, 2);
        if (t.perPeriod == 0 || t.period == 0) (t.perPeriod, t.period) = (0, 0);
        MandateVault vault = factory.open(t);
        require(keccak256(abi.encode(vault.terms())) == keccak256(abi.encode(t)), "terms");
        require(factory.vaultOf(t) == address(vault) && address(factory.open(t)) == address(vault), "address");
    }
}
