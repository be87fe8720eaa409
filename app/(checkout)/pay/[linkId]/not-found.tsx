import { Remembered } from "@/components/checkout/remembered";
import { PlainHeader } from "@/components/ui/plain-header";

export const metadata = { title: "No such payment link" };

export default function NotFound() {
  return (
    <div className="mx-auto grid max-w-130 gap-6">
      <PlainHeader
        title="There is no such payment link"
        description="It may be mistyped, or the seller has deleted it. Nothing was charged. Ask the seller for a new link."
      />
      <Remembered />
    </div>
  );
}
