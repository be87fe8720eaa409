import { z } from "zod";
import type { OwnerContext } from "../../context";
import { Chosen } from "../chosen";
import { PaymentDetails } from "./[paymentId]/details";

/** The payment shown beside the list: the last segment of its page's path. */
export const shownPayment = z
  .string()
  .regex(/^(?:pay_\w{1,60}|\d{1,15})$/)
  .optional()
  .catch(undefined);

/** Null if no payment is chosen. */
export const detailOf = (ctx: OwnerContext, paymentId: string | undefined) =>
  paymentId === undefined ? null : (
    <Chosen ctx={ctx} path={`/dashboard/payments/${paymentId}`}>
      <PaymentDetails ctx={ctx} paymentId={paymentId} isPane />
    </Chosen>
  );
