import { english } from "../template";

/** The footer of public pages. The linked pages are in English. */
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
  costs: "What it costs",
  api: "API",
  languageModels: "For language models",
  trust: "Trust",
  losses: "Who can lose what",
  exit: "Leave a vault",
  security: "Security contact",
  terms: "Terms",
  privacy: "Privacy",
});

export type FooterTexts = typeof footer;
