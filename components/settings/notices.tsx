"use client";

import { parseUrl } from "@tessera/x402/url";
import { useRouter } from "next/navigation";
import { type FormEvent, useEffect, useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { CheckboxField, TextField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { Switch } from "@/components/ui/switch";
import { Time } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import { EMAIL_MAX } from "@/lib/core/lengths";
import { callApi } from "@/lib/http/client";
import type { NoticeBrowser, NoticeBrowsers } from "@/lib/notices/browsers/contract";
import type { NoticeSettings } from "@/lib/notices/contract";
import { NOTICE_KINDS, type NoticeKind } from "@/lib/notices/kinds";
import * as here from "./this-browser";

/** The owner's email address and the kinds of notices sent to it. */
export function NoticeForm({ settings }: { settings: NoticeSettings }) {
  const router = useRouter();
  const [email, setEmail] = useState(settings.email ?? "");
  const { kinds, toggle } = useKinds(settings.kinds);
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setProblem(undefined);
    const trimmedEmail = email.trim();
    const response = await callApi<NoticeSettings>("PATCH", "/api/notices", {
      email: trimmedEmail === "" ? null : trimmedEmail,
      kinds,
    });
    setBusy(false);
    if (!response.ok) return setProblem(response.message);
    const isWaiting = response.data.email !== null && !response.data.isConfirmed;
    toast.success(isWaiting ? "Saved. Follow the link in the mail that we sent you" : "Saved");
    router.refresh();
  }

  return (
    <form onSubmit={submit} noValidate className="grid max-w-120 gap-4" aria-label="Mail">
      <TextField
        label="Email address"
        type="email"
        inputMode="email"
        autoComplete="email"
        spellCheck={false}
        maxLength={EMAIL_MAX}
        hint="Leave it empty to get no mail."
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        aside={
          settings.email !== null && (
            <Badge tone={settings.isConfirmed ? "good" : "warn"}>
              {settings.isConfirmed ? "Confirmed" : "Not confirmed yet"}
            </Badge>
          )
        }
      />
      <KindFields legend="Write to me when" kinds={kinds} toggle={toggle} />
      {problem !== undefined && (
        <Note tone="bad" live="assertive" title="Nothing was changed">
          {problem}
        </Note>
      )}
      <div>
        <Button type="submit" busy={isBusy}>
          Save mail settings
        </Button>
      </div>
    </form>
  );
}

const PATH = "/api/notices/browsers";

/** Notices in this browser, and the owner's other browsers that receive notices. */
export function BrowserNotices({ settings }: { settings: NoticeBrowsers }) {
  const router = useRouter();
  const [browserState, setSeen] = useState<here.Seen>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const endpoint = browserState?.state === "ready" ? browserState.endpoint : null;
  const mine = endpoint === null ? undefined : settings.browsers.find((browser) => isAt(browser, endpoint));
  const isOfOldSession = mine !== undefined && !mine.isOfThisSession;

  useEffect(() => {
    here.look().then(setSeen, (error) => setProblem(reasonOf(error)));
  }, []);

  // Ties the subscription to the current session, so that signing out here ends it.
  useEffect(() => {
    if (isOfOldSession) adopt().then(setProblem, (error) => setProblem(reasonOf(error)));
  }, [isOfOldSession]);

  async function during(work: () => Promise<string | undefined>) {
    if (isBusy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      const wrong = await work();
      if (wrong !== undefined) return setProblem(wrong);
      setSeen(await here.look());
      router.refresh();
    } catch (error) {
      setProblem(reasonOf(error));
    } finally {
      setBusy(false);
    }
  }

  const turnOn = () =>
    during(async () => {
      const subscription = await here.subscribe(settings.publicKey);
      if (!subscription) {
        const latestState = await here.look();
        setSeen(latestState);
        return latestState.state === "denied"
          ? undefined
          : "You did not allow notifications. Turn them on to be asked again.";
      }
      const response = await callApi("POST", PATH, subscription);
      if (!response.ok) return response.message;
      toast.success("Notifications are on in this browser");
      return undefined;
    });

  const turnOff = ({ browserId }: NoticeBrowser) =>
    during(async () => {
      const response = await callApi("DELETE", `${PATH}/${browserId}`);
      if (!response.ok && response.code !== "browser_not_found") return response.message;
      await here.unsubscribe();
      toast.success("Notifications are off in this browser");
      return undefined;
    });

  return (
    <div className="grid max-w-120 gap-4">
      {browserState?.state === "unsupported" && (
        <Note title="This browser cannot show notifications">
          It has no push messages, or does not give them to this page, as in private windows. E-mail and these pages
          show the same.
        </Note>
      )}
      {browserState?.state === "denied" && (
        <Note tone="warn" live="polite" title="You have blocked notifications from this site">
          Open the settings of this site beside the address, allow notifications, and load this page again.
        </Note>
      )}
      {browserState?.state !== "unsupported" && browserState?.state !== "denied" && (
        <Switch
          label="Notify me in this browser"
          hint={mine ? "Also while these pages are closed." : "Your browser will ask you to allow it."}
          checked={mine !== undefined}
          onCheckedChange={(isOn) => (isOn ? turnOn() : mine && turnOff(mine))}
          disabled={browserState === undefined || isBusy}
        />
      )}
      {mine?.lastError != null && (
        <Note tone="warn" title="The newest notification did not arrive">
          The push service of your browser answered: {mine.lastError}. We try again for some hours. If this stays, turn
          notifications off and on again.
        </Note>
      )}
      {problem !== undefined && (
        <Note tone="bad" live="assertive" title="This did not work">
          {problem}
        </Note>
      )}
      {mine && <KindForm key={mine.browserId} browser={mine} onSave={during} />}
      <OtherBrowsers browsers={settings.browsers.filter((browser) => browser !== mine)} />
    </div>
  );
}

type KindFormProps = { browser: NoticeBrowser; onSave: (work: () => Promise<string | undefined>) => Promise<void> };

/** The kinds of notices that this browser receives. */
function KindForm({ browser, onSave }: KindFormProps) {
  const { kinds, toggle } = useKinds(browser.kinds);

  async function submit(event: FormEvent) {
    event.preventDefault();
    await onSave(async () => {
      const subscription = await here.current();
      if (!subscription) return "This browser has ended its subscription. Turn notifications on again.";
      const response = await callApi("POST", PATH, { ...subscription, kinds });
      if (!response.ok) return response.message;
      toast.success("Saved");
      return undefined;
    });
  }

  return (
    <form onSubmit={submit} className="grid gap-4" aria-label="Notifications in this browser">
      <KindFields legend="Notify me when" kinds={kinds} toggle={toggle} />
      <div>
        <Button type="submit">Save notifications</Button>
      </div>
    </form>
  );
}

/** Ties the subscription of an earlier session to this one. */
async function adopt(): Promise<string | undefined> {
  const subscription = await here.current();
  if (!subscription) return undefined;
  const response = await callApi("POST", PATH, subscription);
  return response.ok ? undefined : response.message;
}

/** The service stores the normal form of a URL. */
const isAt = (browser: NoticeBrowser, endpoint: string): boolean => browser.endpoint === parseUrl(endpoint)?.href;

const reasonOf = (error: unknown): string =>
  `The browser refused: ${error instanceof Error ? error.message : String(error)}`;

/** Browsers other than this one that get notices, with buttons to remove them. */
function OtherBrowsers({ browsers }: { browsers: readonly NoticeBrowser[] }) {
  if (browsers.length === 0) return null;
  return (
    <section className="grid gap-2" aria-label="Other browsers">
      <h3 className="text-small font-medium">Other browsers with notifications</h3>
      <ul className="grid divide-y rounded-control border">
        {browsers.map((browser) => (
          <Row key={browser.browserId} browser={browser} />
        ))}
      </ul>
    </section>
  );
}

function Row({ browser: { browserId, device, createdAt, lastError } }: { browser: NoticeBrowser }) {
  const router = useRouter();
  const [isAsking, setAsking] = useState(false);

  async function remove(): Promise<string | undefined> {
    const response = await callApi("DELETE", `/api/notices/browsers/${browserId}`);
    // If it was removed already, the goal is reached.
    if (!response.ok && response.code !== "browser_not_found") return response.message;
    toast.success("Notifications are off in that browser");
    router.refresh();
    return undefined;
  }

  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
      <div className="grid min-w-0 gap-0.5">
        <span className="flex flex-wrap items-center gap-2 font-medium">
          {device}
          {lastError !== null && <Badge tone="warn">Not reached</Badge>}
        </span>
        <span className="text-small text-ink-2">
          Since <Time at={createdAt} form="short" show="absolute" />
        </span>
      </div>
      <Button size="small" onClick={() => setAsking(true)}>
        Remove <span className="sr-only">{device}</span>
      </Button>
      <Confirm
        open={isAsking}
        onOpenChange={setAsking}
        title={`No more notifications in ${device}`}
        verb="Remove"
        onConfirm={remove}
      >
        It stays signed in. Turn notifications on there to get them again.
      </Confirm>
    </li>
  );
}

