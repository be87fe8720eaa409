import type { Metadata } from "next";
import { SessionOver } from "@/components/site/connection";
import { ownerContext } from "../../viewer";
import { PaymentDetails } from "./details";

export const metadata: Metadata = { title: "Payment" };

export default async function PaymentPage({ params }: { params: Promise<{ paymentId: string }> }) {
  const ctx = await ownerContext();
  if (!ctx) return <SessionOver />;
  return <PaymentDetails ctx={ctx} paymentId={(await params).paymentId} />;
}
