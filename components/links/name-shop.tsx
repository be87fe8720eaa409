"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { sentenceFor } from "@/components/dashboard/words";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { useFaults } from "@/components/ui/form-faults";
import { NAME_MAX } from "@/lib/core/lengths";
import { callApi } from "@/lib/http/client";

/** Creates an agent that sells by hand, and continues at `next`. Its token is not shown: a new one can be made under Agents. */
export function NameShop({ next }: { next: string }) {
  const router = useRouter();
  const { ref, faults, setFaults, refuse } = useFaults<{ name?: string }>({});
  const [name, setName] = useState("");
  const [isBusy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isBusy) return;
    if (name.trim() === "") return refuse({ name: "Name your shop." });
    setBusy(true);
    const response = await callApi("POST", "/api/agents", { name: name.trim() });
    // It stays busy while the next page is loaded.
    if (response.ok) {
      router.push(next);
      router.refresh();
      return;
    }
    setBusy(false);
    const { reason } = response.details ?? {};
    refuse({ name: typeof reason === "string" ? `It ${reason}.` : sentenceFor(response) });
  }

  return (
    <form
      ref={ref}
      onSubmit={submit}
      noValidate
      aria-label="Your shop"
      className="grid w-full max-w-90 gap-4 text-left"
    >
      <TextField
        label="Your shop’s name"
        hint="Buyers see it."
        dir="auto"
        autoComplete="organization"
        maxLength={NAME_MAX}
        value={name}
        onChange={(event) => {
          setName(event.target.value);
          setFaults({});
        }}
        error={faults.name}
      />
      <Button type="submit" variant="primary" wide busy={isBusy}>
        Continue
      </Button>
    </form>
  );
}
