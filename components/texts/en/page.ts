import { english } from "../template";

/** The frame of a page, and components that are loaded later. */
export const page = english({
  skip: "Skip to content",
  home: "Tessera, home",
  language: "Language",
  theme: "Theme",
  themes: { system: "Same as device", light: "Light", dark: "Dark" },
  checkoutBy: "Checkout by Tessera",
  local: "Local",
  devnet: "devnet",
  devnetTitle: "Local chains with test money. Nothing here has value.",
  close: "Close",
  notReached: "We could not be reached",
  nothingChanged: "Nothing was requested and nothing has changed.",
  reload: "Reload this page",
  walletNotReached: "We could not be reached, so nothing was requested from your wallet. Try again.",
  looking: "Looking for your wallet",
  code: "QR code. {label}: {value}",
  explorer: "See it on {host}",
  brokenTitle: "This page could not be shown",
  brokenText:
    "Something went wrong on our side. Loading a page moves no money. If you have already signed, do not sign again: open the payment link in this browser, and it continues with your signature.",
  tryAgain: "Try again",
});

export type PageTexts = typeof page;
