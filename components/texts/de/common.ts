import type { CommonTexts } from "../en/common";
import { translation } from "../template";

export const common = translation<CommonTexts>()({
  copy: "Kopieren",
  copied: "Kopiert",
  notCopied: "Text zum Kopieren markieren",
  copyAddress: "Adresse kopieren",
  showInFull: "{address}, vollständig anzeigen",
  showShort: "{address}, gekürzt anzeigen",
});
