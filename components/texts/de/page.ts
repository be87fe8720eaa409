import type { PageTexts } from "../en/page";
import { translation } from "../template";

export const page = translation<PageTexts>()({
  skip: "Zum Inhalt springen",
  home: "Tessera, Startseite",
  language: "Sprache",
  theme: "Farbschema",
  themes: { system: "Wie das Gerät", light: "Hell", dark: "Dunkel" },
  checkoutBy: "Bezahlseite von Tessera",
  local: "Lokales",
  devnet: "Testnetz",
  devnetTitle: "Lokale Blockchains mit Testgeld. Nichts hier hat einen Wert.",
  close: "Schließen",
  notReached: "Unser Dienst war nicht erreichbar",
  nothingChanged: "Es wurde nichts angefordert und nichts geändert.",
  reload: "Seite neu laden",
  walletNotReached:
    "Unser Dienst war nicht erreichbar, deshalb wurde von Ihrer Wallet nichts angefordert. Versuchen Sie es noch einmal.",
  looking: "Ihre Wallet wird gesucht",
  code: "QR-Code. {label}: {value}",
  explorer: "Auf {host} ansehen",
  brokenTitle: "Diese Seite konnte nicht angezeigt werden",
  brokenText:
    "Der Fehler liegt bei uns. Das Anzeigen einer Seite bewegt kein Geld. Wenn Sie bereits signiert haben, signieren Sie nicht noch einmal: Die Seite des Zahlungslinks hat gespeichert, was Sie signiert haben, und macht damit weiter.",
  tryAgain: "Noch einmal versuchen",
});
