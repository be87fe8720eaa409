import type { Metadata } from "next";
import { z } from "zod";
import { SessionOver } from "@/components/site/connection";
import { oneOf, type SearchParams } from "../query";
import { ownerContext } from "../viewer";
import { Made } from "./made";
import { Received } from "./received";

const query = z.object({ side: oneOf(["made", "received"]) });

export async function generateMetadata({ searchParams }: { searchParams: SearchParams }): Promise<Metadata> {
  return { title: query.parse(await searchParams).side === "received" ? "Sales" : "Payments" };
}

export default async function PaymentsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await ownerContext();
  if (!ctx) return <SessionOver />;
  const params = await searchParams;
  const { side } = query.parse(params);
  return side === "received" ? <Received ctx={ctx} params={params} /> : <Made ctx={ctx} params={params} />;
}
