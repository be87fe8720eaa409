import { UnknownRequest } from "@/components/mandates/unknown-request";
import { Wordmark } from "@/components/ui/wordmark";

export const metadata = { title: "Nothing to sign" };

export default function NotFound() {
  return (
    <main id="main" tabIndex={-1} className="mx-auto grid max-w-130 gap-8 px-5 py-8">
      <Wordmark />
      <UnknownRequest />
    </main>
  );
}
