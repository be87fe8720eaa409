import type { Failure } from "@/lib/http/client";

/** The page that reports a denial by a list of the operator; undefined for other failures. */
export function reportUrlOf({ details }: Failure): string | undefined {
  const url = details?.appealUrl;
  return typeof url === "string" ? url : undefined;
}

export const ReportLink = ({ url }: { url: string }) => (
  <a href={url} className="underline underline-offset-4">
    Report a mistake to the operator
  </a>
);
