import type { FooterTexts } from "../en/footer";
import { translation } from "../template";

export const footer = translation<FooterTexts>()({
  label: "Fußzeile",
  product: "Produkt",
  dashboard: "Übersicht",
  firewall: "Firewall",
  identity: "Identität von Agenten",
  status: "Betriebsstatus",
  developers: "Entwicklung",
  docs: "Dokumentation",
  quickstart: "Schnellstart",
  costs: "Was es kostet",
  api: "API",
  languageModels: "Für Sprachmodelle",
  trust: "Vertrauen",
  losses: "Wer was verlieren kann",
  exit: "Vault verlassen",
  security: "Sicherheitskontakt",
  terms: "Nutzungsbedingungen",
  privacy: "Datenschutz",
});
