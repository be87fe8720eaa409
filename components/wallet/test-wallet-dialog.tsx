"use client";

import { type ReactNode, useEffect, useState, useSyncExternalStore } from "react";
import type { WalletTexts } from "@/components/texts/en/wallet";
import { filled } from "@/components/texts/filled";
import { fill } from "@/components/texts/template";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Disclosure } from "@/components/ui/disclosure";
import { Fact, Facts } from "@/components/ui/facts";
import { usdcText } from "@/components/ui/format";
import { formatUtc } from "@/components/ui/format-utc";
import { JsonView } from "@/components/ui/json-view";
import { Note } from "@/components/ui/note";
import { shared } from "@/components/ui/shared";
import { shorten } from "@/components/ui/shorten";
import { Tile } from "@/components/ui/tile";
import type { Descriptor } from "@/lib/clear-signing/contract";
import { encodeType } from "@/lib/clear-signing/encode-type";
import { chainName } from "./eip1193";
import type { Readable } from "./readable";
import { readable } from "./readable";
import { announceTestWallet, createTestWallet, type SigningRequest, type TypedDataJson } from "./test-wallet";
import { useWalletWords, type WalletWords } from "./words";

type Question = { id: number; request: SigningRequest; answer: (isAgreed: boolean) => void };
export type TestWalletProps = { onReady: () => void };

const questions = shared<readonly Question[]>([]);
/** Mounted instances. Several components of a page may mount the test wallet; only the first shows its dialogs. */
const askers = shared<readonly object[]>([]);

let count = 0;
const ask = (request: SigningRequest) =>
  new Promise<boolean>((resolve) => {
    const id = count++;
    const respond = (isAgreed: boolean) => {
      questions.set(questions.get().filter((question) => question.id !== id));
      resolve(isAgreed);
    };
    questions.set([...questions.get(), { id, request, answer: respond }]);
  });

let isAnnounced = false;
function announce(): void {
  if (!isAnnounced) announceTestWallet(createTestWallet(ask));
  isAnnounced = true;
}

/** The devnet's built-in wallet. Announces itself once per page, and confirms each signature in a dialog. */
export function TestWallet({ onReady }: TestWalletProps) {
  const isFirst = useIsFirst();
  const [question] = useSyncExternalStore(questions.subscribe, questions.get, questions.get);
  useEffect(() => {
    announce();
    onReady();
  }, [onReady]);
  return isFirst && question && <SigningDialog key={question.id} request={question.request} answer={question.answer} />;
}

function useIsFirst(): boolean {
  const [self] = useState(() => ({}));
  useEffect(() => {
    askers.set([...askers.get(), self]);
    return () => askers.set(askers.get().filter((asker) => asker !== self));
  }, [self]);
  return useSyncExternalStore(askers.subscribe, askers.get, askers.get)[0] === self;
}

