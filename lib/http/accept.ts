const JSON_TYPE = "application/json";
const HTML_TYPE = "text/html";
const RANGES_MAX = 50;

type Range = { type: string; quality: number; at: number };

/**
 * Whether a client prefers a page to JSON: its Accept header names text/html, and gives application/json no higher quality
 * (RFC 9110, 12.5.1). Of two types with the same quality, the one that the client names first wins. Wildcards never request
 * a page: programs send them.
 */
export function isPagePreferred(accept: string | undefined): boolean {
  const ranges = (accept ?? "").split(",", RANGES_MAX).map(readRange);
  const html = ranges.find(({ type }) => type === HTML_TYPE);
  if (!html || html.quality <= 0) return false;
  const json = [JSON_TYPE, "application/*", "*/*"].flatMap(
    (type) => ranges.find((range) => range.type === type) ?? [],
  )[0];
  if (!json || json.quality < html.quality) return true;
  return json.quality === html.quality && (json.type !== JSON_TYPE || html.at < json.at);
}

/** Programs of messengers and social networks that draw link previews. Several of them accept every type. */
const PREVIEWERS =
  /facebookexternalhit|facebot|whatsapp|twitterbot|slackbot|slack-imgproxy|linkedinbot|telegrambot|discordbot|skypeuripreview|mastodon|bluesky|pinterestbot|redditbot|applebot|google-inspectiontool|iframely/i;

/** Whether a User-Agent draws link previews, and the Accept header does not name JSON. */
export const isPreview = (accept: string | undefined, agent: string | undefined): boolean =>
  PREVIEWERS.test(agent?.slice(0, 300) ?? "") && !(accept ?? "").includes("json");

function readRange(text: string, index: number): Range {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  // An invalid weight counts as none.
  const quality = weight !== undefined && /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 1;
  return { type, quality, at: index };
}
