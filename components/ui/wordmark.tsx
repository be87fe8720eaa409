import { cx } from "./cx";

export type WordmarkProps = { size?: number | undefined; className?: string | undefined };

export function Wordmark({ size = 20, className }: WordmarkProps) {
  return (
    <span className={cx("inline-flex items-center gap-2.25 text-[1.03125rem] font-bold tracking-[-0.02em]", className)}>
      <svg aria-hidden viewBox="0 0 20 20" width={size} height={size} className="text-brand" fill="currentColor">
        <rect width="9" height="9" rx="2" />
        <rect x="11" width="9" height="9" rx="2" opacity=".45" />
        <rect y="11" width="9" height="9" rx="2" opacity=".45" />
        <rect x="11" y="11" width="9" height="9" rx="2" opacity=".18" />
      </svg>
      Tessera
    </span>
  );
}
