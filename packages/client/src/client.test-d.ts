import { expectTypeOf } from "vitest";
import type { Mandate, PayOptions, PayResult, Proof, Receipt } from "./index.ts";
import { PaymentError, parseUsdc, Tessera } from "./index.ts";

// Compiled by `npm run check`, never run: what users of the client rely on at compile time.

declare const tessera: Tessera;

// An amount is a text of atomic USDC: a number would lose digits.
expectTypeOf<PayOptions["maxAmount"]>().toEqualTypeOf<string>();
// @ts-expect-error a number is no amount
tessera.pay("https://a.example", {}, { mandateId: "mand_1", maxAmount: 1_000_000 });
expectTypeOf(parseUsdc).returns.toEqualTypeOf<string>();

// The price's limit is not optional.
// @ts-expect-error maxAmount is missing
tessera.pay("https://a.example", {}, { mandateId: "mand_1" });

// Without a payment there is no receipt.
expectTypeOf(tessera.pay).returns.resolves.toEqualTypeOf<PayResult>();
expectTypeOf<PayResult["receipt"]>().toEqualTypeOf<Receipt | null>();
expectTypeOf<Receipt["proof"]>().toEqualTypeOf<Proof>();

// The end of a payment is one of these, so that a switch over it is complete.
declare const thrown: unknown;
if (PaymentError.is(thrown)) {
  expectTypeOf(thrown.outcome).toEqualTypeOf<"not_paid" | "declined" | "unknown" | "paid">();
  expectTypeOf(thrown.code).toEqualTypeOf<string>();
}

// A list is iterated item by item, over all of its pages.
for await (const mandate of tessera.mandates.list({ limit: 10 })) expectTypeOf(mandate).toEqualTypeOf<Mandate>();
// @ts-expect-error the client follows the cursor itself
tessera.mandates.list({ cursor: "1" });

// A new agent is a client: nobody has to construct it from parts.
expectTypeOf(Tessera.register).returns.resolves.toEqualTypeOf<Tessera>();
// @ts-expect-error the token cannot be set
tessera.token = "tok_1";
