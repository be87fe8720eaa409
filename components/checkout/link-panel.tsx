import { OrderPanel } from "./order-panel";
import type { PaymentPanelProps } from "./payment-panel";
import { PlainPanel } from "./plain-panel";

export type LinkPanelProps = PaymentPanelProps & { prefilled: Readonly<Record<string, string>> };

/** The payment panel of a link. Chosen on the server: most links have no choices, and their pages load no form. */
export function LinkPanel({ prefilled, ...props }: LinkPanelProps) {
  const { options } = props.view;
  return options ? <OrderPanel {...props} options={options} prefilled={prefilled} /> : <PlainPanel {...props} />;
}
