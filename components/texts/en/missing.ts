import { english } from "../template";

/** The page for unknown addresses. */
export const missing = english({
  title: "Page not found",
  heading: "There is nothing here",
  text: "The address may be mistyped, or the page belongs to another account. No money has moved.",
  dashboard: "Open dashboard",
  start: "Home",
  search: "Search the documentation",
  find: "Search",
});

export type MissingTexts = typeof missing;
