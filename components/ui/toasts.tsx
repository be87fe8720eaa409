"use client";

import { CircleAlert, CircleCheck } from "lucide-react";
import { useTheme } from "next-themes";
import { useEffect } from "react";
import { Toaster as Sonner, toast } from "sonner";
import { forget, type News } from "./toast";

/** Shows the queued messages. */
export function Toasts({ news }: { news: readonly News[] }) {
  const { resolvedTheme } = useTheme();
  // Runs after the child's effect: Sonner shows only toasts that are added after it has subscribed.
  useEffect(() => {
    if (news.length === 0) return;
    for (const { kind, text, options } of news) toast[kind](text, options);
    forget(news);
  }, [news]);
  return (
    <Sonner
      theme={resolvedTheme === "dark" ? "dark" : "light"}
      position="bottom-right"
      gap={10}
      icons={{
        success: <CircleCheck aria-hidden className="size-4 text-good" />,
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
