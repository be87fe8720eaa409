import { z } from "zod";

// Before any schema is made: zod otherwise tries whether it may compile code from text, which our content policy forbids
// and reports.
z.config({ jitless: true });
