import { CardSkeleton, Skeleton } from "@/components/ui/skeleton";

/** As high as a screen at least, so that the footer does not move when the page arrives. */
export default function IdentitySkeleton() {
  return (
    <div className="grid min-h-dvh grid-cols-1 content-start gap-5 noscript:hidden">
      <p role="status" className="sr-only">
        Loading
      </p>
      <div className="grid gap-3">
        <Skeleton className="h-7 w-44" />
        <Skeleton className="h-3.5 w-160" />
      </div>
      <CardSkeleton className="min-h-52 content-start" />
      <CardSkeleton className="min-h-96 content-start" />
    </div>
  );
}
