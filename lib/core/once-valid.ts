/**
 * For a rule about several members of a body. Zod also calls such a rule when a member is not valid and still has the form
 * it was sent in, a text instead of an amount for example.
 */
export const ONCE_VALID = { when: ({ issues }: { issues: readonly unknown[] }): boolean => issues.length === 0 };
