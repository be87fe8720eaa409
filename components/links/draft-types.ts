import type { Usdc } from "@/lib/core/usdc";
import type { BuyerField } from "@/lib/links/orders/rules";
import type { LinkText } from "@/lib/links/texts";
import type { Upstream, UpstreamKind } from "@/lib/links/upstream/rules";
import type { NetworkName } from "@/lib/x402/networks";

/** The form as typed, with the API's field names. */
export type LinkDraft = Record<LinkText, string> & {
  agentId: string;
  /** Whole dollars: "12.50". */
  amount: string;
  network: NetworkName;
  reference: string;
  /** One `key = value` per line. */
  metadata: string;
  /** Empty for a fixed price. */
  minAmount: string;
  maxAmount: string;
  /** Amounts separated by spaces. */
  presets: string;
  maxQuantity: string;
  fields: readonly FieldDraft[];
  description: string;
  resourceContent: string;
  /** Empty without a file. */
  fileId: string;
  fileName: string;
  isUploading: boolean;
  /** The error of the last upload; `fileId` is still the previous file. Empty once the person continues without the new file. */
  fileFault: string;
  /** Empty without an image. */
  imageId: string;
  imageUrl: string;
  isImageUploading: boolean;
  /** The error of the last image upload; `imageId` is still the previous image. */
  imageFault: string;
  redirectUrl: string;
  cancelUrl: string;
  /** Local date and time in the format of a datetime-local input: "2026-12-03T14:05". */
  expiresAt: string;
  maxUses: string;
  isListed: boolean;
  isRepeatable: boolean;
  /** The link sells calls to an API, and what else the form has of an offer is not sent. */
  isApi: boolean;
  /** Of an API whose kind is `mcp`: an MCP server, and its paths are its tools. */
  upstreamKind: UpstreamKind;
  upstreamUrl: string;
  /** One `name: value` per line. Empty for none, or for those that are stored. */
  upstreamHeaders: string;
  /** One `/path = price` per line, or `tool = price`. */
  upstreamPaths: string;
  /** Separated by spaces. */
  upstreamMethods: string;
  upstreamSeconds: string;
  /** Has no input: it stays what it is. */
  upstreamBytes: string;
  passAmount: string;
  passCalls: string;
  passHours: string;
  isPassByUse: boolean;
  isPassRefundable: boolean;
};
/** A question to the buyer. */
export type FieldDraft = { label: string; isRequired: boolean };
export type LinkField = keyof LinkDraft;
/** An error for each invalid field; `form` holds an error that belongs to no field. */
export type Faults = { [Field in LinkField | "form"]?: string };

/** The initial values when a link is edited or duplicated; without the reference, which is one link's own. */
export type LinkStart = { [Name in LinkText]?: string | null } & {
  amount: Usdc;
  network: NetworkName;
  description: string;
  resourceContent: string | null;
  file?: { fileId: string; name: string } | null;
  image?: { imageId: `img_${string}` } | null;
  redirectUrl: string | null;
  expiresAt: Date | null;
  maxUses: number | null;
  isListed: boolean;
  isRepeatable?: boolean;
  cancelUrl?: string | null;
  minAmount?: Usdc | null;
  maxAmount?: Usdc | null;
  presetAmounts?: readonly Usdc[] | null;
  maxQuantity?: number | null;
  fields?: readonly BuyerField[] | null;
  upstream?: Upstream | null;
};
