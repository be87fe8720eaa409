// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MandateVault} from "../src/MandateVault.sol";
import {MandateVaultFactory} from "../src/MandateVaultFactory.sol";
import {Terms} from "../src/VaultTerms.sol";
import {TestDollar} from "token/TestDollar.sol";
import {VaultKit} from "./VaultKit.sol";

/// Does at random what owner, service, payees and strangers can do with one vault, and keeps its own account of it.
contract VaultHandler is VaultKit {
    MandateVault public immutable vault;
    uint256 public immutable limit;
    uint256 public immutable cap;
    uint256 public immutable perPeriod;

    uint256 public paid;
    /// What came in beside fund and pull: refunds and donations.
    uint256 public given;
    uint256 public put;
    uint256 public home;
    uint256 public broken;
    /// Totals that the signer's signature was used for.
    mapping(uint256 total => bool) private used;

    constructor() {
        prepare();
        Terms memory t = plainTerms();
        (t.limit, t.perPayment, t.perPeriod, t.period) = (5_000, 400, 700, 1 days);
        t.agent = vm.addr(AGENT_KEY);
        t.payees = leaf(SHOP);
        (limit, cap, perPeriod) = (t.limit, t.perPayment, t.perPeriod);
        vault = factory.open(t);
        token.mint(owner, 1_000_000);
        vm.prank(owner);
        token.approve(address(vault), limit);
    }

    function dollar() external view returns (TestDollar) {
        return token;
    }

    function ownerAddress() external view returns (address) {
        return owner;
    }

    function releasedByNow() public view returns (uint256) {
        uint256 sum = ((block.timestamp - START) / 1 days + 1) * perPeriod;
        return sum < limit ? sum : limit;
    }

    function fundSome(uint16 value) external {
        bytes32 nonce = fresh();
        bytes memory signature = fundingSignature(address(vault), value, nonce);
        try vault.fund(value, 0, block.timestamp + 600, nonce, signature) {
            put += value;
        } catch {}
    }

    function pullSome(uint16 total, bool isByOwner) external {
        uint256 before = token.balanceOf(owner);
        bytes memory signature = pullSignature(address(vault), total % 8_000);
        if (isByOwner) vm.prank(owner);
        try vault.pull(total % 8_000, signature) {
            put += before - token.balanceOf(owner);
            if (vault.funded() > _most(vault.released(), total % 8_000)) ++broken;
        } catch {}
    }

    /// By anybody: to the shop or another, signed by service and agent, or by one of them, or by neither.
    function payAny(uint16 value, uint8 whom, uint8 who) external {
        address to = whom % 5 == 0 ? OTHER_SHOP : SHOP;
        uint256 key = who % 7 == 0 ? AGENT_KEY : SIGNER_KEY;
        uint256 agentKey = who % 5 == 0 ? SIGNER_KEY : AGENT_KEY;
        MandateVault.Payment memory p = signed(vault, payment(to, value % 600), key, agentKey);
        if (!submit(vault, p)) return;
        paid += p.value;
        if (to != SHOP || key != SIGNER_KEY || agentKey != AGENT_KEY || p.value > cap || vault.isRevoked()) ++broken;
    }

    function refund(uint16 value) external {
        uint256 has = token.balanceOf(SHOP);
        if (has == 0) return;
        vm.prank(SHOP);
        require(token.transfer(address(vault), value % has), "refund");
        given += value % has;
    }

    /// Mostly small; sometimes enough to need a count.
    function donate(uint32 value) external {
        if (value % 4_000_000 == 0) return;
        token.mint(address(vault), value % 4_000_000);
        given += value % 4_000_000;
    }

    /// By the owner, by anybody with the signer's signature, or by a stranger.
    function count(uint8 who, uint32 total) external {
        (uint256 funded, uint256 balance, uint256 spent) =
            (vault.funded(), token.balanceOf(address(vault)), vault.spent());
        if (who % 3 == 0) {
            vm.prank(owner);
            vault.count();
            return;
        }
        uint256 sum = who % 2 == 0 ? balance + spent : total % 4_000_000;
        bytes memory signature =
            who % 3 == 1 ? countSignature(address(vault), sum) : sign(AGENT_KEY, bytes32(uint256(sum)));
        try vault.countSigned(sum, signature) {
            if (who % 3 != 1 || sum <= funded || vault.funded() < sum) ++broken;
            used[sum] = true;
        } catch {
            if (who % 3 == 1 && sum > funded && balance + spent >= sum) ++broken;
        }
    }

    /// Strangers count nothing, with whatever was signed for an earlier count.
    function countAgain(uint32 total, bool isPlain) external {
        (uint256 funded, uint256 spent) = (vault.funded(), vault.spent());
        uint256 sum = used[funded] ? funded : total % 4_000_000;
        if (!isPlain && !used[sum]) return;
        bytes memory signature = countSignature(address(vault), sum);
        (bool success,) = address(vault)
            .call(isPlain ? abi.encodeCall(vault.count, ()) : abi.encodeCall(vault.countSigned, (sum, signature)));
        if (success || vault.funded() != funded || vault.spent() != spent) ++broken;
    }

    /// The owner's signature, or the service's, sends money home by any facilitator.
    function sendHome(uint16 value, bool isByOwner) external {
        MandateVault.Payment memory p =
            signed(vault, payment(owner, value % 2_000), isByOwner ? OWNER_KEY : SIGNER_KEY, 0);
        bool has = token.balanceOf(address(vault)) >= p.value;
        if (submit(vault, p) != has) ++broken;
        if (has) home += p.value;
    }

    function withdraw(uint8 often, bool isByOwner) external {
        if (often % 4 > 0) return;
        uint256 has = token.balanceOf(address(vault));
        if (isByOwner) vm.prank(owner);
        try vault.withdraw() {
            home += has;
        } catch {
            if (isByOwner) ++broken;
        }
    }

    function revoke(uint8 often) external {
        if (often % 16 > 0) return;
        home += token.balanceOf(address(vault));
        vault.revokeSigned(revocation(address(vault)));
    }

    function pass(uint32 seconds_) external {
        vm.warp(block.timestamp + seconds_ % 2 days);
    }

    function _most(uint256 a, uint256 b) private pure returns (uint256) {
        return a > b ? a : b;
    }
}

