import { english } from "../template";

/** Texts of components that occur on every kind of page. Kept small: each page loads the English ones. */
export const common = english({
  copy: "Copy",
  copied: "Copied",
  notCopied: "Select the text to copy it",
  copyAddress: "Copy address",
  showInFull: "{address}, show in full",
  showShort: "{address}, show short",
});

export type CommonTexts = typeof common;
