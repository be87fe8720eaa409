"use client";

import { Search } from "lucide-react";
import Form from "next/form";
import { useEffect, useRef } from "react";
import { Button } from "@/components/ui/button";

export type SearchBoxProps = {
  action: string;
  label: string;
  placeholder: string;
  value: string | undefined;
  charactersMax: number;
  /** Other query parameters to keep. */
  kept: Record<string, string | undefined>;
};

/** A GET form, so that each search has a URL. The "/" key moves the focus here. */
export function SearchBox({ action, label, placeholder, value, charactersMax, kept: extraParams }: SearchBoxProps) {
  const box = useRef<HTMLInputElement>(null);

  // A link may clear the search; the input is not remounted, so it keeps the focus.
  useEffect(() => {
    if (box.current) box.current.value = value ?? "";
  }, [value]);

  useEffect(() => {
    const go = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      event.preventDefault();
      box.current?.focus();
      box.current?.select();
    };
    document.addEventListener("keydown", go);
    return () => document.removeEventListener("keydown", go);
  }, []);

  return (
    <Form action={action} scroll={false} role="search" className="flex min-w-0 flex-[1_1_16rem] gap-2 sm:max-w-100">
      {Object.entries(extraParams).map(
        ([name, param]) => param !== undefined && <input key={name} type="hidden" name={name} value={param} />,
      )}
      <span className="relative block min-w-0 flex-1">
        <Search
          aria-hidden
          className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-2"
        />
        <input
          ref={box}
          type="search"
          name="q"
          dir="auto"
          defaultValue={value}
          maxLength={charactersMax}
          aria-label={label}
          aria-keyshortcuts="/"
          placeholder={placeholder}
          autoComplete="off"
          className="block min-h-11 w-full rounded-control border border-field bg-card pr-3 pl-9 text-control text-ink placeholder:text-ink-3 max-sm:text-[1rem]"
        />
      </span>
      <Button type="submit">Search</Button>
    </Form>
  );
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
