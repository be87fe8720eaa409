import type { Endpoint } from "@/lib/core/endpoint";

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === "object" && value !== null && "method" in value && "path" in value && "surface" in value;

const contracts = import.meta.glob<Record<string, unknown>>("/lib/**/*contract.ts", { eager: true });

/** The endpoint that a contract module, such as `lib/links/contract.ts`, exports. */
export function endpointAt(module: string, name: string): Endpoint {
  const match = contracts[`/${module}`]?.[name];
  if (!isEndpoint(match)) throw new Error(`${module} exports no endpoint ${name}`);
  return match;
}

/** Every endpoint of every contract. */
export const endpoints = Object.values(contracts).flatMap((module) => Object.values(module).filter(isEndpoint));

export const named = (e: Endpoint) => `${e.method} ${e.path}`;

/** A path whose parameters name nothing that exists. */
export const unknownPath = (e: Endpoint) => e.path.replace(/\{[^}]+\}/g, "nobody_000000000000000000000000");
