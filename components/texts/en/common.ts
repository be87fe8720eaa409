import { english } from "../template";

/** Texts of parts that every kind of page has in its scripts. Few, because each page loads the English ones. */
export const common = english({
  copy: "Copy",
  copied: "Copied",
  notCopied: "Select the text to copy it",
  copyAddress: "Copy address",
  showInFull: "{address}, show in full",
  showShort: "{address}, show short",
});

export type CommonTexts = typeof common;
