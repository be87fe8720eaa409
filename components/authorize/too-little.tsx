import { Amount } from "@/components/ui/amount";
import { ButtonLink } from "@/components/ui/button-link";
import { Note } from "@/components/ui/note";

export type TooLittleProps = {
  thing: "payment" | "payout" | "refund";
  /** The number of requests. */
  count?: number;
  network: string;
  /** The amount that the wallet lacks, in atomic units. The note is shown if above zero. */
  missing: bigint;
  /** The consequence of the shortfall. */
  children?: string;
};

export const TooLittle = ({
  thing,
  count = 1,
  network,
  missing,
  children = "This page updates when the money arrives.",
}: TooLittleProps) =>
  missing > 0n && (
    <Note
      tone="warn"
      title="Your spending wallet holds too little"
      actions={
        <ButtonLink size="small" href={`/dashboard/wallet?network=${network}`} target="_blank">
          Add money
        </ButtonLink>
      }
    >
      It is short of {count === 1 ? `this ${thing}` : `these ${thing}s`} by <Amount atomic={missing} wraps />.{" "}
      {children}
    </Note>
  );