contract MandateVaultInvariants is VaultKit {
    VaultHandler private handler;
    MandateVault private vault;
    TestDollar private dollar;

    function setUp() public {
        handler = new VaultHandler();
        (vault, dollar) = (handler.vault(), handler.dollar());
    }

    /// Read by forge: it calls nothing but the handler.
    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    function invariant_every_payment_is_within_its_terms() external view {
        require(handler.broken() == 0, "a payment outside of the terms, or the owner was kept in");
    }

    /// Beyond what others gave, no more leaves than is released.
    function invariant_the_owner_never_loses_more_than_is_released() external view {
        require(handler.paid() <= handler.releasedByNow() + handler.given(), "paid");
        uint256 back = handler.home() + dollar.balanceOf(address(vault));
        uint256 lost = handler.put() > back ? handler.put() - back : 0;
        require(lost <= handler.releasedByNow(), "lost");
    }

    function invariant_all_money_is_accounted_for() external view {
        uint256 out = handler.paid() + handler.home();
        require(dollar.balanceOf(address(vault)) + out == handler.put() + handler.given(), "money");
        require(vault.spent() <= vault.funded(), "spent");
        require(dollar.balanceOf(handler.ownerAddress()) + handler.put() == 1_000_000 + handler.home(), "owner");
    }

    /// At any time, without anybody's help.
    function invariant_the_owner_can_leave() external {
        uint256 has = dollar.balanceOf(address(vault));
        uint256 had = dollar.balanceOf(handler.ownerAddress());
        vm.prank(handler.ownerAddress());
        vault.withdraw();
        require(dollar.balanceOf(handler.ownerAddress()) == had + has, "kept in");
    }
}
