"use client";

import type { ReactNode } from "react";
import { buttonClass } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { useIsFramed } from "./frame-context";
import { withLanguage } from "./with-language";

/** A button to another page of this service. Such pages may not be framed: in a frame, the button opens a new tab. */
export function PageLink({ href, children }: { href: string; children: ReactNode }) {
  if (!useIsFramed()) return <ButtonLink href={withLanguage(href)}>{children}</ButtonLink>;
  return (
    <a href={withLanguage(href)} target="_blank" rel="noopener" className={buttonClass({})}>
      {children}
    </a>
  );
}
