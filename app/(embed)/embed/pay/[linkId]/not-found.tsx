import { PlainHeader } from "@/components/ui/plain-header";

export const metadata = { title: "No such payment link" };

export default function NotFound() {
  return (
    <PlainHeader
      title="There is no such payment link"
      description="It may be mistyped, or the seller has deleted it. Nothing was charged. Ask the seller for a new link."
    />
  );
}
