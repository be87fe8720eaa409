import { english } from "../template";

/** The links at the end of public pages. Their pages are in English. */
export const footer = english({
  label: "Footer",
  product: "Product",
  dashboard: "Dashboard",
  firewall: "Firewall",
  identity: "Agent identity",
  status: "Status",
  developers: "Developers",
  docs: "Docs",
  quickstart: "Quickstart",
  api: "API",
  languageModels: "For language models",
  trust: "Trust",
  losses: "Who can lose what",
  security: "Security contact",
  terms: "Terms",
  privacy: "Privacy",
});

export type FooterTexts = typeof footer;
