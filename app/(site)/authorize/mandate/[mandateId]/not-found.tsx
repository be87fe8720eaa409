import { UnknownRequest } from "@/components/mandates/unknown-request";
import { LonePage } from "@/components/site/lone-page";

export const metadata = { title: "Nothing to sign" };

export default function NotFound() {
  return (
    <LonePage>
      <UnknownRequest />
    </LonePage>
  );
}
