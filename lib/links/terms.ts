import type { FileId, ImageId } from "@/lib/core/ids";
import type { Usdc } from "@/lib/core/money";
import type { NetworkName } from "@/lib/x402/networks";
import type { BuyerField } from "./orders/rules";
import type { LinkStatus } from "./tables";
import type { LinkText } from "./texts";
import type { UpstreamInput } from "./upstream/fields";

export type NewLink = {
  amount: Usdc;
  network: NetworkName;
  description: string;
  reference: string | null;
  resourceContent: string | null;
  redirectUrl: string | null;
  expiresAt: Date | null;
  maxUses: number | null;
  isListed?: boolean;
  isRepeatable?: boolean;
} & Partial<NewOptions>;
type NewOptions = Record<LinkText, string | null> & {
  cancelUrl: string | null;
  metadata: Record<string, string> | null;
  customAmount: { min: Usdc; max: Usdc; presets: Usdc[] } | null;
  maxQuantity: number | null;
  fields: BuyerField[];
  fileId: FileId | null;
  imageId: ImageId | null;
  upstream: UpstreamInput | null;
};
export type LinkEdit = {
  [Field in
    | "fileId"
    | "imageId"
    | LinkText
    | "description"
    | "resourceContent"
    | "redirectUrl"
    | "cancelUrl"
    | "expiresAt"
    | "maxUses"
    | "isListed"
    | "isRepeatable"
    | "upstream"]?: NewLink[Field] | undefined;
} & { status?: LinkStatus | undefined };
