/** Public text that changes only with a deployment. `Vary`: the same URL also serves HTML. */
const HEADERS = { "Cache-Control": "public, max-age=300", Vary: "Accept" };

const textOf = (type: string) => (text: string) =>
  new Response(text, { headers: { ...HEADERS, "Content-Type": `${type}; charset=utf-8` } });

export const markdownResponse = textOf("text/markdown");
export const jsonResponse = (value: unknown): Response => textOf("application/json")(JSON.stringify(value));
export const plainResponse = textOf("text/plain");

export const noSuchPage = (): Response =>
  new Response("# There is no such page\n\n[All pages](/docs.md)\n", {
    status: 404,
    headers: { "Content-Type": "text/markdown; charset=utf-8", "Cache-Control": "no-store" },
  });
