// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Settler} from "../src/Settler.sol";
import {TestDollar} from "token/TestDollar.sol";
import {selectorOf} from "./Reason.sol";

/// The cheat codes of forge that these tests use.
interface Vm {
    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    function addr(uint256 key) external pure returns (address);
    function sign(uint256 key, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function warp(uint256 timestamp) external;
    function etch(address account, bytes calldata code) external;
    function recordLogs() external;
    function getRecordedLogs() external returns (Log[] memory);
    function assume(bool condition) external pure;
}

/// Agrees to everything, after burning all the gas it can.
contract Burner {
    fallback(bytes calldata) external returns (bytes memory) {
        bytes32 burnt;
        while (gasleft() > 2_000) burnt = keccak256(abi.encode(burnt));
        return abi.encode(bytes32(bytes4(0x1626ba7e)));
    }
}

/// Burns everything, and then one more.
contract Bottomless {
    fallback() external {
        while (true) {}
    }
}

/// A token that answers with far more bytes than anybody wants to copy.
contract BombToken {
    fallback() external {
        assembly {
            revert(0, 200000)
        }
    }
}

/// A token that refuses when it is given less gas than it was promised.
contract GasCheckToken {
    uint256 public seen;

    function transferWithAuthorization(address, address, uint256 value, uint256, uint256, bytes32, bytes calldata)
        external
    {
        // `value` is the stipend; what was spent up to here is a few hundred.
        require(gasleft() + 2_000 > value && gasleft() <= value, "not the stipend");
        ++seen;
    }
}

contract SettlerTest {
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    uint256 private constant STIPEND = 120_000;
    address private constant SHOP = address(0x5409);

    Settler private settler;
    TestDollar private token;

    function setUp() public {
        vm.warp(1_000_000);
        settler = new Settler();
        token = new TestDollar();
    }

    function signed(uint256 key, uint256 value, bytes32 nonce, uint256 stipend)
        private
        view
        returns (Settler.Transfer memory)
    {
        address from = vm.addr(key);
        bytes32 digest = keccak256(
            abi.encodePacked(
                hex"1901",
                token.DOMAIN_SEPARATOR(),
                keccak256(
                    abi.encode(
                        token.TRANSFER_WITH_AUTHORIZATION_TYPEHASH(), from, SHOP, value, 0, block.timestamp + 600, nonce
                    )
                )
            )
        );
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return Settler.Transfer(
            from, SHOP, value, 0, block.timestamp + 600, nonce, stipend, abi.encodePacked(r, s, v)
        );
    }

    function unsigned(address from, uint256 value, bytes32 nonce, uint256 stipend)
        private
        view
        returns (Settler.Transfer memory)
    {
        return Settler.Transfer(from, SHOP, value, 0, block.timestamp + 600, nonce, stipend, hex"00");
    }

    function batch(uint256 count) private returns (Settler.Transfer[] memory items) {
        items = new Settler.Transfer[](count);
        for (uint256 i = 0; i < count; ++i) {
            token.mint(vm.addr(i + 1), 100);
            items[i] = signed(i + 1, 100, bytes32(i), STIPEND);
        }
    }

    function test_makes_every_good_transfer() public {
        Settler.Failure[] memory failures = settler.settle(address(token), batch(20));
        require(failures.length == 0, "failures");
        require(token.balanceOf(SHOP) == 2_000, "moved");
    }

    function test_nothing_to_do() public {
        require(settler.settle(address(token), new Settler.Transfer[](0)).length == 0, "failures");
        settler.settleTogether(address(token), new Settler.Transfer[](0));
    }

    function test_tells_which_failed_and_why() public {
        Settler.Transfer[] memory items = batch(5);
        items[1].value = 101;
        items[3].nonce = items[2].nonce;
        items[3] = items[2];
        vm.recordLogs();
        Settler.Failure[] memory failures = settler.settle(address(token), items);
        require(failures.length == 2 && failures[0].index == 1 && failures[1].index == 3, "which");
        require(
            keccak256(failures[1].reason)
                == keccak256(abi.encodeWithSignature("Error(string)", "FiatTokenV2: authorization is used or canceled")),
            "why"
        );
        require(token.balanceOf(SHOP) == 300, "moved");
        Vm.Log[] memory logs = vm.getRecordedLogs();
        uint256 told;
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].emitter == address(settler)) ++told;
        }
        require(told == 2, "one event for each failure and none for a success");
    }

    function test_a_burner_costs_its_own_stipend_only() public {
        Settler.Transfer[] memory items = batch(10);
        address burner = vm.addr(4);
        vm.etch(burner, type(Bottomless).runtimeCode);
        uint256 before = gasleft();
        Settler.Failure[] memory failures = settler.settle(address(token), items);
        uint256 used = before - gasleft();
        require(failures.length == 1 && failures[0].index == 3, "which");
        require(token.balanceOf(SHOP) == 900, "the others");
        require(used < 9 * STIPEND + STIPEND, "used");
    }

    function test_an_agreeing_burner_is_paid_from_and_harms_nobody() public {
        Settler.Transfer[] memory items = batch(3);
        address burner = vm.addr(77);
        vm.etch(burner, type(Burner).runtimeCode);
        token.mint(burner, 5);
        items[1] = unsigned(burner, 5, bytes32(uint256(9)), 400_000);
        settler.settle(address(token), items);
        require(token.balanceOf(SHOP) >= 200, "the others");
    }

    function test_a_return_bomb_is_cut() public {
        BombToken bomb = new BombToken();
        Settler.Transfer[] memory items = new Settler.Transfer[](3);
        for (uint256 i = 0; i < 3; ++i) items[i] = unsigned(address(1), 1, bytes32(i), 200_000);
        uint256 before = gasleft();
        Settler.Failure[] memory failures = settler.settle(address(bomb), items);
        require(failures.length == 3, "failures");
        require(failures[2].reason.length == 256, "cut");
        require(before - gasleft() < 3 * 200_000 + 60_000, "used");
    }

    function test_needs_a_token() public {
        try settler.settle(address(0x1234), batch(1)) {
            revert("settled without a token");
        } catch (bytes memory reason) {
            require(selectorOf(reason) == Settler.NotAToken.selector, "reason");
        }
    }

    function test_together_all_or_none() public {
        Settler.Transfer[] memory items = batch(4);
        settler.settleTogether(address(token), items);
        require(token.balanceOf(SHOP) == 400, "moved");
        items = new Settler.Transfer[](2);
        token.mint(vm.addr(60), 10);
        items[0] = signed(60, 10, bytes32(uint256(60)), STIPEND);
        items[1] = signed(61, 10, bytes32(uint256(61)), STIPEND);
        try settler.settleTogether(address(token), items) {
            revert("settled a part");
        } catch (bytes memory reason) {
            require(selectorOf(reason) == Settler.TransferRefused.selector, "reason");
        }
        require(token.balanceOf(SHOP) == 400, "moved in part");
    }

    /// Whatever gas it is given, either everything is as promised or nothing happens at all.
    function testFuzz_gas_is_enough_for_all_or_nothing_happens(uint256 gas_, uint8 count, uint8 burners) public {
        uint256 size = 1 + count % 8;
        gas_ = 30_000 + gas_ % (size * 140_000 + 400_000);
        Settler.Transfer[] memory items = batch(size);
        uint256 burnt;
        for (uint256 i = 0; i < size; ++i) {
            if ((burners >> i) & 1 == 0) continue;
            vm.etch(vm.addr(i + 1), type(Bottomless).runtimeCode);
            ++burnt;
        }
        try settler.settle{gas: gas_}(address(token), items) returns (Settler.Failure[] memory failures) {
            require(failures.length == burnt, "an honest transfer failed");
            require(token.balanceOf(SHOP) == (size - burnt) * 100, "moved");
        } catch (bytes memory reason) {
            require(token.balanceOf(SHOP) == 0, "moved before it gave up");
            require(reason.length == 0 || selectorOf(reason) == Settler.NotEnoughGas.selector, "reason");
            // Refused only when it could not keep its promise: stipends, overhead, and what decoding takes.
            require(gas_ < size * (STIPEND + 16_000) + 60_000, "refused without need");
        }
    }

    /// Each call gets exactly its stipend, by the token's own measure.
    function testFuzz_each_gets_its_stipend(uint16[6] calldata stipends, uint256 gas_) public {
        GasCheckToken meter = new GasCheckToken();
        Settler.Transfer[] memory items = new Settler.Transfer[](6);
        for (uint256 i = 0; i < 6; ++i) {
            uint256 stipend = 40_000 + uint256(stipends[i]) * 4;
            items[i] = unsigned(address(1), stipend, bytes32(i), stipend);
        }
        try settler.settle{gas: 50_000 + gas_ % 3_000_000}(address(meter), items) returns (
            Settler.Failure[] memory failures
        ) {
            require(failures.length == 0 && meter.seen() == 6, "a stipend was short");
        } catch {
            require(meter.seen() == 0, "some ran");
        }
    }

    /// What anybody sends it moves only what was signed, and only to whom it was signed for.
    function testFuzz_forged_items_move_nothing(
        address from,
        address to,
        uint256 value,
        bytes32 nonce,
        bytes calldata signature
    ) public {
        vm.assume(from != address(0) && from.code.length == 0 && uint160(from) > 0xffff);
        token.mint(from, 1_000);
        Settler.Transfer[] memory items = new Settler.Transfer[](2);
        items[0] = Settler.Transfer(from, to, value, 0, block.timestamp + 1, nonce, 200_000, signature);
        token.mint(vm.addr(5), 7);
        items[1] = signed(5, 7, nonce, STIPEND);
        Settler.Failure[] memory failures = settler.settle(address(token), items);
        require(failures.length == 1 && failures[0].index == 0, "which");
        require(token.balanceOf(SHOP) >= 7 && token.balanceOf(from) >= 1_000, "moved");
    }

    function test_holds_nothing() public {
        (bool isTaken,) = address(settler).call{value: 1}("");
        require(!isTaken, "took ether");
        settler.settle(address(token), batch(3));
        require(token.balanceOf(address(settler)) == 0, "holds dollars");
    }
}
