/** @param {string} url */
export function splitTarget(url) {
  const index = url.indexOf("?");
  return index === -1 ? { path: url, query: "" } : { path: url.slice(0, index), query: url.slice(index + 1) };
}
