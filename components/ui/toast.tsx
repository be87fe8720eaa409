"use client";

import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import { useTheme } from "next-themes";
import { Toaster as Sonner } from "sonner";

export { toast } from "sonner";

/** Mounted once, in the layout. Only for news that may be missed: facts about money are also shown on the page. */
export function Toaster() {
  const { resolvedTheme } = useTheme();
  return (
    <Sonner
      theme={resolvedTheme === "dark" ? "dark" : "light"}
      position="bottom-right"
      gap={10}
      icons={{
        success: <CircleCheck aria-hidden className="size-4 text-good" />,
        info: <Info aria-hidden className="size-4 text-info" />,
        warning: <TriangleAlert aria-hidden className="size-4 text-warn" />,
        error: <CircleAlert aria-hidden className="size-4 text-bad" />,
      }}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            "flex w-full items-center gap-3 rounded-control border border-line bg-card px-4 py-3 font-sans text-control text-ink shadow-lift",
          title: "font-medium",
          description: "text-small text-ink-2",
          actionButton: "ml-auto rounded-control border border-line-2 px-2.5 py-1.5 text-small font-medium",
        },
      }}
    />
  );
}
