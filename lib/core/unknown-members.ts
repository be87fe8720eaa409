import { firstCharacters } from "./characters";
import { type Components, type Schema, wireSchema } from "./json-schema";
import { ownMember } from "./own";
import { type Fields, isRecord } from "./record";

/** A member that no schema lists. `path` is its place, such as `fields.0.kind`; `findNearest`: a listed member with a similar name. */
export type UnknownMember = { path: string; findNearest: () => string | undefined };

const hasKeywords = (schema: unknown): boolean => isRecord(schema) && Object.keys(schema).length > 0;

/**
 * Adds `additionalProperties: false` to every object that lists its members. Others stay open: records, and objects that are declared
 * loose unless `closesLoose`.
 */
export function closed(schema: Schema, { closesLoose = false } = {}): Schema {
  const closeObjects = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(closeObjects);
    if (!isRecord(value)) return value;
    const copy: Schema = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, closeObjects(inner)]));
    const { additionalProperties: others } = copy;
    const isOpen = closesLoose ? hasKeywords(others) : others !== undefined;
    return isRecord(copy.properties) && copy.type === "object" && !isOpen
      ? { ...copy, additionalProperties: false }
      : copy;
  };
  return closeObjects(schema) as Schema;
}

/** A copy without references. */
export function inPlace(schema: Schema, components: Components): Schema {
  const inlineRefs = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inlineRefs);
    if (!isRecord(value)) return value;
    const { $ref, ...keywords } = value;
    const copy = Object.fromEntries(Object.entries(keywords).map(([name, inner]) => [name, inlineRefs(inner)]));
    const target = typeof $ref === "string" ? components.get($ref.split("/").at(-1) ?? "") : undefined;
    return target ? { ...(inlineRefs(target) as Schema), ...copy } : copy;
  };
  return inlineRefs(schema) as Schema;
}

const closedSchemas = new WeakMap<object, Schema>();

/** The JSON Schema of a declared body, closed and without references. */
export function closedSchemaOf(declared: Parameters<typeof wireSchema>[0]): Schema {
  const known = closedSchemas.get(declared);
  if (known) return known;
  const components: Components = new Map();
  const schema = closed(inPlace(wireSchema(declared, components), components));
  closedSchemas.set(declared, schema);
  return schema;
}

/** The members of `value` that a closed schema does not list, at any depth. Of several forms, the one that lists most of them counts. */
export function unknownMembers(schema: Schema, value: unknown, path = ""): UnknownMember[] {
  const joinPath = (name: string | number) => (path === "" ? String(name) : `${path}.${name}`);
  const forms = [...formsOf(schema.anyOf), ...formsOf(schema.oneOf)].filter((form) => mayHold(form, value));
  const inForms = forms.map((form) => unknownMembers(form, value, path)).sort((a, b) => a.length - b.length);
  return [...(inForms[0] ?? []), ...ownUnknown()];

  function ownUnknown(): UnknownMember[] {
    const { properties, items, additionalProperties: others } = schema;
    if (Array.isArray(value))
      return isRecord(items) ? value.flatMap((item, index) => unknownMembers(items, item, joinPath(index))) : [];
    if (!isRecord(value)) return [];
    return Object.entries(value).flatMap(([name, inner]) => {
      const member = ownMember(properties ?? {}, name);
      if (member) return unknownMembers(member, inner, joinPath(name));
      if (isRecord(others)) return unknownMembers(others, inner, joinPath(name));
      if (others !== false) return [];
      const shownName = firstCharacters(name.slice(0, 2 * NAME_CHARACTERS), NAME_CHARACTERS);
      return [{ path: joinPath(shownName), findNearest: () => nearestOf(name, properties ?? {}, value) }];
    });
  }
}

/** Of a name that is repeated to its sender. */
const NAME_CHARACTERS = 100;

const formsOf = (forms: unknown): Schema[] => (Array.isArray(forms) ? forms.filter(isRecord) : []);

/** Whether the value can have this form, by its type and by the members that tell forms apart. */
function mayHold({ type, properties = {} }: Schema, value: unknown): boolean {
  const name = Array.isArray(value) ? "array" : isRecord(value) ? "object" : null;
  if (type !== undefined && name !== null && ![type].flat().includes(name)) return false;
  if (!isRecord(value)) return true;
  return Object.entries(properties).every(
    ([member, { const: only }]) => only === undefined || !Object.hasOwn(value, member) || value[member] === only,
  );
}

/** Without its case style: min_amount and minAmount are one name. */
export const plainName = (name: string): string => name.replaceAll(/[_-]/g, "").toLowerCase();

/** The listed member that the sender may have meant: one that can be sent, is not sent already, and differs by few letters. */
function nearestOf(name: string, properties: Readonly<Record<string, Schema>>, sent: Fields): string | undefined {
  const plain = plainName(name);
  const changesMax = plain.length < 5 ? 1 : 2;
  const near = Object.entries(properties)
    .filter(([listed, { not }]) => not === undefined && !Object.hasOwn(sent, listed))
    .filter(([listed]) => Math.abs(plainName(listed).length - plain.length) <= changesMax)
    .map(([listed]) => ({ listed, changes: changesBetween(plain, plainName(listed)) }))
    .sort((a, b) => a.changes - b.changes)[0];
  return near && near.changes <= changesMax ? near.listed : undefined;
}

/** Letters to insert, remove, replace or swap with their neighbour to get from one name to the other. */
function changesBetween(a: string, b: string): number {
  const rows: number[][] = [];
  const read = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 0; row <= a.length; row++) {
    const counts: number[] = [];
    rows.push(counts);
    for (let column = 0; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const changes = Math.min(
        read(row - 1, column) + 1,
        read(row, column - 1) + 1,
        read(row - 1, column - 1) + (isSame ? 0 : 1),
        isSwapped ? read(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
      counts.push(row + column === 0 ? 0 : changes);
    }
  }
  return read(a.length, b.length);
}

/** What is wrong with the member, for its sender. `what`: what the listed members are. */
export function faultOf({ findNearest }: UnknownMember, what: string): string {
  const nearest = findNearest();
  return nearest === undefined ? `is not ${what}` : `is not ${what} (did you mean \`${nearest}\`?)`;
}
