import { PlainHeader } from "@/components/ui/plain-header";

export const metadata = { title: "No such invoice" };

export default function NotFound() {
  return (
    <PlainHeader
      title="There is no such invoice"
      description="The address may be incomplete. Nothing was charged. Ask the seller for the address of the invoice."
    />
  );
}
