import type { Sayings } from "./said";
import {
  AGENT,
  CREATED,
  HOST,
  LAST_PAGE,
  MANDATE,
  NEXT_MANDATE,
  NEXT_MONTH,
  OK,
  ORIGIN,
  OWNER,
  SIGNATURE,
  TOMORROW,
  USDC,
  WALLET,
} from "./values";
import { mandate, proposedMandate } from "./views";

const signed = { 200: { ...OK, mandate } };
const proposed = { 200: { ...OK, mandate: proposedMandate } };

const field = (name: string, type: string) => ({ name, type });

export const MANDATES: Sayings = {
  createIntent: {
    description:
      "Show `authorizationUrl` to the user, unchanged. Once they have signed, the agent can pay within the mandate without asking again. Nothing can be spent before; the user may narrow what you ask for. A proposal waits for 24 hours.",
    request: { intent: { naturalLanguage: "Market data", limitAmount: "5000000", validForSeconds: 86_400 } },
    responses: {
      200: {
        ...OK,
        mandateId: MANDATE,
        authorizationUrl: `${ORIGIN}/authorize/mandate/${MANDATE}?token=Zk3pQ7vN`,
        expiresAt: TOMORROW,
        agentStatus: "needs_wallet_authorization",
        ownerAddress: null,
      },
    },
  },
  listMandates: {
    description:
      "403 `agent_not_authorized` means that no person has linked the agent yet: propose a mandate. Read it again after the user has signed.",
    responses: { 200: { ...OK, agentStatus: "ready", mandates: [mandate], ...LAST_PAGE } },
  },
  listEligible: {
    description:
      "Ask before you sign a payment: the first mandate of the list fits. If there is none, `uncovered` says what is missing and, where the user can help, has the `authorizationUrl` to show. It reserves nothing.",
    responses: {
      200: {
        ...OK,
        criteria: { host: HOST, amount: "500000", currency: "USDC", network: "base" },
        eligibleMandates: [mandate],
        uncovered: null,
      },
    },
  },
  getMandate: {
    description:
      "The agent reads its own mandates only. The members of the mandate are in the response twice: directly, where `status` is that of the response, and in `mandate`, where it is the mandate's.",
    responses: { 200: { ...mandate, ...OK, mandate } },
  },
  unlinkSelf: {
    description:
      "For an agent that was linked to the wrong person. It is refused as soon as that owner has signed or approved something for it. Then propose a mandate again, for the right one.",
    responses: { 200: { ...OK, agentStatus: "needs_wallet_authorization", ownerAddress: null } },
  },
  getTypedData: {
    description:
      "For the spending wallet, or with `mode=vault` for a vault of its own on the chain, which its signed-in owner only can read. `funding=now`: one signature is mandate and money. `funding=permit`: sign the mandate and `permit`; the money stays in the owner's wallet until it is needed.",
    responses: {
      200: {
        domain: { name: "Agent Spending Mandate", version: "1", chainId: 8453 },
        types: {
          SpendingMandate: [
            field("mandateId", "string"),
            field("agentId", "string"),
            field("owner", "address"),
            field("wallet", "address"),
            field("asset", "address"),
            field("limitAmount", "uint256"),
            field("maxAmountPerPayment", "uint256"),
            field("validFrom", "uint64"),
            field("validUntil", "uint64"),
            field("hostAllowlist", "string[]"),
            field("category", "string"),
            field("naturalLanguage", "string"),
          ],
        },
        primaryType: "SpendingMandate",
        message: {
          mandateId: MANDATE,
          agentId: AGENT,
          owner: OWNER,
          wallet: WALLET,
          asset: USDC,
          limitAmount: "5000000",
          maxAmountPerPayment: "1000000",
          validFrom: "1793610000",
          validUntil: "1796202000",
          hostAllowlist: [HOST],
          category: "",
          naturalLanguage: "Market data",
        },
      },
    },
  },
  claimMandate: {
    description:
      "The first step on the page of an `authorizationUrl`, for an agent without an owner. `token` is the one in that address: it shows that the agent sent this person. Nothing is signed yet; an agent that another owner has linked is answered 404.",
    request: { token: "Zk3pQ7vN" },
    responses: proposed,
  },
  narrowMandate: {
    description:
      "The owner changes what the agent asked for, in one direction only: less money, fewer hosts, an earlier end, lower caps. Budgets of a day or month can be added. Read the typed data again afterwards: it is what gets signed.",
    request: { limitAmount: "2000000", hostAllowlist: [HOST] },
    responses: proposed,
  },
  signMandate: {
    description:
      "The signature is that of the typed data, by the signed-in account. With `mode: vault`, the members of the body are those of the typed data that was signed: `amount` and `validBefore`, or `deadline`. The vault is then opened and funded by the service, without gas of the owner's.",
    request: { signature: SIGNATURE },
    responses: signed,
  },
  rejectMandate: {
    description:
      "Ends a mandate that waits for its signature; nothing was or will be paid under it. The agent sees `rejected`. While the agent has no owner, `token` of the `authorizationUrl` is needed.",
    request: { token: "Zk3pQ7vN" },
    responses: { 200: { ...OK, mandate: { ...proposedMandate, status: "rejected" } } },
  },
  enableMandate: {
    description:
      "While a mandate is paused, nothing new is signed under it. Proofs that were signed before can still be paid until they expire. Resuming is answered 403 `signature_required` first: sign its `typedData` with the owner's wallet and send the same body with `signature`.",
    request: { isEnabled: false },
    responses: { 200: { ...OK, mandate: { ...mandate, isEnabled: false } } },
  },
  revokeMandate: {
    description:
      "If the mandate has a vault, what is in it goes back to the owner. With `vaultSignature`, the owner's signature of `GET /api/mandates/{mandateId}/revocation`, the chain enforces the revocation. Without it the service stops signing, and returns the money by its own signature.",
    request: {},
    responses: { 200: { ...OK, mandate: { ...mandate, status: "revoked" } } },
  },
  getRevocation: {
    description:
      "Only for a mandate with a vault. Sign it with the owner's wallet and send the signature as `vaultSignature` to `POST /api/mandates/{mandateId}/revoke`. Reading it ends nothing.",
    responses: {
      200: {
        domain: { name: "Mandate Vault", version: "1", chainId: 8453, verifyingContract: WALLET },
        types: { Revocation: [field("mandate", "bytes32")] },
        primaryType: "Revocation",
        message: { mandate: mandate.mandateHash },
      },
    },
  },
  moveToVault: {
    description:
      "Returns a mandate for what is left of this one, with the same end and limits, for the owner to sign with a vault. That one signature moves it: this mandate is then revoked, and names the other in `replacedBy`. What it has signed for can still be paid, and is not part of the new limit. Until the signature nothing changes. The money in the spending wallet stays there.",
    responses: {
      200: {
        ...OK,
        mandate: {
          ...proposedMandate,
          mandateId: NEXT_MANDATE,
          requestedBy: "owner",
          replaces: MANDATE,
          validUntil: NEXT_MONTH,
          createdAt: CREATED,
          detailsUrl: `${ORIGIN}/mandates/${NEXT_MANDATE}`,
          signUrl: `${ORIGIN}/authorize/mandate/${NEXT_MANDATE}`,
        },
      },
    },
  },
  listRefusingSellers: {
    description:
      "Such a seller is paid through the vault's pocket, or not at all if the vault has a list of payees or a key of the agent. What an agent reports counts for that agent alone; what the service saw, when it presented a payment itself, counts for all agents of the owner. Each is forgotten after 30 days.",
    responses: {
      200: {
        ...OK,
        sellers: [{ host: HOST, reason: "invalid_exact_evm_payload_signature", seenAt: CREATED, seenBy: "agent" }],
      },
    },
  },
  forgetRefusingSeller: {
    description:
      "For all agents of the owner, on the mandate's network. The next payment to the seller is made by the vault itself again. If it is refused as well, the seller is remembered again.",
    request: { host: HOST },
    responses: { 200: OK },
  },
  listMandateEvents: {
    description:
      "The proposal, its changes, the signature, pauses, the end, and what became of its vault. `data` depends on the type, as in the [webhooks](/docs/webhooks) of the same name. Payments are in `GET /api/payments` of the agent.",
    responses: {
      200: {
        ...OK,
        events: [
          {
            eventId: "evt_4Jc8Qm2Lk7Rz9TnV6yWb1PdX",
            type: "mandate.signed",
            createdAt: CREATED,
            data: { limitAmount: "5000000" },
          },
        ],
        ...LAST_PAGE,
      },
    },
  },
  downloadMandates: {
    description:
      "The table of the dashboard's mandates page, with the same filters, one line for each mandate. Amounts are in atomic units and formatted. For the signed-in owner only.",
  },
};
