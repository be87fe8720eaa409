import { CardSkeleton, Skeleton } from "@/components/ui/skeleton";

/** As high as a screen at least, so that the footer does not move when the page arrives. */
export default function FirewallSkeleton() {
  return (
    <div className="grid min-h-dvh grid-cols-1 content-start gap-5 noscript:hidden">
      <p role="status" className="sr-only">
        Loading
      </p>
      <div className="grid gap-3">
        <Skeleton className="h-7 w-60" />
        <Skeleton className="h-3.5 w-160" />
      </div>
      <Skeleton className="h-11 w-full" />
      <CardSkeleton className="min-h-52 content-start" />
      <div className="grid grid-cols-1 gap-5 lg:grid-cols-2">
        <CardSkeleton className="min-h-128 content-start" />
        <CardSkeleton className="min-h-128 content-start" />
      </div>
    </div>
  );
}
