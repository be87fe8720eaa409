import { z } from "zod";

// Must run before any schema is created: otherwise zod tests for eval, which our content security policy blocks and
// reports.
z.config({ jitless: true });
