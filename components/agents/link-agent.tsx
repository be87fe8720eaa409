"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { readAuthorizationLink } from "./authorization-link";

export type LinkAgentProps = {
  /** The origin of authorization links. */
  baseUrl: string;
};

/** A field for the link that an agent shows; opens its page. */
export function LinkAgent({ baseUrl }: LinkAgentProps) {
  const router = useRouter();
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string>();

  function submit(event: FormEvent) {
    event.preventDefault();
    const reading = readAuthorizationLink(text, baseUrl);
    if (reading.type === "invalid") setProblem(reading.problem);
    else router.push(reading.path);
  }

  return (
    <form onSubmit={submit} className="grid gap-3" noValidate>
      <TextField
        label="Authorization link"
        hint="You see what the agent requests before anything is linked or signed."
        placeholder={`${baseUrl}/authorize/mandate/…`}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setProblem(undefined);
        }}
        error={problem}
      />
      <div>
        <Button type="submit" className="max-sm:w-full">
          Open the link
        </Button>
      </div>
    </form>
  );
}
