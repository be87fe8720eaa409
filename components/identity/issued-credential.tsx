import { decodeJwt, decodeProtectedHeader } from "jose";
import { Button } from "@/components/ui/button";
import { Copy } from "@/components/ui/copy";
import { Fact, Facts } from "@/components/ui/facts";
import { Note } from "@/components/ui/note";
import { Time } from "@/components/ui/time";
import { Decoded } from "./decoded";

export type Issued = { vc: string; jti: string; issued_at: number; expires_at: number; kid: string };
export type IssuedCredentialProps = { issued: Issued; audience: string; onVerify: () => void };

/** A credential that was just issued: its text and its decoded parts. */
export function IssuedCredential({ issued, audience, onVerify }: IssuedCredentialProps) {
  const { vc, expires_at } = issued;
  return (
    <div className="grid min-w-0 gap-4">
      <Note tone="good" live="polite" title="Credential issued">
        The holder of this text can present it only to <bdi>{audience}</bdi>, until it expires. It cannot pay and cannot
        call the wallet API. It cannot be revoked: it expires by itself.
      </Note>
      <Segments vc={vc} />
      <div className="flex flex-wrap gap-2.5">
        <Copy value={vc} label="Copy credential" />
        <Button size="small" onClick={onVerify}>
          Verify it below
        </Button>
      </div>
      <Facts>
        <Fact label="Expires">
          <Time at={new Date(expires_at * 1000)} />
        </Fact>
      </Facts>
      <Decoded of="issued" header={decodeProtectedHeader(vc)} claims={decodeJwt(vc)} />
    </div>
  );
}

/** In one element, so that it can be selected as a whole. */
function Segments({ vc }: { vc: string }) {
  const [header, payload, signature] = vc.split(".");
  return (
    <div className="min-w-0">
      <section
        aria-label="The credential"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the keyboard
        tabIndex={0}
        className="max-h-56 overflow-auto rounded-control bg-sunk p-4 text-small leading-relaxed"
      >
        <code className="mono break-all" dir="ltr">
          <span className="text-info">{header}</span>.<span className="text-brand">{payload}</span>.
          <span className="text-ink-2">{signature}</span>
        </code>
      </section>
      <p className="mt-1.5 text-tiny text-ink-2">
        Between the dots: <span className="text-info">header</span>, <span className="text-brand">payload</span>,
        signature.
      </p>
    </div>
  );
}
