// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {MerkleProof} from "@openzeppelin/contracts/utils/cryptography/MerkleProof.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {IFiatToken} from "../IFiatToken.sol";
import {Terms, VaultTerms} from "../VaultTerms.sol";

/// Holds the money of one mandate and judges each payment out of it. Audited by nobody.
///
/// The token asks `isValidSignature` before it moves money out of here. That call cannot write, so the vault counts what was
/// spent by its balance: what came in less what is there. Its terms are the last bytes of its code and cannot change. Nothing
/// here can be initialised, upgraded or administered.
contract MandateVault is IERC1271 {
    using VaultTerms for bytes;

    /// The bytes of a signature: ABI-encoded. The first five members are those of the authorization.
    struct Payment {
        address to;
        uint256 value;
        uint256 validAfter;
        uint256 validBefore;
        bytes32 nonce;
        /// The signer's signature of the authorization. For a transfer to the owner, the signer's or the owner's.
        bytes signature;
        /// The agent's signature of the authorization; empty if the terms name no agent.
        bytes agentSignature;
        /// Merkle proof of `to`; empty if the terms permit any payee.
        bytes32[] proof;
    }

    /// In one slot, which a payment reads once.
    struct Counts {
        /// What came in, as far as it was counted. Never falls.
        uint120 funded;
        /// What was spent when it was counted last. Never falls.
        uint120 spent;
        bool isRevoked;
    }

    /// Why a payment is refused. `None`: it is valid now.
    enum Refusal {
        None,
        OtherDigest,
        Revoked,
        NotStarted,
        Ended,
        OverPaymentCap,
        PayeeNotListed,
        NotReleased,
        NotSigned,
        NotSignedByAgent,
        NotCounted
    }

    event Funded(uint256 value);
    event Pulled(uint256 value);
    event Revoked();
    event Returned(uint256 value);

    error NotAVault();
    error VaultRevoked();
    error VaultEnded();
    error NotTheOwner();
    error WrongSignature();
    error NothingToPull();
    error OverReleased();
    error NotReturnableYet();
    error TransferFailed();
    error NotEnoughGas();

    /// Atomic units. Money that others sent may be left uncounted up to here, so that it costs more to block a payment by sending
    /// some: what exceeds it has to be counted before the next payment.
    uint256 private constant UNCOUNTED_MAX = 1_000_000;
    /// More than a transfer by the token takes.
    uint256 private constant RETURN_GAS = 150_000;
    bytes4 private constant REFUSED = 0xffffffff;
    bytes32 private constant TRANSFER_TYPEHASH = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant PULL_TYPEHASH = keccak256("Pull(uint256 total)");
    bytes32 private constant REVOCATION_TYPEHASH = keccak256("Revocation(bytes32 mandate)");

    Counts private _counts;

    /// Called by the token. Answers the ERC-1271 magic value if the payment in `signature` is within the terms now.
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        return judge(hash, signature) == Refusal.None ? IERC1271.isValidSignature.selector : REFUSED;
    }

    /// As `isValidSignature`, with the reason. Reverts, or refuses, if `signature` is not an encoded Payment.
    function judge(bytes32 hash, bytes calldata signature) public view returns (Refusal) {
        Payment calldata payment = _payment(signature);
        Terms memory t = terms();
        if (hash != _transferDigest(t.token, payment)) return Refusal.OtherDigest;
        // Money on its way home needs no other rule, so that no rule can lock it in.
        if (payment.to == t.owner && _isByOwnerOrSigner(t, hash, payment.signature)) return Refusal.None;
        Counts memory counts = _counts;
        if (counts.isRevoked) return Refusal.Revoked;
        if (!_hasStarted(t)) return Refusal.NotStarted;
        if (_hasEnded(t)) return Refusal.Ended;
        if (t.perPayment != 0 && payment.value > t.perPayment) return Refusal.OverPaymentCap;
        if (t.payees != 0 && !_isListed(t.payees, payment.to, payment.proof)) return Refusal.PayeeNotListed;
        uint256 balance = IFiatToken(t.token).balanceOf(address(this));
        if (balance + counts.spent > counts.funded + UNCOUNTED_MAX) return Refusal.NotCounted;
        uint256 spent_ = _spentAt(counts, balance);
        uint256 released_ = _releasedOf(t);
        if (spent_ > released_ || payment.value > released_ - spent_) return Refusal.NotReleased;
        if (!_isBy(t.signer, hash, payment.signature)) return Refusal.NotSigned;
        if (t.agent != address(0) && !_isBy(t.agent, hash, payment.agentSignature)) return Refusal.NotSignedByAgent;
        return Refusal.None;
    }

    /// Takes what the owner authorized with EIP-3009's ReceiveWithAuthorization. Anybody may submit it.
    function fund(
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external {
        Terms memory t = _liveTerms();
        _count(t.token);
        _counts.funded = _toUint120(_counts.funded + value);
        IFiatToken(t.token)
            .receiveWithAuthorization(t.owner, address(this), value, validAfter, validBefore, nonce, signature);
        emit Funded(value);
    }

    /// Draws from the owner's allowance until `total` came in, never beyond what is released. The owner may call this; anybody
    /// else needs the signer's signature of Pull(total). It cannot be used twice: `funded` has reached `total` then.
    function pull(uint256 total, bytes calldata signature) external {
        Terms memory t = _liveTerms();
        if (msg.sender != t.owner && !_isBy(t.signer, _digest(keccak256(abi.encode(PULL_TYPEHASH, total))), signature)) {
            revert WrongSignature();
        }
        _count(t.token);
        uint256 counted = _counts.funded;
        if (total <= counted) revert NothingToPull();
        if (total > _releasedOf(t)) revert OverReleased();
        _counts.funded = _toUint120(total);
        if (!IFiatToken(t.token).transferFrom(t.owner, address(this), total - counted)) revert TransferFailed();
        emit Pulled(total - counted);
    }

    /// Counts what others sent here, so that it does not offset what is spent later. Anybody may call this.
    function count() external {
        _count(terms().token);
    }

    /// Ends the mandate for good and returns the money. For the owner.
    function revoke() external {
        if (msg.sender != terms().owner) revert NotTheOwner();
        _revoke();
    }

    /// As `revoke`, for anybody with the owner's signature of Revocation(mandate).
    function revokeSigned(bytes calldata signature) external {
        Terms memory t = terms();
        bytes32 digest = _digest(keccak256(abi.encode(REVOCATION_TYPEHASH, t.mandate)));
        if (!_isByOwner(t.owner, digest, signature)) revert WrongSignature();
        _revoke();
    }

    /// Sends everything to the owner. The owner may call this at any time; anybody after the end or a revocation.
    function withdraw() external {
        Terms memory t = terms();
        if (!_counts.isRevoked && !_hasEnded(t) && msg.sender != t.owner) revert NotReturnableYet();
        uint256 value = IFiatToken(t.token).balanceOf(address(this));
        if (!IFiatToken(t.token).transfer(t.owner, value)) revert TransferFailed();
        emit Returned(value);
    }

    function isRevoked() external view returns (bool) {
        return _counts.isRevoked;
    }

    function terms() public view returns (Terms memory) {
        bytes memory packed = Clones.fetchCloneArgs(address(this));
        // The implementation is not a vault: its code has no terms at the end.
        if (packed.length != VaultTerms.SIZE) revert NotAVault();
        return packed.unpack();
    }

    /// What came in by `fund` and `pull`, and what others sent if it was counted.
    function funded() external view returns (uint256) {
        return _counts.funded;
    }

    /// What left: payments, and what was returned to the owner. Less what others sent since the last count.
    function spent() external view returns (uint256) {
        return _spentAt(_counts, IFiatToken(terms().token).balanceOf(address(this)));
    }

    /// What may have been spent by now, in all.
    function released() external view returns (uint256) {
        return _releasedOf(terms());
    }

    function _spentAt(Counts memory counts, uint256 balance) private pure returns (uint256) {
        uint256 missing = counts.funded > balance ? counts.funded - balance : 0;
        return missing > counts.spent ? missing : counts.spent;
    }

    // Whoever makes a block can set its time a few seconds off. That moves start, end and release by as much.
    function _hasStarted(Terms memory t) private view returns (bool) {
        // forge-lint: disable-next-line(block-timestamp)
        return block.timestamp >= t.start;
    }

    function _hasEnded(Terms memory t) private view returns (bool) {
        // forge-lint: disable-next-line(block-timestamp)
        return block.timestamp >= t.end;
    }

    function _releasedOf(Terms memory t) private view returns (uint256) {
        if (!_hasStarted(t)) return 0;
        if (t.perPeriod == 0) return t.limit;
        uint256 periods = (block.timestamp - t.start) / t.period + 1;
        uint256 sum = periods * t.perPeriod;
        return sum < t.limit ? sum : t.limit;
    }

    /// Afterwards `funded` is the balance and what was spent: money that nobody counted became a part of it.
    function _count(address token) private {
        uint256 balance = IFiatToken(token).balanceOf(address(this));
        Counts memory counts = _counts;
        uint256 spent_ = _spentAt(counts, balance);
        uint256 funded_ = balance + spent_;
        if (spent_ == counts.spent && funded_ == counts.funded) return;
        (_counts.spent, _counts.funded) = (_toUint120(spent_), _toUint120(funded_));
    }

    function _revoke() private {
        if (!_counts.isRevoked) {
            _counts.isRevoked = true;
            emit Revoked();
        }
        // Or wallets would estimate just the gas with which the return fails and the revocation does not.
        if (gasleft() < RETURN_GAS) revert NotEnoughGas();
        // A paused token must not keep the mandate alive. Anybody can withdraw later.
        try this.withdraw() {} catch {}
    }

    function _liveTerms() private view returns (Terms memory t) {
        t = terms();
        if (_counts.isRevoked) revert VaultRevoked();
        if (_hasEnded(t)) revert VaultEnded();
    }

    /// The token's own domain, not a copy: after a change of its name, transfers to the owner still work.
    function _transferDigest(address token, Payment calldata p) private view returns (bytes32) {
        bytes32 message = keccak256(
            abi.encode(TRANSFER_TYPEHASH, address(this), p.to, p.value, p.validAfter, p.validBefore, p.nonce)
        );
        return keccak256(abi.encodePacked(hex"1901", IFiatToken(token).DOMAIN_SEPARATOR(), message));
    }

    /// EIP-712 digest in this vault's own domain.
    function _digest(bytes32 message) private view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(DOMAIN_TYPEHASH, keccak256("Mandate Vault"), keccak256("1"), block.chainid, address(this))
        );
        return keccak256(abi.encodePacked(hex"1901", domain, message));
    }

    /// As abi.decode, without a copy. Whatever the offset says, it points into what the caller sent, and `hash` must be of it.
    function _payment(bytes calldata signature) private pure returns (Payment calldata payment) {
        assembly ("memory-safe") {
            payment := add(signature.offset, calldataload(signature.offset))
        }
    }

    function _isByOwnerOrSigner(Terms memory t, bytes32 digest, bytes calldata signature) private view returns (bool) {
        return _isBy(t.signer, digest, signature) || _isByOwner(t.owner, digest, signature);
    }

    /// An owner with code may sign as a contract. An account with delegated code (EIP-7702) may also sign with its key.
    function _isByOwner(address owner, bytes32 digest, bytes calldata signature) private view returns (bool) {
        return _isBy(owner, digest, signature)
            || SignatureChecker.isValidERC1271SignatureNow(owner, digest, signature);
    }

    function _isBy(address account, bytes32 digest, bytes calldata signature) private pure returns (bool) {
        (address recovered, ECDSA.RecoverError failure,) = ECDSA.tryRecoverCalldata(digest, signature);
        return failure == ECDSA.RecoverError.NoError && recovered == account;
    }

    /// The leaves and order of OpenZeppelin's StandardMerkleTree of one address.
    function _isListed(bytes32 root, address to, bytes32[] calldata proof) private pure returns (bool) {
        return MerkleProof.verifyCalldata(proof, root, keccak256(bytes.concat(keccak256(abi.encode(to)))));
    }

    /// More than 2^120 units do not exist. If they did, a donation of them must not lock the money in.
    function _toUint120(uint256 value) private pure returns (uint120) {
        // forge-lint: disable-next-line(unsafe-typecast): compared before it is cast.
        return value > type(uint120).max ? type(uint120).max : uint120(value);
    }
}
