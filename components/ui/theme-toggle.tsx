"use client";

import { Monitor, Moon, Sun } from "lucide-react";
import { useTheme } from "next-themes";
import { IconButton } from "./button";
import { ChoiceMenu } from "./menu";

export type ThemeToggleProps = { side?: "top" | "bottom" | undefined; align?: "start" | "end" | undefined };

export function ThemeToggle({ side = "bottom", align = "end" }: ThemeToggleProps) {
  const { theme, setTheme } = useTheme();
  return (
    <ChoiceMenu
      side={side}
      align={align}
      value={theme ?? "system"}
      onChange={setTheme}
      options={OPTIONS}
      // Both icons are rendered and CSS shows one: the server does not know the theme.
      trigger={
        <IconButton
          label="Theme"
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
  { value: "system", label: "Same as device", icon: <Monitor aria-hidden /> },
  { value: "light", label: "Light", icon: <Sun aria-hidden /> },
  { value: "dark", label: "Dark", icon: <Moon aria-hidden /> },
];
