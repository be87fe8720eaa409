/**
 * The value called `name`, created by `make` at its first use in this process. The production build contains several copies
 * of our modules (routes, pages, instrumentation), each with its own module-level variables. State that must exist once
 * per process belongs here. `name` must be unique, and the same in every copy.
 */
export function oncePerProcess<T>(name: string, make: () => T): T {
  const place = Symbol.for(`tessera.${name}`);
  // globalThis is untyped here; only this function writes under this symbol.
  const shared = globalThis as unknown as Record<symbol, { value: T } | undefined>;
  shared[place] ??= { value: make() };
  return shared[place].value;
}
