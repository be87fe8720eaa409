import type { Schema } from "@/lib/core/json-schema";
import { MEMBERS } from "./members";

/** `schema` with a description of each member. `owners`: names of what the members are in, the most precise first. */
export function describeMembers(schema: Schema, ...owners: readonly string[]): Schema {
  const { properties, items, ...rest } = schema;
  const described: Schema = { ...rest };
  if (isSchema(items)) described.items = describeMembers(items, ...owners);
  for (const keyword of ["anyOf", "oneOf", "allOf"] as const) {
    const branches = schema[keyword];
    if (Array.isArray(branches))
      described[keyword] = branches.map((branch: Schema) => describeMembers(branch, ...owners));
  }
  if (properties) {
    const entries = Object.entries(properties).map(([name, member]) => [name, describeMember(name, member, owners)]);
    described.properties = Object.fromEntries(entries);
  }
  return described;
}

function describeMember(name: string, member: Schema, owners: readonly string[]): Schema {
  const inner = describeMembers(member, name);
  if (member.description !== undefined) return inner;
  const places = [...owners, ...(member.properties ? ["object"] : [])].map((owner) => `${owner}.${name}`);
  const description = [...places, name].map((place) => MEMBERS[place]).find((text) => text !== undefined);
  return description === undefined ? inner : { ...inner, description };
}

const isSchema = (value: unknown): value is Schema => typeof value === "object" && value !== null;
