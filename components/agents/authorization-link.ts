/** The path of an agent's authorization link on this site, or the reason why it must not be followed. */
export type LinkReading = { type: "valid"; path: string } | { type: "invalid"; problem: string };

const PATH = /^\/authorize\/mandate\/[\w.:-]{1,100}$/;

/** Reads a pasted link. Links to other sites are refused: only our own page may request a signature. */
export function readAuthorizationLink(text: string, baseUrl: string): LinkReading {
  const pasted = text.trim();
  if (pasted === "") return { type: "invalid", problem: "Paste the link that the agent gave you." };
  if (!URL.canParse(pasted))
    return { type: "invalid", problem: "This is not a link. Paste all of it, from http to the end." };
  const url = new URL(pasted);
  const siteOrigin = new URL(baseUrl).origin;
  if (url.origin !== siteOrigin || url.username !== "" || url.password !== "") {
    return {
      type: "invalid",
      problem: `This link leads to another site. A valid link begins with ${siteOrigin}/authorize/mandate/.`,
    };
  }
  if (!PATH.test(url.pathname))
    return { type: "invalid", problem: "This is a link to our site, but not to a mandate." };
  return { type: "valid", path: `${url.pathname}${url.search}` };
}
