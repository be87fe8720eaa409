const RANGES_MAX = 50;

/** A member of an Accept or Accept-Language header. `quality`: from 0 to 1; null when its weight is invalid. */
type WeightedRange = { name: string; quality: number | null; index: number };

/** The members of a header with weights (RFC 9110, 12.4.2), in lower case and in their order. */
export const readRanges = (header: string | null | undefined): WeightedRange[] =>
  (header ?? "").split(",", RANGES_MAX).map((range, index) => {
    const [name = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, "");
    const isValid = weight === undefined || /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight);
    return { name, quality: isValid ? Number(weight ?? 1) : null, index };
  });

const JSON_TYPE = "application/json";
const HTML_TYPE = "text/html";

/**
 * Whether a client prefers a page to JSON: its Accept header names text/html, and gives application/json no higher quality
 * (RFC 9110, 12.5.1). Of two types with the same quality, the one that the client names first wins. Wildcards never request
 * a page: programs send them.
 */
export function isPagePreferred(accept: string | undefined): boolean {
  // Most programs send none.
  if (!accept) return false;
  // An invalid weight counts as none.
  const ranges = readRanges(accept).map(({ quality, ...range }) => ({ ...range, quality: quality ?? 1 }));
  const html = ranges.find(({ name }) => name === HTML_TYPE);
  if (!html || html.quality <= 0) return false;
  const json = [JSON_TYPE, "application/*", "*/*"].flatMap(
    (type) => ranges.find((range) => range.name === type) ?? [],
  )[0];
  if (!json || json.quality < html.quality) return true;
  return json.quality === html.quality && (json.name !== JSON_TYPE || html.index < json.index);
}

/** Programs of messengers and social networks that draw link previews. Several of them accept every type. */
const PREVIEWERS =
  /facebookexternalhit|facebot|whatsapp|twitterbot|slackbot|slack-imgproxy|linkedinbot|telegrambot|discordbot|skypeuripreview|mastodon|bluesky|pinterestbot|redditbot|applebot|google-inspectiontool|iframely/i;

/** Whether a User-Agent draws link previews, and the Accept header does not name JSON. */
export const isPreview = (accept: string | undefined, agent: string | undefined): boolean =>
  PREVIEWERS.test(agent?.slice(0, 300) ?? "") && !(accept ?? "").includes("json");
