import { FilterLinks } from "@/components/dashboard/filter-links";

export type Side = "made" | "received";

export const SIDE_LABELS = { made: "Made by your agents", received: "Received" } satisfies Record<Side, string>;

export const RECEIVED_PATH = "/dashboard/payments?side=received";

/** Switches between payments made and payments received. */
export const Sides = ({ current }: { current: Side }) => (
  <FilterLinks
    label="Which payments"
    options={[
      { label: SIDE_LABELS.made, href: "/dashboard/payments", isCurrent: current === "made" },
      { label: SIDE_LABELS.received, href: RECEIVED_PATH, isCurrent: current === "received" },
    ]}
  />
);
