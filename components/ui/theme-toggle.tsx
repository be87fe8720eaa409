"use client";

import { Monitor, Moon, Sun } from "lucide-react";
import { useTheme } from "next-themes";
import { usePageWords } from "@/components/texts/page-words";
import { IconButton } from "./button";
import { ChoiceMenu } from "./menu";

export type ThemeToggleProps = { side?: "top" | "bottom" | undefined; align?: "start" | "end" | undefined };

export function ThemeToggle({ side = "bottom", align = "end" }: ThemeToggleProps) {
  const { theme, setTheme } = useTheme();
  const { texts } = usePageWords();
  return (
    <ChoiceMenu
      side={side}
      align={align}
      value={theme ?? "system"}
      onChange={setTheme}
      options={OPTIONS.map((option) => ({ ...option, label: texts.themes[option.value] }))}
      // Both icons are rendered and CSS shows one: the server does not know the theme.
      trigger={
        <IconButton
          label={texts.theme}
          icon={
            <>
              <Sun aria-hidden className="dark:hidden" />
              <Moon aria-hidden className="hidden dark:block" />
            </>
          }
        />
      }
    />
  );
}

const OPTIONS = [
  { value: "system", icon: <Monitor aria-hidden /> },
  { value: "light", icon: <Sun aria-hidden /> },
  { value: "dark", icon: <Moon aria-hidden /> },
] as const;
