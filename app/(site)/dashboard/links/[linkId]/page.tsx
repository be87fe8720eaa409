import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { SessionOver } from "@/components/site/connection";
import { getLink } from "@/lib/links/contract";
import type { SearchParams } from "../../query";
import { ownerContext } from "../../viewer";
import { LinkDetails } from "./details";
import { query } from "./query";

export const metadata: Metadata = { title: "Payment link" };

type Props = { params: Promise<{ linkId: string }>; searchParams: SearchParams };

export default async function LinkPage({ params, searchParams }: Props) {
  const ctx = await ownerContext();
  if (!ctx) return <SessionOver />;
  const parsed = getLink.params?.safeParse(await params);
  if (!parsed?.success) notFound();
  return <LinkDetails ctx={ctx} linkId={parsed.data.linkId} at={query.parse(await searchParams)} />;
}
