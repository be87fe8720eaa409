// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {TestWallet1271} from "./TestWallet1271.sol";

/// A wallet that accepts its owner's signatures until its factory is closed.
contract FickleWallet1271 is TestWallet1271 {
    TestWalletFactory private immutable factory;

    constructor(address owner_) TestWallet1271(owner_) {
        factory = TestWalletFactory(msg.sender);
    }

    function isValidSignature(bytes32 hash, bytes memory signature) public view override returns (bytes4) {
        return factory.isClosed() ? bytes4(0xffffffff) : super.isValidSignature(hash, signature);
    }
}

/// A factory of contract wallets (CREATE2), like those that ERC-6492 signatures name, and what a hostile one does.
contract TestWalletFactory {
    bool public isClosed;

    function setClosed(bool closed) external {
        isClosed = closed;
    }

    function create(address owner, bytes32 salt) external returns (address wallet) {
        wallet = walletOf(owner, salt);
        if (wallet.code.length == 0) new TestWallet1271{salt: salt}(owner);
    }

    function createFickle(address owner, bytes32 salt) external {
        new FickleWallet1271{salt: salt}(owner);
    }

    /// Works in a simulation, and reverts once closed.
    function createWhileOpen(address owner, bytes32 salt) external {
        require(!isClosed, "closed");
        new TestWallet1271{salt: salt}(owner);
    }

    /// Creates a wallet and calls something else, as a wallet with an initializer can.
    function createAndCall(address owner, bytes32 salt, address target, bytes calldata data) external {
        // CREATE2 burns all gas where there is code already.
        require(walletOf(owner, salt).code.length == 0, "exists");
        new TestWallet1271{salt: salt}(owner);
        (bool isDone,) = target.call(data);
        require(isDone, "the call failed");
    }

    function burn() external pure {
        while (true) {}
    }

    function walletOf(address owner, bytes32 salt) public view returns (address) {
        return predicted(salt, abi.encodePacked(type(TestWallet1271).creationCode, abi.encode(owner)));
    }

    function fickleWalletOf(address owner, bytes32 salt) external view returns (address) {
        return predicted(salt, abi.encodePacked(type(FickleWallet1271).creationCode, abi.encode(owner)));
    }

    function predicted(bytes32 salt, bytes memory code) private view returns (address) {
        bytes32 hash = keccak256(abi.encodePacked(bytes1(0xff), address(this), salt, keccak256(code)));
        return address(uint160(uint256(hash)));
    }
}
