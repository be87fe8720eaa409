/**
 * For refinements over several members of a body: they run only if all members are valid. By default Zod also runs them on undecoded
 * members, such as a string in place of an amount.
 */
export const ONCE_VALID = { when: ({ issues }: { issues: readonly unknown[] }): boolean => issues.length === 0 };
