"use client";

import { useRouter } from "next/navigation";
import { type ChangeEvent, type FormEvent, useId, useState } from "react";
import { sentenceFor } from "@/components/dashboard/words";
import { Button, buttonClass } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";
import { TextField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { toast } from "@/components/ui/toast";
import { NAME_MAX } from "@/lib/core/lengths";
import { callApi, type Failure } from "@/lib/http/client";
import { LOGO_BYTES_MAX, LOGO_SIDE_MAX, SUPPORT_MAX } from "@/lib/sellers/limits";
import type { ProfileView } from "@/lib/sellers/profile/contract";

/** The owner's public profile, which buyers see. */
export function ProfileForm({ profile }: { profile: ProfileView }) {
  const router = useRouter();
  const [name, setName] = useState(profile.name ?? "");
  const [support, setSupport] = useState(profile.support ?? "");
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setFailure(undefined);
    const response = await callApi("PATCH", "/api/seller/profile", { name: filled(name), support: filled(support) });
    setBusy(false);
    if (!response.ok) return setFailure(response);
    toast.success("Profile saved");
    router.refresh();
  }

  const field = failure?.details?.field;
  return (
    <div className="grid max-w-100 gap-5">
      <Logo logoUrl={profile.logoUrl} />
      <form onSubmit={submit} noValidate aria-label="Seller profile" className="grid gap-4">
        <TextField
          label="Name"
          aside="Optional"
          dir="auto"
          autoComplete="organization"
          maxLength={NAME_MAX}
          value={name}
          onChange={(event) => setName(event.target.value)}
          hint="Without a name, buyers see the name of your agent."
          error={field === "name" ? `Enter up to ${NAME_MAX} visible characters.` : undefined}
        />
        <TextField
          label="Support contact"
          aside="Optional"
          autoComplete="off"
          spellCheck={false}
          maxLength={SUPPORT_MAX}
          placeholder="help@shop.example"
          value={support}
          onChange={(event) => setSupport(event.target.value)}
          hint="An e-mail address or an https address."
          error={field === "support" ? "Enter an e-mail address, or an address that begins with https://." : undefined}
        />
        {failure && field === undefined && (
          <Note tone="bad" live="assertive">
            {sentenceFor(failure)}
          </Note>
        )}
        <div>
          <Button type="submit" busy={isBusy}>
            Save profile
          </Button>
        </div>
      </form>
    </div>
  );
}

function Logo({ logoUrl }: { logoUrl: string | null }) {
  const router = useRouter();
  const id = useId();
  const [fault, setFault] = useState<string>();

  async function choose({ target }: ChangeEvent<HTMLInputElement>) {
    const [file] = target.files ?? [];
    if (!file) return;
    setFault(undefined);
    const isSmall = file.size <= LOGO_BYTES_MAX;
    const response = isSmall && (await callApi("POST", "/api/seller/logo", { data: await base64(file) }));
    target.value = "";
    if (!response) return setFault(`This file is larger than ${LOGO_BYTES_MAX / 1000} KB.`);
    if (!response.ok) return setFault(response.code === "logo_invalid" ? NO_LOGO : sentenceFor(response));
    toast.success("Logo saved");
    router.refresh();
  }

  async function remove() {
    const response = await callApi("DELETE", "/api/seller/logo");
    if (!response.ok) return setFault(sentenceFor(response));
    toast.success("Logo removed");
    router.refresh();
  }

  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-3">
        {logoUrl !== null && (
          // biome-ignore lint/performance/noImgElement: our own route serves it, and needs no second encoding
          <img
            src={logoUrl}
            alt="Your logo"
            width={56}
            height={56}
            className="size-14 rounded-control border object-contain"
          />
        )}
        <input
          id={id}
          type="file"
          accept="image/png,image/jpeg,image/webp"
          aria-describedby={`${id}-hint`}
          onChange={(event) => void choose(event)}
          className="peer sr-only"
        />
        <label
          htmlFor={id}
          className={cx(
            buttonClass({}),
            "cursor-pointer peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2",
          )}
        >
          {logoUrl === null ? "Choose a logo" : "Choose another logo"}
        </label>
        {logoUrl !== null && (
          <Button variant="quiet" onClick={() => void remove()}>
            Remove logo
          </Button>
        )}
      </div>
      <p id={`${id}-hint`} className="text-small text-ink-2">
        A PNG, JPEG or WebP of at most {LOGO_BYTES_MAX / 1000} KB and {LOGO_SIDE_MAX} pixels a side.
      </p>
      {fault !== undefined && (
        <Note tone="bad" live="assertive">
          {fault}
        </Note>
      )}
    </div>
  );
}

const NO_LOGO = `This file is not a PNG, JPEG or WebP of at most ${LOGO_SIDE_MAX} pixels a side, or it is animated, damaged or turned by its metadata.`;

const filled = (text: string): string | null => (text.trim() === "" ? null : text.trim());

async function base64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let index = 0; index < bytes.length; index += 0x8000)
    text += String.fromCharCode(...bytes.subarray(index, index + 0x8000));
  return btoa(text);
}
