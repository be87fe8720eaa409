// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// What MandateVault does, with the token and signatures abstract: whoever calls, whatever is signed, in any order, with any sums,
/// at any time. solc's model checker and z3 prove every assertion for all inputs (`npm run contracts -- --prove`), by induction: the
/// first state is sound, and every step leads from any sound state to a sound one. Names are those of the vault.
/// `test/MandateVaultModel.t.sol` compares the model with the vault.
contract MandateVaultModel {
    uint256 private constant UNCOUNTED_MAX = 1_000_000;
    /// More units than exist; what comes in over a vault's whole life is taken to be less.
    uint256 private constant MOST = type(uint120).max;

    // The terms.
    uint256 internal immutable start;
    uint256 internal immutable end;
    uint256 internal immutable limit;
    /// Zero: none.
    uint256 internal immutable perPayment;

    // The chain.
    uint256 public time;
    /// What the terms release by `time`. See ReleaseModel.
    uint256 public released;
    /// Of the vault, in the token.
    uint256 public balance;

    // The vault.
    uint256 public funded;
    uint256 public counted;
    bool public isRevoked;

    // What happened. The vault knows none of it.
    /// By `fund` and `pull`.
    uint256 public put;
    /// By plain transfers: refunds and gifts.
    uint256 public given;
    uint256 public paid;
    /// To the owner.
    uint256 public home;
    /// The most that a signed count made `funded` reach.
    uint256 public usedTotal;

    constructor(uint256 start_, uint256 end_, uint256 limit_, uint256 perPayment_, uint256 time_) {
        require(start_ < end_ && limit_ <= type(uint96).max);
        (start, end, limit, perPayment, time) = (start_, end_, limit_, perPayment_, time_);
        assert(isSound());
    }

    /// The checker takes each function alone, from any state: this one is called in a sound state only.
    modifier onceSound() {
        require(isSound());
        _;
    }

    modifier keepsSound() {
        require(isSound());
        _;
        assert(isSound());
    }

    function isSound() internal view returns (bool) {
        return limit <= type(uint96).max && put <= MOST && given <= MOST - put
            // No money appears or vanishes.
            && paid <= put + given && home <= put + given - paid && balance == put + given - paid - home
            // Nothing is released before the start, and never more than the limit.
            && released <= limit && (time >= start || released == 0)
            // Beyond what others gave, no more is paid than is released.
            && (paid <= given || paid - given <= released)
            // The counts cover what was put in, and are of money that was here.
            && put <= funded && funded <= put + given && counted <= paid + home
            // What a signature counted stays counted.
            && usedTotal <= funded;
    }

    /// The counts are what they were: whoever calls makes nothing spent for good.
    modifier countsNothing() {
        (uint256 fundedBefore, uint256 countedBefore) = (funded, counted);
        _;
        assert(funded == fundedBefore && counted == countedBefore);
    }

    /// Time passes, and the terms release more.
    function pass(uint256 time_, uint256 released_) external keepsSound countsNothing {
        require(time <= time_ && released <= released_ && released_ <= limit && (time_ >= start || released_ == 0));
        (time, released) = (time_, released_);
    }

    /// Anybody sends some, by a plain transfer.
    function give(uint256 value) external keepsSound countsNothing {
        _takeIn(value);
        given += value;
    }

    function fund(uint256 value) external keepsSound {
        require(_isLive());
        _count();
        uint256 before = funded;
        _takeIn(value);
        put += value;
        funded = _toUint120(funded + value);
        assert(funded >= before);
    }

    /// `isSigned`: by the signer, or the caller is the owner.
    function pull(uint256 total, bool isSigned) external keepsSound {
        require(_isLive() && isSigned);
        _count();
        uint256 before = funded;
        require(total > before && total <= released);
        _takeIn(total - before);
        put += total - before;
        funded = _toUint120(total);
        assert(funded >= before);
    }

    function count(bool isByOwner) external keepsSound {
        require(isByOwner);
        _count();
        assert(isByOwner);
    }

    /// `isSigned`: by the signer, whoever calls.
    function countSigned(uint256 total, bool isSigned) external keepsSound {
        require(isSigned);
        uint256 before = funded;
        _count();
        assert(isSigned);
        require(before < total && total <= funded);
        // No signature is used twice.
        assert(total > usedTotal);
        usedTotal = total;
    }

    /// The token asks `judge`, and transfers. `isSigned`: by the signer, and by the agent if the terms name one.
    function pay(uint256 value, bool isListed, bool isSigned) external keepsSound countsNothing {
        require(judge(value, isListed, isSigned) && value <= balance);
        assert(!isRevoked && start <= time && time < end);
        assert(isListed && isSigned && (perPayment == 0 || value <= perPayment));
        balance -= value;
        paid += value;
        // Money that others gave lets more out only until it is counted.
        assert(paid <= released + given - (funded - put));
    }

    /// A transfer to the owner, signed by owner or signer.
    function payOwner(uint256 value, bool isSigned) external keepsSound countsNothing {
        require(isSigned && value <= balance);
        balance -= value;
        home += value;
    }

    function withdraw(bool isByOwner) external keepsSound countsNothing {
        require(mayWithdraw(isByOwner));
        _sendHome();
    }

    /// `isByOwner`: the caller, or the signature. A paused token keeps the money where it is, not the mandate alive.
    function revoke(bool isByOwner, bool isPaused) external keepsSound countsNothing {
        require(isByOwner);
        isRevoked = true;
        if (!isPaused) _sendHome();
        assert(!judge(0, true, true));
        assert(mayWithdraw(false));
    }

    /// The owner can leave in every state, and takes everything.
    function takeAll() external keepsSound countsNothing {
        assert(mayWithdraw(true));
        _sendHome();
        assert(balance == 0 && paid + home == put + given);
    }

    function mayWithdraw(bool isByOwner) internal view returns (bool) {
        return isRevoked || time >= end || isByOwner;
    }

    function judge(uint256 value, bool isListed, bool isSigned) internal view onceSound returns (bool) {
        if (isRevoked) return false;
        if (time < start) return false;
        if (time >= end) return false;
        if (perPayment != 0 && value > perPayment) return false;
        if (!isListed) return false;
        if (balance + counted > funded + UNCOUNTED_MAX) return false;
        uint256 spent_ = spent();
        if (spent_ > released || value > released - spent_) return false;
        return isSigned;
    }

    function spent() internal view returns (uint256) {
        uint256 missing = funded > balance ? funded - balance : 0;
        return missing > counted ? missing : counted;
    }

    function _count() private keepsSound {
        (uint256 fundedBefore, uint256 countedBefore) = (funded, counted);
        uint256 spent_ = spent();
        (counted, funded) = (_toUint120(spent_), _toUint120(balance + spent_));
        assert(funded >= fundedBefore && counted >= countedBefore);
        // A count can only lower what may still be spent.
        assert(spent() >= spent_);
    }

    function _isLive() private view returns (bool) {
        return !isRevoked && time < end;
    }

    function _takeIn(uint256 value) private onceSound {
        require(value <= MOST && put + given <= MOST - value);
        balance += value;
    }

    function _sendHome() private onceSound {
        home += balance;
        balance = 0;
    }

    function _toUint120(uint256 value) private pure returns (uint256) {
        return value > MOST ? MOST : value;
    }
}

