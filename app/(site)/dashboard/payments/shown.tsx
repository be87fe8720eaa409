import { z } from "zod";
import { ButtonLink } from "@/components/ui/button-link";
import type { OwnerContext } from "../../context";
import { PaymentDetails } from "./[paymentId]/details";

/** The payment that is shown beside the list, by the last part of its path. */
export const shownPayment = z
  .string()
  .regex(/^(?:pay_\w{1,60}|\d{1,15})$/)
  .optional()
  .catch(undefined);

/** Null if none is chosen. */
export const detailOf = (ctx: OwnerContext, shown: string | undefined) =>
  shown === undefined ? null : (
    <>
      <PaymentDetails ctx={ctx} paymentId={shown} isPane />
      <div>
        <ButtonLink size="small" href={`/dashboard/payments/${shown}`}>
          Open its page
        </ButtonLink>
      </div>
    </>
  );
