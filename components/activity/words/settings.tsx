import { shorten } from "@/components/ui/shorten";
import { isRecord } from "@/lib/core/record";
import { type ActivityEvent, type Describe, sum } from "./event";

const SETTINGS = { href: "/dashboard/settings" };
const BOOK = { href: "/dashboard/payouts/addresses" };
const NOTIFICATIONS = { href: "/dashboard/settings#notifications" };

/** Describes changes to the address book, notices and sessions. */
export const settingWords: Record<string, Describe> = {
  "owner.address_added": (event) => ({
    says: (
      <>
        You added {named(event.meta.name)} to your address book{renderAddress(event)}
      </>
    ),
    tone: "neutral",
    ...BOOK,
  }),
  "owner.address_renamed": (event) => ({
    says: (
      <>
        You renamed {named(nameIn(event.meta.from))} in your address book to {named(nameIn(event.meta.to))}
        {renderAddress(event)}
      </>
    ),
    tone: "neutral",
    ...BOOK,
  }),
  "owner.address_removed": (event) => ({
    says: (
      <>
        You removed {named(event.meta.name)} from your address book{renderAddress(event)}
      </>
    ),
    tone: "neutral",
    ...BOOK,
  }),
  "owner.seller_forgotten": (event) => ({
    says: (
      <>
        You had us forget that <bdi>{String(event.meta.host)}</bdi> refused payments by vaults
      </>
    ),
    tone: "neutral",
    ...SETTINGS,
  }),
  "owner.low_balance_changed": (event) => ({
    says: `You changed your low-balance limit from ${sum(event, "from")} to ${sum(event, "to")}`,
    tone: "neutral",
    ...SETTINGS,
  }),
  "owner.mail_changed": ({ meta }) => ({
    says:
      meta.isAddressChanged !== true
        ? "You changed what we write to you about"
        : meta.hasAddress === true
          ? "You changed the address that we write to"
          : "You removed the address that we wrote to",
    tone: "neutral",
    ...SETTINGS,
  }),
  "owner.mail_confirmed": () => ({ says: "The address that we write to was confirmed", tone: "good", ...SETTINGS }),
  "owner.mail_ended": () => ({ says: "All mail to you was ended, by a link in a mail", tone: "warn", ...SETTINGS }),
  "owner.browser_notices_changed": ({ meta }) => ({
    says: (
      <>
        You {hasKinds(meta.kinds) ? "chose what is notified in" : "ended the notifications of"} {device(meta.device)}
      </>
    ),
    tone: "neutral",
    ...NOTIFICATIONS,
  }),
  "owner.session_ended": ({ meta }) => ({
    says:
      typeof meta.device === "string" ? (
        <>You ended the session of {device(meta.device)}</>
      ) : (
        `You ended all other sessions: ${String(meta.sessions)}`
      ),
    tone: "warn",
    ...SETTINGS,
  }),
  "owner.signed_out": ({ meta }) => ({ says: <>You signed out of {device(meta.device)}</>, tone: "neutral" }),
};

const named = (name: unknown) => <bdi className="font-medium [overflow-wrap:anywhere]">{String(name)}</bdi>;

const nameIn = (side: unknown): unknown => (isRecord(side) && side.name !== undefined ? side.name : "an address");

const renderAddress = ({ meta }: ActivityEvent) =>
  typeof meta.address === "string" && (
    <>
      , <span className="mono">{shorten(meta.address)}</span>
    </>
  );

const device = (deviceName: unknown) => <bdi>{typeof deviceName === "string" ? deviceName : "a browser"}</bdi>;

const hasKinds = (kinds: unknown): boolean => Array.isArray(kinds) && kinds.length > 0;
