/** Of a list in Panes: what it shows of the chosen thing, which is the last part of the path of its page. */
export type Chosen = { shown: string | undefined };

/** The props of a link of a list whose page can be shown beside the list; none outside of Panes. */
export function opens(href: string, panes: Chosen | undefined): object {
  if (!panes) return {};
  const isShown = panes.shown !== undefined && href.endsWith(`/${panes.shown}`);
  return { "data-opens": "", ...(isShown && { "aria-current": "true" as const }) };
}
