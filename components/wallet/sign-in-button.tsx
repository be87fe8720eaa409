"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { Button, type ButtonSize, type ButtonVariant } from "@/components/ui/button";
import { useEarlyClick } from "@/components/ui/use-early-click";
import { ConnectDialog } from "./connect-dialog";

export type SignInButtonProps = {
  label?: string | undefined;
  /** The page to open after signing in; without it the current page reloads. */
  to?: string | undefined;
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  wide?: boolean | undefined;
  /** The choice of wallets is open at once where the URL ends with it. */
  hash?: string | undefined;
};

export function SignInButton({ label = "Sign in", to, variant = "primary", size, wide, hash }: SignInButtonProps) {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const earlyClick = useEarlyClick<HTMLButtonElement>();

  useEffect(() => {
    if (hash === undefined || location.hash !== hash) return;
    // Not again after signing out.
    history.replaceState(null, "", location.pathname + location.search);
    setOpen(true);
  }, [hash]);

  return (
    <>
      <Button {...earlyClick} variant={variant} size={size} wide={wide} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <ConnectDialog
        open={isOpen}
        onOpenChange={setOpen}
        purpose="sign-in"
        onDone={() => {
          if (to !== undefined) router.push(to);
          router.refresh();
        }}
      />
    </>
  );
}
