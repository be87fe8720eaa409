/**
 * The value called `name`, made by `make` at its first use in this process. The production build holds several copies of
 * our modules (routes, pages, instrumentation), each with its own module-level variables: state that must exist once
 * lives here. `name` must be unique, and the same in every copy.
 */
export function oncePerProcess<T>(name: string, make: () => T): T {
  const place = Symbol.for(`tessera.${name}`);
  // A global has no type of ours; only this function writes under this symbol.
  const shared = globalThis as unknown as Record<symbol, { value: T } | undefined>;
  shared[place] ??= { value: make() };
  return shared[place].value;
}
