import { LonePage } from "@/components/site/lone-page";
import { Missing } from "@/components/site/missing";

export const metadata = { title: "Page not found" };

export default function NotFound() {
  return (
    <LonePage>
      <Missing />
    </LonePage>
  );
}
