import { hostOf, LENGTH_MAX, type Resource } from "./url.ts";

/**
 * Whether a description says what is paid for. It does not if it is missing or empty, or only repeats the resource's URL,
 * host or path. A single word of the path is not compared: it can be a good name.
 */
export function statesPurpose(description: unknown, resourceText: unknown, resource: Resource): boolean {
  if (typeof description !== "string") return false;
  // One resource and description of version 2 are compared for every option, so their length is limited.
  const bareDescription = bare(description.slice(0, 2 * LENGTH_MAX));
  if (bareDescription === "") return false;
  if (typeof resourceText !== "string" || resourceText.length > LENGTH_MAX) return true;
  return !namesOf(resourceText, resource).includes(bareDescription);
}

/** What the text of a resource can be repeated as. A resource that is not a valid URL has them too. */
function namesOf(resourceText: string, { url }: Resource): string[] {
  const address = withoutScheme(resourceText);
  const place = address.split(/[?#]/, 1)[0] ?? "";
  const hostLength = place.indexOf("/") === -1 ? place.length : place.indexOf("/");
  const names = [address, place, place.slice(0, hostLength), place.slice(hostLength), address.slice(hostLength)];
  return [...names, url === null ? "" : hostOf(url)].map(bare);
}

/** Without scheme, letter case, outer and repeated slashes, and characters that are not displayed. */
const bare = (text: string): string =>
  withoutScheme(text.replace(UNSEEN, "").trim())
    .toLowerCase()
    .split("/")
    .filter((part) => part !== "")
    .join("/");

const withoutScheme = (text: string): string => text.replace(/^https?:\/\//i, "");

const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;
