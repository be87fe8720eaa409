import { ownMember } from "@/lib/core/own";

export type Types = Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>;

/** encodeType of EIP-712: the primary type, then the types that it uses, in the order of their names. */
export function encodeType(primaryType: string, types: Types): string {
  const used = new Set<string>();
  const visit = (name: string) => {
    const members = ownMember(types, name);
    if (used.has(name) || !members) return;
    used.add(name);
    for (const { type } of members) visit(elementOf(type));
  };
  visit(primaryType);
  used.delete(primaryType);
  return [primaryType, ...[...used].sort()]
    .map(
      (name) => `${name}(${(ownMember(types, name) ?? []).map((member) => `${member.type} ${member.name}`).join(",")})`,
    )
    .join("");
}

/** "Recipient[]" → "Recipient". */
export const elementOf = (type: string): string => type.replace(/(\[\d*\])+$/, "");
