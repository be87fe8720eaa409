/**
 * Optional texts of a link that are only displayed. Must not import zod, because browser forms import this file. To add a text: an
 * entry here, a column in `tables.ts`, a field in `components/links/more-fields.tsx`, and the page that shows it. A text of receipts is
 * also in RECEIPT_TEXTS, and has a second column in `tables.ts`.
 */
export const LINK_TEXTS = {
  title: { max: 100, isName: true, says: "One line, shown to the buyer above the description" },
  disabledMessage: { max: 500, isName: false, says: "Shown to visitors while the link is disabled" },
  taxNote: {
    max: 300,
    isName: false,
    says: "Shown on receipts, for example a tax number. A sale keeps the one it was made with",
  },
} as const satisfies Record<string, { max: number; isName: boolean; says: string }>;

export type LinkText = keyof typeof LINK_TEXTS;

export const LINK_TEXT_NAMES = Object.keys(LINK_TEXTS) as LinkText[];

/** Texts of receipts: a sale keeps those that its link had, in columns of the same name. */
const RECEIPT_TEXTS = ["title", "taxNote"] as const satisfies readonly LinkText[];

export type ReceiptText = (typeof RECEIPT_TEXTS)[number];

export const mapReceiptTexts = <T>(map: (name: ReceiptText) => T): Record<ReceiptText, T> =>
  Object.fromEntries(RECEIPT_TEXTS.map((name) => [name, map(name)])) as Record<ReceiptText, T>;

/** One value for each of the texts. */
export const mapLinkTexts = <T>(map: (name: LinkText) => T): Record<LinkText, T> =>
  Object.fromEntries(LINK_TEXT_NAMES.map((name) => [name, map(name)])) as Record<LinkText, T>;
