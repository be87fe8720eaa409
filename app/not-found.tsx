import { Missing } from "@/components/site/missing";
import { Wordmark } from "@/components/ui/wordmark";

export const metadata = { title: "Page not found" };

export default function NotFound() {
  return (
    <main id="main" tabIndex={-1} className="mx-auto grid max-w-130 gap-8 px-5 py-8">
      <Wordmark />
      <Missing />
    </main>
  );
}
