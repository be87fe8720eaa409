"use client";

import { Button } from "./button";
import { Note } from "./note";

/** Instead of a part of the page whose code could not be loaded. Only for parts that open before anything is requested. */
export const NotLoaded = () => (
  <div className="fixed inset-x-4 bottom-4 z-50 mx-auto max-w-115 rounded-control bg-card shadow-lift">
    <Note
      tone="bad"
      live="assertive"
      title="We could not be reached"
      actions={
        <Button size="small" onClick={() => location.reload()}>
          Reload this page
        </Button>
      }
    >
      Nothing was requested and nothing has changed.
    </Note>
  </div>
);
