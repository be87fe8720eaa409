"use client";

import { parseUrl } from "@tessera/x402/url";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";

export type LinkAgentProps = {
  /** The origin of authorization links. */
  baseUrl: string;
};

/** A field for an authorization link; opens its page. */
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

/** The path of an agent's authorization link on this site, or the reason why it must not be followed. */
type LinkReading = { type: "valid"; path: string } | { type: "invalid"; problem: string };

const PATH = /^\/authorize\/mandate\/[\w.:-]{1,100}$/;

/** Reads a pasted link. Links to other sites are refused: only our own page may request a signature. */
function readAuthorizationLink(text: string, baseUrl: string): LinkReading {
  const pasted = text.trim();
  if (pasted === "") return { type: "invalid", problem: "Paste the link that the agent gave you." };
  const url = parseUrl(pasted);
  if (!url) return { type: "invalid", problem: "This is not a link. Paste all of it, from http to the end." };
  const siteOrigin = new URL(baseUrl).origin;
  if (url.origin !== siteOrigin || url.username !== "" || url.password !== "") {
    return {
      type: "invalid",
      problem: `This link leads to another site. A valid link begins with ${siteOrigin}/authorize/mandate/.`,
    };
  }
  if (!PATH.test(url.pathname))
    return { type: "invalid", problem: "This is a link to our site, but not to a mandate." };
  return { type: "valid", path: `${url.pathname}${url.search}` };
}
