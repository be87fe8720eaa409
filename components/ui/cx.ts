/** Joins class names, leaving out what does not apply. */
export const cx = (...names: (string | false | null | undefined)[]) => names.filter(Boolean).join(" ");
