import type { Check } from "./platform/checks";

/** What is checked before the service starts, and by `npm run doctor`. */
export const CHECKS: readonly Check[] = [];
