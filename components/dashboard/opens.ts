/** The selection of a list in Panes. `shown`: the last path segment of the selected item's page. */
export type Chosen = { shown: string | undefined };

/** Props for a link whose page can be shown beside the list. Empty outside of Panes. */
export function opens(href: string, panes: Chosen | undefined): object {
  if (!panes) return {};
  const isShown = panes.shown !== undefined && href.endsWith(`/${panes.shown}`);
  return { "data-opens": "", ...(isShown && { "aria-current": "true" as const }) };
}
