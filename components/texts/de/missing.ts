import type { MissingTexts } from "../en/missing";
import { translation } from "../template";

export const missing = translation<MissingTexts>()({
  title: "Seite nicht gefunden",
  heading: "Hier gibt es nichts",
  text: "Vielleicht enthält die Adresse einen Tippfehler, oder die Seite gehört zu einem anderen Konto. Es wurde kein Geld bewegt.",
  dashboard: "Übersicht öffnen",
  start: "Startseite",
  search: "Dokumentation durchsuchen",
  find: "Suchen",
});
