import { expect, test } from "vitest";
import { isPagePreferred, isPreview } from "./accept";

test.each<[string | undefined, boolean]>([
  // Chromium, Firefox, Safari.
  ["text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8", true],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true],
  ["text/html", true],
  ["TEXT/HTML", true],
  ["text/html, application/json", true],
  ["text/html, */*", true],
  ["text/html;level=1", true],
  ["application/json;q=0.5, text/html;q=0.6", true],
  ["text/html;q=0.9, application/json;q=0, */*", true],
  [undefined, false],
  ["", false],
  ["*/*", false],
  ["text/*", false],
  ["application/json", false],
  // axios, and agents that read either.
  ["application/json, text/plain, */*", false],
  ["application/json, text/html", false],
  ["application/json, text/html;q=0.9", false],
  ["text/html;q=0.9, application/json", false],
  ["text/html; q=0.9 , application/*", false],
  ["text/html;q=0.5, */*;q=0.9", false],
  ["text/html;q=0", false],
  ["text/html;q=0.000", false],
  ["application/xhtml+xml", false],
  ["text/htmlx", false],
])("whether a client wants a page is read from the Accept header %j", (accept, isPage) =>
  expect(isPagePreferred(accept)).toBe(isPage),
);

test.each<[string | undefined, string | undefined, boolean]>([
  ["*/*", "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)", true],
  ["*/*", "WhatsApp/2.23.20.0", true],
  [undefined, "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)", true],
  ["*/*", "TelegramBot (like TwitterBot)", true],
  ["application/json", "Slackbot 1.0", false],
  ["*/*", "curl/8.5.0", false],
  ["*/*", "node", false],
  [undefined, undefined, false],
])("whether a client wants a link preview is read from Accept %j and User-Agent %j", (accept, agent, is) =>
  expect(isPreview(accept, agent)).toBe(is),
);