/// `_releasedOf` of MandateVault, whose sums are the only ones that multiply.
contract ReleaseModel {
    function releasedAt(uint256 time, uint48 start, uint32 period, uint96 perPeriod, uint96 limit)
        internal
        pure
        returns (uint256)
    {
        require(time <= type(uint48).max);
        // The factory refuses other terms.
        require((perPeriod == 0) == (period == 0));
        if (time < start) return 0;
        if (perPeriod == 0) return limit;
        uint256 periods = (time - start) / period + 1;
        uint256 sum = periods * perPeriod;
        return sum < limit ? sum : limit;
    }

    /// Nothing before the start, never more than the limit, and never less later.
    function proveRelease(uint48 time, uint48 later, uint48 start, uint32 period, uint96 perPeriod, uint96 limit)
        external
        pure
    {
        require(time <= later);
        uint256 now_ = releasedAt(time, start, period, perPeriod, limit);
        assert(now_ <= limit && (time >= start || now_ == 0));
        assert(now_ <= releasedAt(later, start, period, perPeriod, limit));
    }
}

/// Where `abi.encode` puts the parts of a Payment, which is what MandateVault takes, and the parts that its terms need. Places and
/// lengths are of the bytes behind `signature.offset`. `testFuzz_no_second_encoding_of_a_payment` is of the vault itself.
contract FormModel {
    struct Form {
        /// The first word: where the payment begins.
        uint256 head;
        uint256 signatureAt;
        uint256 signatureLength;
        uint256 agentAt;
        uint256 agentLength;
        uint256 proofAt;
        /// Of 32 bytes each.
        uint256 proofLength;
        /// Whether each part is followed by zeros up to the next word.
        bool isPadded;
        uint256 size;
    }

    function isCanonical(Form memory f, bool isHome, bool hasAgent, bool hasList) internal pure returns (bool) {
        require(f.proofLength <= type(uint64).max);
        uint256 expected = 320;
        if (f.head != 32 || f.signatureAt != expected || !f.isPadded) return false;
        expected += paddedLength(f.signatureLength) + 32;
        if (f.agentAt != expected) return false;
        expected += paddedLength(f.agentLength) + 32;
        if (f.proofAt != expected || f.size != expected + 32 * f.proofLength) return false;
        if ((isHome || !hasAgent) && f.agentLength > 0) return false;
        return !((isHome || !hasList) && f.proofLength > 0);
    }

    function paddedLength(uint256 length) internal pure returns (uint256) {
        // The decoder refuses longer parts.
        require(length <= type(uint64).max);
        return (length + 31) / 32 * 32;
    }

    /// Two forms of the same parts are the same bytes, and of no part can another be read.
    function proveOneForm(Form memory f, Form memory g, bool isHome, bool hasAgent, bool hasList) external pure {
        require(isCanonical(f, isHome, hasAgent, hasList) && isCanonical(g, isHome, hasAgent, hasList));
        require(f.signatureLength == g.signatureLength && f.agentLength == g.agentLength);
        require(f.proofLength == g.proofLength);
        assert(f.head == g.head && f.isPadded && g.isPadded);
        assert(f.signatureAt == g.signatureAt && f.agentAt == g.agentAt && f.proofAt == g.proofAt);
        assert(f.size == g.size);
    }

    /// Each part ends before the next begins, and the last with the bytes.
    function proveNoOverlap(Form memory f, bool isHome, bool hasAgent, bool hasList) external pure {
        require(isCanonical(f, isHome, hasAgent, hasList));
        assert(f.signatureAt + f.signatureLength <= f.agentAt - 32);
        assert(f.agentAt + f.agentLength <= f.proofAt - 32);
        assert(f.proofAt + 32 * f.proofLength == f.size);
        // Less than a word of padding each.
        assert(f.agentAt - 32 - f.signatureAt - f.signatureLength < 32);
        assert(f.proofAt - 32 - f.agentAt - f.agentLength < 32);
    }

    /// Nothing can be put where the terms need nothing.
    function proveNoRoom(Form memory f, bool isHome, bool hasAgent, bool hasList) external pure {
        require(isCanonical(f, isHome, hasAgent, hasList));
        // The vault takes no other length of an account's signature.
        require(f.signatureLength == 65 && (f.agentLength == 0 || f.agentLength == 65));
        assert(f.size <= 384 + 96 + 96 + 32 * f.proofLength);
        assert(!isHome || f.size == 384 + 96);
        assert(hasAgent || hasList || f.size == 384 + 96);
    }
}
