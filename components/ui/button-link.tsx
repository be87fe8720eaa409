import type { ComponentProps } from "react";
import { Link } from "@/components/ui/link";
import { type ButtonLook, buttonClass } from "./button";
import { cx } from "./cx";

export type ButtonLinkProps = ComponentProps<typeof Link> & ButtonLook;

/** A link that looks like a button: for navigation, never for actions. */
export function ButtonLink({ variant, size, wide, className, ...linkProps }: ButtonLinkProps) {
  return <Link {...linkProps} className={cx(buttonClass({ variant, size, wide }), className)} />;
}
