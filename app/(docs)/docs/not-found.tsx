import { PlainHeader } from "@/components/ui/plain-header";

export const metadata = { title: "Page not found · Docs" };

/** Plain links, because Next sends it along with every page. */
export default function DocsNotFound() {
  return (
    <div className="grid gap-6">
      <PlainHeader
        title="There is no such page"
        description="The address may be mistyped. Search for a word above, or start with the list of all pages."
      />
      <p>
        <a href="/docs" className="text-brand underline underline-offset-4">
          All pages
        </a>
      </p>
    </div>
  );
}
