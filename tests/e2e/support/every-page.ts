import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { remember, stranger } from "./addresses";
import {
  type Agent,
  call,
  claim,
  confirmed,
  fund,
  makeLink,
  newAgent,
  newPayee,
  newPerson,
  type Person,
  payLink,
  payUpl,
  propose,
  sign,
} from "./api";
import { requestApproval } from "./approval";
import { requestPayout } from "./payouts";

/** An owner who has one of everything, and the ids of it by the names of the app's dynamic segments. */
export type FullOwner = { person: Person; ids: Record<string, readonly string[]> };

const LONG_TITLE = "Weather-and-market-report-with-a-title-that-has-no-space-to-break-at, November";

/** A mandate whose agent requests a payment to an address that the host does not confirm. */
async function requestPayee(person: Person, agent: Agent): Promise<string> {
  const { mandateId, ...rest } = await propose(agent, { hostAllowlist: ["localhost"], confirmPayees: true });
  await sign(person, { mandateId, ...rest });
  const json = { mandateId, payTo: stranger(), amount: "250000", resource: "http://localhost:9/report" };
  return (await call<{ payeeId: string }>("POST", "/api/payment/x402V3Payment", { jwt: agent.jwt, json }, 202)).payeeId;
}

async function addWebhook(person: Person): Promise<string> {
  const json = { url: "http://localhost:9/hooks" };
  return (await confirmed<{ webhook: { webhookId: string } }>(person, "/api/webhooks", json, 201)).webhook.webhookId;
}

async function sell(agent: Agent) {
  const link = await makeLink(agent, {
    title: LONG_TITLE,
    maxQuantity: 5,
    fields: [{ name: "email", label: "E-mail" }],
  });
  const { settlementId } = await payLink(link);
  const path = `/api/payment-links/${link.linkId}/payments`;
  const { payments } = await call<{ payments: { id: number }[] }>("GET", path, { jwt: agent.jwt });
  const json = { paymentId: payments[0]?.id, amount: "250000", reason: "Half of it was late" };
  type Requested = { refundId: string };
  const initiating = "/api/payment-links/refunds/initiate";
  const { refundId } = await call<Requested>("POST", initiating, { jwt: agent.jwt, json }, 201);
  return { linkId: link.linkId, paymentId: String(payments[0]?.id), settlementId, refundId };
}

async function invoice({ jwt }: Agent): Promise<string> {
  const json = {
    buyer: { name: "Example Ltd", address: "1 Example Street\nBern", email: "ap@example.com" },
    dueDate: "2090-01-31",
    lines: [{ description: LONG_TITLE, quantity: "2.5", unitAmount: "400000" }],
    tax: { label: "VAT", percent: "8" },
  };
  return (await call<{ invoice: { invoiceId: string } }>("POST", "/api/invoices", { jwt, json })).invoice.invoiceId;
}

export async function fullOwner(): Promise<FullOwner> {
  const person = await newPerson();
  const agent = await newAgent();
  await fund(person);
  const proposal = await propose(agent, { maxAmountPerDay: "5000000" });
  await sign(person, proposal);
  const paid = await payUpl(agent, proposal.mandateId, await newPayee(), "1250000");
  const created = await call<{ payments: { paymentRecordId: string }[] }>("GET", "/api/payments", { jwt: agent.jwt });
  const waiting = await propose(agent, { naturalLanguage: "Buy a GPU hour.", limitAmount: "3000000" });
  await claim(person, waiting);
  const sold = await sell(agent);
  const payout = await requestPayout(agent, { toAddress: person.account.address, amount: "1000000" });
  await remember(person, stranger(), "The landlord");
  await call("POST", "/api/facilitator/keys", { cookie: person.cookie, json: { name: "Shop" } }, 201);
  return {
    person,
    ids: {
      agentId: [agent.agentId],
      mandateId: [proposal.mandateId, waiting.mandateId],
      paymentId: [created.payments[0]?.paymentRecordId ?? "", sold.paymentId],
      settlementId: [paid.receiptUrl.split("/").at(-1) ?? "", sold.settlementId],
      linkId: [sold.linkId],
      refundId: [sold.refundId],
      invoiceId: [await invoice(agent)],
      payoutRecordId: [payout.payoutRecordId],
      approvalId: [(await requestApproval(agent)).approvalId],
      payeeId: [await requestPayee(person, agent)],
      webhookId: [await addWebhook(person)],
      // One page of the documentation, whose other pages have a separate test.
      "...path": [""],
    },
  };
}

const APP = join(import.meta.dirname, "../../../app");

/** The paths of all pages of the app, with dynamic segments as they are in the folder: "/pay/[linkId]". */
export const appPages = (): string[] =>
  readdirSync(APP, { recursive: true, encoding: "utf8" })
    .filter((file) => basename(file) === "page.tsx")
    .map((file) => `/${dirname(file).replace(/\([^)]*\)\/?/g, "")}`)
    .sort();

/** What to open of a page. Throws for a dynamic segment that nothing is known for. */
export function examplesOf(page: string, ids: FullOwner["ids"]): string[] {
  const [segment] = /\[+[^\]]+\]+/.exec(page) ?? [];
  if (segment === undefined) return [page];
  const name = segment.replace(/[[\]]/g, "");
  const known = ids[name];
  if (!known) throw new Error(`${page}: add an example of ${name} to fullOwner`);
  return known.map((id) => page.replace(segment, id).replace(/\/$/, ""));
}
