import { NETWORKS } from "@tessera/x402/networks";

/** The values that examples share, so that the same agent, link or payment has the same id everywhere. */
export const ORIGIN = "https://tessera.example";
export const DID = "did:web:tessera.example";

export const OK = { status: "ok" } as const;
export const SUCCESS = { success: true } as const;
export const LAST_PAGE = { nextCursor: null } as const;

export const AGENT = "7d3f1c52-9b0e-4c8a-8f2d-1a5b6c7d8e9f";
export const MANDATE = "mand_4f2KqLw8ZtYp0aXcVbNm1234";
export const NEXT_MANDATE = "mand_8sWd3HnQ6yRk1eTzUjPf5678";
export const PAYMENT = "pay_2bMvXc9LkJh5gFdSaQwE7Rt3";
export const SETTLEMENT = "stl_9uYtR4eWqAsD2fGhJkLz6XcV";
export const LINK = "lnk_5nBgT8hYmJuK1iOlPqAz3WsX";
export const REFUND = "rfd_6tGbVfRcDxEsWzAq0PlOkMij";
export const APPROVAL = "apr_1qAzXsW2eDcVfR3tGbNhY4uJ";
export const PAYEE = "pye_7yHnMjU8iKlOp9ZaQxSwCdEv";
export const PAYOUT = "po_3eDcRfV4tGbYhN5uJmIkOlP6";
export const INVOICE = "inv_8iKmJnU7yHbGtV6fRcDxEs5W";
export const FILE = "fil_0pLoKiJuHyGtFrDeSwAqZxCv";
export const IMAGE = "img_7cVbNm2QwErTy4UiOpAs9DfG";
export const WEBHOOK = "whk_4rFvBgT5yHnMjU6iKlOpQaZw";
export const DELIVERY = "dlv_2wSxEdC3rFvTgB4yHnUjM5iK";
export const EVENT = "evt_5tGbNhY6uJmKiO7lPqAzWsXe";
export const KEY = "fky_9oLpKiMjU8nHyBgT7vFrCdXe";
export const DOMAIN = "dom_1aZqSxWdCe2FvRgBtHn3YmJu";
export const SESSION = "ses_6yHgTfRdEsWaQ5zXcVbNmLkJ";
export const VIEW = "vw_7nMjUkI8oLpZaQxSwCdEvFrB";
export const BROWSER = "brw_3kJhGfDsAqWeRtYuIoP4lMnB";
export const SCAN = "scn_8mNbVcXzLkJhGfDsAqW7eRtY";
export const FIREWALL = "firewall";

export const OWNER = "0xAb8483F64d9C6d1EcF9b849Ae677dD3315835cb2";
/** The owner's spending wallet. */
export const WALLET = "0x4B20993Bc481177ec7E8f571ceCaE8A9e22C02db";
/** A seller, or whoever is paid. */
export const SELLER = "0x5B38Da6a701c568545dCfcB03FcB875f56beddC4";
/** A buyer of the agent's. */
export const BUYER = "0x78731D3Ca6b7E34aC0F824c42a7cC18A495cabaB";
export const USDC = NETWORKS.base.usdc;

const bytes = (text: string, length: number): string => `0x${text.repeat(length).slice(0, 2 * length)}`;

export const TX_HASH = bytes("5c9f2b71d40e86a3", 32);
export const NONCE = bytes("b1e47d0c93f2685a", 32);
/** 65 bytes, as accounts without code sign. */
export const SIGNATURE = bytes("3fd21c86a90b75e4", 65);
export const HASH = bytes("e07a16c5f39d4b28", 32);

/** A JWT or another compact JWS. It is only the form of one: nobody signed it. */
export const JWS = "eyJhbGciOiJSUzI1NiIsImtpZCI6ImsxIn0.eyJzdWIiOiJleGFtcGxlIn0.c2lnbmF0dXJl";
export const TOKEN = "tok_7fKq2LmZx9Rb4TnV6yWc1PdS";

export const CREATED = "2026-11-02T09:00:00.000Z";
export const SETTLED = "2026-11-02T09:00:04.000Z";
export const UPDATED = "2026-11-02T10:30:00.000Z";
export const TOMORROW = "2026-11-03T09:00:00.000Z";
export const NEXT_MONTH = "2026-12-02T09:00:00.000Z";
/** Ten minutes after `CREATED`, in Unix seconds. */
export const SOON_SECONDS = 1_793_610_600;

export const RESOURCE = "https://service.example/report";
export const HOST = "service.example";
