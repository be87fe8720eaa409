import { cx } from "./cx";

export type SkeletonProps = { className?: string | undefined };

/** A grey placeholder; give it the size of the content. */
export function Skeleton({ className }: SkeletonProps) {
  return <span aria-hidden className={cx("block max-w-full animate-breathe rounded-control bg-line", className)} />;
}

/** Placeholder for a card with one figure, as on a signing page. */
export function CardSkeleton({ className }: SkeletonProps) {
  return (
    <div className={cx("grid gap-4 rounded-card border bg-card p-6", className)}>
      <Skeleton className="h-3.5 w-32" />
      <Skeleton className="h-10 w-52" />
      <Skeleton className="mt-3 h-3.5 w-full" />
      <Skeleton className="h-3.5 w-4/5" />
    </div>
  );
}

export function TableSkeleton({ rows = 5, className }: SkeletonProps & { rows?: number | undefined }) {
  return (
    <div className={cx("rounded-card border bg-card", className)}>
      {Array.from({ length: rows }, (_, row) => row).map((row) => (
        <div key={row} className="flex items-center justify-between gap-8 border-b px-4 py-4.5 last:border-b-0">
          <Skeleton className="h-3.5 w-2/5" />
          <Skeleton className="h-3.5 w-20" />
        </div>
      ))}
    </div>
  );
}

/** Placeholder for a dashboard page: title, four figures, a table. */
export function PageSkeleton() {
  return (
    <div className="grid gap-6">
      <p role="status" className="sr-only">
        Loading
      </p>
      <Skeleton className="h-7 w-44" />
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {["one", "two", "three", "four"].map((key) => (
          <div key={key} className="grid gap-3 rounded-card border bg-card px-4.5 py-5">
            <Skeleton className="h-3 w-20" />
            <Skeleton className="h-6 w-28" />
          </div>
        ))}
      </div>
      <TableSkeleton />
    </div>
  );
}
