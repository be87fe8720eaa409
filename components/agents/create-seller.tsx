"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { sentenceFor } from "@/components/dashboard/words";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { NAMELESS } from "@/components/ui/name-dialog";
import { NAME_MAX } from "@/lib/core/lengths";
import { callApi } from "@/lib/http/client";

export type CreateSellerProps = {
  /** The page that opens afterwards. */
  next?: string | undefined;
  /** Secondary where selling is one choice of several. */
  variant?: "primary" | "secondary" | undefined;
};

/** Asks for the shop's name and creates an agent for selling. Its token is made later, by those who need one. */
export function CreateSeller({ next = "/dashboard/links/new", variant = "primary" }: CreateSellerProps) {
  const router = useRouter();
  const [name, setName] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function create(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isBusy) return;
    if (name.trim() === "") {
      event.currentTarget.querySelector("input")?.focus();
      return setProblem(NAMELESS);
    }
    setBusy(true);
    const response = await callApi("POST", "/api/agents", { name: name.trim() });
    setBusy(false);
    if (!response.ok) return setProblem(sentenceFor(response));
    router.push(next);
    router.refresh();
  }

  return (
    <form onSubmit={create} noValidate aria-label="Create a seller" className="grid w-full max-w-100 gap-3 text-start">
      <TextField
        label="Name of your shop"
        hint="Buyers see it. You can change it later."
        dir="auto"
        maxLength={NAME_MAX}
        autoComplete="organization"
        value={name}
        onChange={(event) => {
          setName(event.target.value);
          setProblem(undefined);
        }}
        error={problem}
      />
      <div>
        <Button type="submit" variant={variant} busy={isBusy}>
          Create a seller
        </Button>
      </div>
    </form>
  );
}
