"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { TokenDialog } from "./agent-actions";

export type NewTokenProps = { agentId: string; name: string };

export function NewToken({ agentId, name }: NewTokenProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="small" aria-label={`New token for ${name}`} onClick={() => setOpen(true)}>
        New token
      </Button>
      {isOpen && <TokenDialog agentId={agentId} name={name} close={() => setOpen(false)} />}
    </>
  );
}
