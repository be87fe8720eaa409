"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { toast } from "@/components/ui/toast";
import { EMAIL_MAX } from "@/lib/core/lengths";
import { callApi } from "@/lib/http/client";
import type { NoticeSettings } from "@/lib/notices/contract";
import { KindFields, useKinds } from "./kind-fields";

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
