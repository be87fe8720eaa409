/** @param {string} url */
export function splitTarget(url) {
  const at = url.indexOf("?");
  return at === -1 ? { path: url, query: "" } : { path: url.slice(0, at), query: url.slice(at + 1) };
}
