// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MandateVault} from "../src/MandateVault.sol";
import {MandateVaultFactory} from "../src/MandateVaultFactory.sol";
import {Terms} from "../src/VaultTerms.sol";
import {VaultKit} from "./VaultKit.sol";

contract MandateVaultFactoryTest is VaultKit {
    function setUp() public {
        prepare();
    }

    function unsound(Terms memory t) private {
        revertsWith(
            MandateVaultFactory.UnsoundTerms.selector, address(factory), abi.encodeCall(factory.open, (t))
        );
    }

    function permitSignature(address vault, uint256 value, uint256 deadline) private view returns (bytes memory) {
        bytes memory message =
            abi.encode(token.PERMIT_TYPEHASH(), owner, vault, value, token.nonces(owner), deadline);
        return sign(OWNER_KEY, tokenDigest(message));
    }

    function test_refuses_unsound_terms() public {
        Terms memory t = plainTerms();
        t.token = address(1_234);
        unsound(t);
        t = plainTerms();
        t.owner = address(0);
        unsound(t);
        t = plainTerms();
        t.signer = address(0);
        unsound(t);
        t = plainTerms();
        t.agent = t.signer;
        unsound(t);
        t = plainTerms();
        t.end = t.start;
        unsound(t);
        t = plainTerms();
        t.limit = 0;
        unsound(t);
        t = plainTerms();
        t.period = 1;
        unsound(t);
        t = plainTerms();
        t.perPeriod = 1;
        unsound(t);
    }

    function test_opens_once_and_for_anybody() public {
        Terms memory t = plainTerms();
        address predicted = factory.vaultOf(t);
        require(predicted.code.length == 0, "not open");
        vm.prank(address(0xbad));
        MandateVault vault = factory.open(t);
        require(address(vault) == predicted && predicted.code.length > 0, "address");
        uint256 code = predicted.code.length;
        require(address(factory.open(t)) == predicted && predicted.code.length == code, "again");
    }

    function test_opens_and_funds() public {
        Terms memory t = plainTerms();
        token.mint(owner, 100e6);
        address vault = factory.vaultOf(t);
        bytes memory signature = fundingSignature(vault, 100e6, MANDATE);
        uint256 before = gasleft();
        factory.openAndFund(t, 100e6, 0, block.timestamp + 600, MANDATE, signature);
        require(before - gasleft() < 225_000, "gas, without the transaction's own");
        require(MandateVault(vault).funded() == 100e6 && token.balanceOf(vault) == 100e6, "funded");
    }

    /// Money that was sent ahead is counted when the vault is funded, and does not raise the limit.
    function test_funds_a_vault_that_has_money_already() public {
        Terms memory t = plainTerms();
        address vault = factory.vaultOf(t);
        token.mint(vault, 7e6);
        fund(factory.open(t), 100e6);
        require(MandateVault(vault).funded() == 107e6 && MandateVault(vault).spent() == 0, "funded");
    }

    function test_opens_and_pulls_also_when_the_permit_was_submitted_before() public {
        Terms memory t = plainTerms();
        token.mint(owner, 100e6);
        address vault = factory.vaultOf(t);
        uint256 deadline = block.timestamp + 600;
        bytes memory permit = permitSignature(vault, 50e6, deadline);
        bytes memory pull = pullSignature(vault, 20e6);
        token.permit(owner, vault, 50e6, deadline, permit);
        factory.openAndPull(t, 50e6, deadline, permit, 20e6, pull);
        require(token.balanceOf(vault) == 20e6 && token.allowance(owner, vault) == 30e6, "pulled");
        t.limit += 1;
        vault = factory.vaultOf(t);
        permit = permitSignature(vault, 50e6, deadline);
        factory.openAndPull(t, 50e6, deadline, permit, 0, "");
        require(vault.code.length > 0 && token.allowance(owner, vault) == 50e6, "opened");
    }

    function test_a_bad_permit_opens_nothing() public {
        Terms memory t = plainTerms();
        address vault = factory.vaultOf(t);
        bytes memory permit = permitSignature(vault, 49e6, block.timestamp);
        bytes memory call = abi.encodeCall(factory.openAndPull, (t, 50e6, block.timestamp, permit, 0, ""));
        revertsWith(bytes4(keccak256("Error(string)")), address(factory), call);
        require(vault.code.length == 0, "opened");
    }
}
