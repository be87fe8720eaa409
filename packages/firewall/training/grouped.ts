/** The entries of a list by a name of each, in the order of their first ones. `Map.groupBy` needs Node 21. */
export function grouped<T>(list: readonly T[], nameOf: (entry: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const entry of list) {
    const group = groups.get(nameOf(entry));
    if (group) group.push(entry);
    else groups.set(nameOf(entry), [entry]);
  }
  return groups;
}
