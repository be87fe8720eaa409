/** Reads an own member. For names that a stranger chose: every object inherits `constructor`, `toString` and others. */
export const ownMember = <V>(object: Readonly<Record<string, V>>, name: string): V | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;