function SigningDialog({ request, answer: respond }: Pick<Question, "request" | "answer">) {
  const { texts } = useWalletWords();
  return (
    <Dialog
      open
      mustAnswer
      onOpenChange={() => undefined}
      title={titleOf(request, texts)}
      description={texts.walletAsks}
      footer={
        <>
          <Button onClick={() => respond(false)} className="sm:min-w-32">
            {texts.reject}
          </Button>
          <Button variant="primary" onClick={() => respond(true)} className="sm:min-w-32">
            {texts.sign}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <div className="flex items-center justify-between gap-3 rounded-control border px-3.5 py-2.5">
          <span className="flex items-center gap-2.5">
            <Tile seed={request.address} size={26} />
            <span className="mono">{shorten(request.address)}</span>
          </span>
          <Badge tone="info">{fill(texts.onDevnet, { network: chainName(request.chainId, texts) })}</Badge>
        </div>
        {request.kind === "message" ? (
          <section
            aria-label={texts.message}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the keyboard
            tabIndex={0}
            className="max-h-72 overflow-y-auto rounded-control bg-sunk"
          >
            <p className="p-4 text-small whitespace-pre-wrap [overflow-wrap:anywhere]">{request.text}</p>
          </section>
        ) : (
          <TypedData request={request} />
        )}
        <Note tone="warn">{texts.testKey}</Note>
      </div>
    </Dialog>
  );
}

function TypedData({ request }: { request: Extract<SigningRequest, { kind: "typed-data" }> }) {
  const { texts } = useWalletWords();
  const [description, setFound] = useState<Readable | null>();
  useEffect(() => {
    let isOpen = true;
    void readDescriptor(request.typedData).then((next) => isOpen && setFound(next));
    return () => {
      isOpen = false;
    };
  }, [request.typedData]);
  return (
    <>
      {description ? <InWords found={description} /> : <AsSent typedData={request.typedData} />}
      {description === null && <Note tone="warn">{texts.noDescription}</Note>}
      <Disclosure summary={texts.everything}>
        <JsonView value={request.typedData} label={texts.typedData} copyLabel={texts.copyTypedData} />
      </Disclosure>
    </>
  );
}

/** The message in the words of its descriptor, which is in English. */
function InWords({ found: { intent, sentence, fields } }: { found: Readable }) {
  const { texts } = useWalletWords();
  return (
    <section aria-label={texts.inWords} lang="en" className="grid gap-3">
      <div>
        <p className="font-medium">{intent}</p>
        <p className="text-small text-ink-2 [overflow-wrap:anywhere]">{sentence}</p>
      </div>
      <Facts className="text-small">
        {fields.map(({ label, text }) => (
          <Fact
            key={label}
            label={label}
            isLong={text.length + label.length > 2 * LINE_CHARACTERS}
            isStacked={text.length > ADDRESS_CHARACTERS}
          >
            <span className={/^0x/.test(text) ? "mono" : undefined}>{text}</span>
          </Fact>
        ))}
      </Facts>
    </section>
  );
}

function AsSent({ typedData: { domain, message } }: { typedData: TypedDataJson }) {
  const translation = useWalletWords();
  return (
    <Facts className="text-small">
      {typeof domain.name === "string" && <Fact label={translation.texts.signedFor}>{domain.name}</Fact>}
      {Object.entries(message).map(([name, value]) => {
        const text = typeof value === "object" ? JSON.stringify(value) : String(value);
        return (
          <Fact key={name} label={<span lang="en">{spaced(name)}</span>} isLong={text.length > LINE_CHARACTERS}>
            <span className="mono">{text}</span>
            {meaning(name, value, translation) !== null && (
              <span className="block text-ink-2">{meaning(name, value, translation)}</span>
            )}
          </Fact>
        );
      })}
    </Facts>
  );
}

/** The names of messages and of their members are in English. */
const titleOf = (request: SigningRequest, texts: WalletTexts): ReactNode =>
  request.kind === "message"
    ? texts.signMessage
    : filled(texts.signTyped, { message: <span lang="en">{spaced(request.typedData.primaryType)}</span> });

/** A longer value, such as a hash, would be broken over many lines next to its label. */
const ADDRESS_CHARACTERS = 42;

/** The characters that fit next to a label on a phone. */
const LINE_CHARACTERS = 20;

/** The meaning of a raw number, as wallets that decode typed data show it; null for other values. */
function meaning(name: string, value: unknown, { language, texts }: WalletWords): string | null {
  const digits = String(value);
  if (!/^\d{1,20}$/.test(digits)) return null;
  if (/^maxAmountPer/.test(name) && digits === "0") return texts.anyAmount;
  if (/amount|^value$/i.test(name)) return usdcText(BigInt(digits), language);
  const time = new Date(Number(digits) * 1000);
  const isTime = /^valid|^deadline$|At$/.test(name) && digits !== "0" && !Number.isNaN(time.getTime());
  return isTime ? formatUtc(time, language) : null;
}

/** "SpendingMandate" → "Spending mandate". */
const spaced = (name: string) => {
  const text = name.replace(
    /([a-z0-9])([A-Z])/g,
    (_, lowerLetter: string, upperLetter: string) => `${lowerLetter} ${upperLetter.toLowerCase()}`,
  );
  return text.charAt(0).toUpperCase() + text.slice(1);
};

type List = { descriptors: { url: string; messages: string[] }[] };

/** The message in the words of this service's descriptors; null if none matches or they cannot be read. */
async function readDescriptor(typedData: TypedDataJson): Promise<Readable | null> {
  try {
    const { descriptors } = await fetchJson<List>("/.well-known/erc7730");
    const type = encodeType(typedData.primaryType, typedData.types);
    for (const { url, messages } of descriptors) {
      if (!messages.includes(type)) continue;
      const description = readable(await fetchJson<Descriptor>(new URL(url).pathname), typedData);
      if (description) return description;
    }
    return null;
  } catch {
    // The dialog then shows the message's own names and values.
    return null;
  }
}

async function fetchJson<T>(path: string): Promise<T> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.json();
}
