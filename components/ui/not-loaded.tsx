"use client";

import { usePageWords } from "@/components/texts/page-words";
import { Button } from "./button";
import { Note } from "./note";

/** Replaces a component whose code could not be loaded. Only for components that open before any request is sent. */
export function NotLoaded() {
  const { texts } = usePageWords();
  return (
    <div className="fixed inset-x-4 bottom-4 z-50 mx-auto max-w-115 rounded-control bg-card shadow-lift">
      <Note
        tone="bad"
        live="assertive"
        title={texts.notReached}
        actions={
          <Button size="small" onClick={() => location.reload()}>
            {texts.reload}
          </Button>
        }
      >
        {texts.nothingChanged}
      </Note>
    </div>
  );
}
