"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CheckboxField, TextField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { toast } from "@/components/ui/toast";
import { callApi } from "@/lib/http/client";
import type { NoticeSettings } from "@/lib/notices/contract";
import { NOTICE_KINDS, type NoticeKind } from "@/lib/notices/kinds";
import { NOTICE_LABELS } from "./notice-words";

/** Where the owner gets mail, and about what. */
export function NoticeForm({ settings }: { settings: NoticeSettings }) {
  const router = useRouter();
  const [email, setEmail] = useState(settings.email ?? "");
  const [kinds, setKinds] = useState<ReadonlySet<NoticeKind>>(new Set(settings.kinds));
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setProblem(undefined);
    const wanted = email.trim();
    const answer = await callApi<NoticeSettings>("PATCH", "/api/notices", {
      email: wanted === "" ? null : wanted,
      kinds: NOTICE_KINDS.filter((kind) => kinds.has(kind)),
    });
    setBusy(false);
    if (!answer.ok) return setProblem(answer.message);
    const isWaiting = answer.data.email !== null && !answer.data.isConfirmed;
    toast.success(isWaiting ? "Saved. Follow the link in the mail that we sent you" : "Saved");
    router.refresh();
  }

  function toggle(kind: NoticeKind, isOn: boolean) {
    const next = new Set(kinds);
    if (isOn) next.add(kind);
    else next.delete(kind);
    setKinds(next);
  }

  return (
    <form onSubmit={submit} noValidate className="grid max-w-120 gap-4" aria-label="Mail">
      <TextField
        label="Email address"
        type="email"
        inputMode="email"
        autoComplete="email"
        spellCheck={false}
        maxLength={254}
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
      <fieldset>
        <legend className="mb-1 text-small font-medium">Write to me when</legend>
        {NOTICE_KINDS.map((kind) => (
          <CheckboxField
            key={kind}
            label={NOTICE_LABELS[kind]}
            checked={kinds.has(kind)}
            onChange={(event) => toggle(kind, event.target.checked)}
          />
        ))}
      </fieldset>
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