/** The kinds that a person has chosen in a form, in the order of the list. */
function useKinds(initial: readonly NoticeKind[]) {
  const [chosen, setChosen] = useState<ReadonlySet<NoticeKind>>(new Set(initial));
  const toggle = (kind: NoticeKind, isOn: boolean) => {
    const next = new Set(chosen);
    if (isOn) next.add(kind);
    else next.delete(kind);
    setChosen(next);
  };
  return { kinds: NOTICE_KINDS.filter((kind) => chosen.has(kind)), toggle };
}

type KindFieldsProps = { legend: string } & ReturnType<typeof useKinds>;

const KindFields = ({ legend, kinds, toggle }: KindFieldsProps) => (
  <fieldset>
    <legend className="mb-1 text-small font-medium">{legend}</legend>
    {NOTICE_KINDS.map((kind) => (
      <CheckboxField
        key={kind}
        label={NOTICE_LABELS[kind]}
        checked={kinds.includes(kind)}
        onChange={(event) => toggle(kind, event.target.checked)}
      />
    ))}
  </fieldset>
);

const NOTICE_LABELS: Record<NoticeKind, string> = {
  approval_wanted: "Something waits for your approval",
  payment_refused: "A payment was refused, or its payee denied",
  budget_low: "80 % of a mandate is used",
  balance_low: "Little money is left for your agents",
  money_received: "Money arrived",
  webhook_failing: "A webhook was disabled because it fails",
  sign_in: "Somebody signed in with your wallet",
};
