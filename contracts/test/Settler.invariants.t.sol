// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Settler} from "../src/Settler.sol";
import {TestDollar} from "token/TestDollar.sol";
import {selectorOf} from "./Reason.sol";

/// The cheat codes of forge that these tests use.
interface Vm {
    function addr(uint256 key) external pure returns (address);
    function sign(uint256 key, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function warp(uint256 timestamp) external;
    function etch(address account, bytes calldata code) external;
}

/// Takes all the gas it is given.
contract GasBurner {
    fallback() external {
        while (true) {}
    }
}

/// Does at random what payers, strangers and relayers can do with one settler, and keeps its own account of it.
contract Handler {
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    uint256 private constant PAYERS = 5;
    uint256 private constant STIPEND = 120_000;
    address public constant SHOP = address(0x5409);

    Settler public immutable settler;
    TestDollar public immutable token;

    Settler.Transfer[] private signatures;
    /// What the payers signed, by payer and nonce; zero for what nobody signed.
    mapping(address => mapping(bytes32 => uint256)) private value;
    mapping(address => uint256) public minted;
    mapping(address => uint256) public spent;
    uint256 public sold;
    uint256 public broken;

    constructor(Settler settler_, TestDollar token_) {
        settler = settler_;
        token = token_;
    }

    function payer(uint256 index) public pure returns (address) {
        return vm.addr(index % PAYERS + 1);
    }

    function payers() external pure returns (uint256) {
        return PAYERS;
    }

    function mint(uint256 who, uint96 amount) external {
        amount %= 1_000;
        token.mint(payer(who), amount);
        minted[payer(who)] += amount;
    }

    function sign(uint256 who, uint96 amount, uint16 validFor) external {
        amount %= 300;
        address from = payer(who);
        bytes32 nonce = bytes32(signatures.length);
        uint256 until = block.timestamp + validFor;
        bytes memory signature =
            _sign(who, abi.encode(token.TRANSFER_WITH_AUTHORIZATION_TYPEHASH(), from, SHOP, amount, 0, until, nonce));
        value[from][nonce] = amount;
        signatures.push(Settler.Transfer(from, SHOP, amount, 0, until, nonce, STIPEND, signature));
    }

    function cancel(uint256 which) external {
        if (signatures.length == 0 || which % 3 > 0) return;
        Settler.Transfer storage item = signatures[which % signatures.length];
        if (item.from.code.length > 0) return;
        for (uint256 who = 0; who < PAYERS; ++who) {
            if (payer(who) != item.from || token.authorizationState(item.from, item.nonce)) continue;
            bytes memory signature =
                _sign(who, abi.encode(token.CANCEL_AUTHORIZATION_TYPEHASH(), item.from, item.nonce));
            token.cancelAuthorization(item.from, item.nonce, signature);
        }
    }

    /// A payer's account gets code that burns gas, or loses it.
    function turn(uint256 who, uint8 how) external {
        vm.etch(payer(who), how % 3 == 0 ? type(GasBurner).runtimeCode : bytes(""));
    }

    function pass(uint16 seconds_) external {
        vm.warp(block.timestamp + seconds_ % 5_000);
    }

    /// Submits some of what was signed, some of it twice, one item changed by a stranger, with any amount of gas.
    function settle(uint256[6] calldata which, uint8 count, uint256 forged, uint256 gas_, bool isTogether) external {
        if (signatures.length == 0) return;
        Settler.Transfer[] memory items = new Settler.Transfer[](count % 7);
        for (uint256 i = 0; i < items.length; ++i) items[i] = signatures[which[i] % signatures.length];
        if (items.length > 0 && forged % 5 == 0) _forge(items[forged % items.length], forged);
        bool[] memory due = _due(items);
        gas_ = 200_000 + gas_ % 2_000_000;
        if (isTogether) {
            try settler.settleTogether{gas: gas_}(address(token), items) {
                for (uint256 i = 0; i < items.length; ++i) _paid(items[i], due[i]);
            } catch (bytes memory reason) {
                bool isAllDue = true;
                for (uint256 i = 0; i < items.length; ++i) isAllDue = isAllDue && due[i];
                if (isAllDue && selectorOf(reason) == Settler.TransferRefused.selector) ++broken;
            }
            return;
        }
        try settler.settle{gas: gas_}(address(token), items) returns (Settler.Failure[] memory failures) {
            uint256 failure = 0;
            for (uint256 i = 0; i < items.length; ++i) {
                if (failure < failures.length && failures[failure].index == i) {
                    ++failure;
                    // Refused although nothing stood in its way, whatever the others of the batch did.
                    if (due[i]) ++broken;
                } else {
                    _paid(items[i], due[i]);
                }
            }
        } catch {}
    }

    function _paid(Settler.Transfer memory item, bool isDue) private {
        if (!isDue || value[item.from][item.nonce] != item.value || item.to != SHOP) ++broken;
        spent[item.from] += item.value;
        sold += item.value;
    }

    /// Which of a batch the token has to accept, if they are tried in this order and each for itself.
    function _due(Settler.Transfer[] memory items) private view returns (bool[] memory due) {
        due = new bool[](items.length);
        for (uint256 i = 0; i < items.length; ++i) {
            Settler.Transfer memory item = items[i];
            uint256 earlier = 0;
            bool isRepeated = false;
            for (uint256 j = 0; j < i; ++j) {
                if (!due[j] || items[j].from != item.from) continue;
                earlier += items[j].value;
                isRepeated = isRepeated || items[j].nonce == item.nonce;
            }
            // The clock of these tests is set by them.
            // forge-lint: disable-next-line(block-timestamp)
            bool isInTime = block.timestamp < item.validBefore;
            due[i] = !isRepeated && item.from.code.length == 0 && isInTime
                && !token.authorizationState(item.from, item.nonce) && item.to == SHOP
                && item.value == value[item.from][item.nonce] && token.balanceOf(item.from) >= earlier + item.value;
        }
    }

    function _forge(Settler.Transfer memory item, uint256 how) private pure {
        if (how % 2 == 0) item.value += 1;
        else item.to = address(0xbad);
    }

    function _sign(uint256 who, bytes memory message) private view returns (bytes memory) {
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", token.DOMAIN_SEPARATOR(), keccak256(message)));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(who % PAYERS + 1, digest);
        return abi.encodePacked(r, s, v);
    }
}

contract SettlerInvariants {
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    Handler private handler;
    Settler private settler;
    TestDollar private token;

    function setUp() public {
        vm.warp(1_000_000);
        settler = new Settler();
        token = new TestDollar();
        handler = new Handler(settler, token);
    }

    /// Read by forge: it calls nothing but the handler.
    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    /// What could be paid was paid, whatever else was in its batch; what nobody signed was not.
    function invariant_each_item_stands_for_itself() external view {
        require(handler.broken() == 0, "an item was harmed, or moved unsigned money");
    }

    function invariant_payers_lose_what_they_signed_and_no_more() external view {
        for (uint256 who = 0; who < handler.payers(); ++who) {
            address payer = handler.payer(who);
            require(token.balanceOf(payer) == handler.minted(payer) - handler.spent(payer), "a payer's balance");
        }
        require(token.balanceOf(handler.SHOP()) == handler.sold(), "what the shop has");
    }

    function invariant_the_settler_holds_nothing() external view {
        require(token.balanceOf(address(settler)) == 0 && address(settler).balance == 0, "holds money");
    }
}
