import type { Check } from "./platform/checks";
import { databaseCheck } from "./platform/database-check";

/** What is checked before the service starts, and by `npm run doctor`. */
export const CHECKS: readonly Check[] = [databaseCheck];
