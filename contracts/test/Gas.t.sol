// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MandateVault} from "../src/MandateVault.sol";
import {Terms} from "../src/VaultTerms.sol";
import {VaultKit} from "./VaultKit.sol";

/// What each step costs as a transaction of its own, with the test dollar. The figures are in snapshots/Gas.json.
contract Gas is VaultKit {
    function setUp() public {
        prepare();
        // Payees have had money before: an account without any costs 17,100 more.
        token.mint(SHOP, 1);
        token.mint(owner, 1_000e6);
    }

    function capped() private view returns (Terms memory t) {
        t = plainTerms();
        (t.perPayment, t.perPeriod, t.period) = (50e6, 100e6, 1 days);
    }

    function paid(string memory name, Terms memory t, bytes32[] memory proof) private {
        MandateVault vault = opened(t, 100e6);
        // The first payment makes a storage slot of the token; each nonce makes another.
        MandateVault.Payment memory p = payment(SHOP, 1e6);
        p.proof = proof;
        bytes memory call = submission(vault, signed(vault, p, SIGNER_KEY, t.agent == address(0) ? 0 : AGENT_KEY));
        sent(name, address(token), call);
        require(token.balanceOf(SHOP) == 1e6 + 1, "paid");
    }

    function sent(string memory name, address to, bytes memory call) private {
        (bool success,) = to.call(call);
        vm.snapshotGasLastCall(name);
        require(success, "failed");
    }

    function test_payment() public {
        paid("payment", plainTerms(), new bytes32[](0));
    }

    function test_payment_with_cap_and_release() public {
        paid("payment, with a cap and a release", capped(), new bytes32[](0));
    }

    function test_payment_with_an_agent() public {
        Terms memory t = capped();
        t.agent = vm.addr(AGENT_KEY);
        paid("payment, with a cap, a release and an agent", t, new bytes32[](0));
    }

    function test_payment_to_one_of_eight_payees() public {
        Terms memory t = capped();
        bytes32[] memory proof = new bytes32[](3);
        t.payees = leaf(SHOP);
        for (uint256 i = 0; i < 3; ++i) {
            proof[i] = keccak256(abi.encode(i));
            t.payees = root(t.payees, proof[i]);
        }
        paid("payment, with a cap, a release and eight payees", t, proof);
    }

    function test_opening_with_funds() public {
        Terms memory t = capped();
        address vault = factory.vaultOf(t);
        bytes memory signature = fundingSignature(vault, 100e6, MANDATE);
        sent(
            "open and fund",
            address(factory),
            abi.encodeCall(factory.openAndFund, (t, 100e6, 0, block.timestamp + 600, MANDATE, signature))
        );
    }

    function test_opening_with_a_permit_and_pulling() public {
        Terms memory t = capped();
        address vault = factory.vaultOf(t);
        bytes memory message = abi.encode(token.PERMIT_TYPEHASH(), owner, vault, 100e6, 0, block.timestamp);
        bytes memory permit = sign(OWNER_KEY, tokenDigest(message));
        sent(
            "open, permit and pull",
            address(factory),
            abi.encodeCall(
                factory.openAndPull, (t, 100e6, block.timestamp, permit, 10e6, pullSignature(vault, 10e6))
            )
        );
        sent("pull", vault, abi.encodeCall(MandateVault.pull, (20e6, pullSignature(vault, 20e6))));
    }

    function test_count() public {
        MandateVault vault = opened(plainTerms(), 100e6);
        token.mint(address(vault), 5e6);
        sent("count, signed", address(vault), abi.encodeCall(vault.countSigned, (105e6, countSignature(address(vault), 105e6))));
    }

    function test_revocation_and_withdrawal() public {
        MandateVault vault = opened(plainTerms(), 100e6);
        sent("revocation by signature", address(vault), abi.encodeCall(vault.revokeSigned, (revocation(address(vault)))));
        token.mint(address(vault), 1e6);
        sent("withdrawal", address(vault), abi.encodeCall(MandateVault.withdraw, ()));
    }
}
