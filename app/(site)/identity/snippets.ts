import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The files of docs/verifiers. Read at startup, relative to the project root, which is the server's working directory. */
const FILES = [
  { file: "verify-vc.ts", language: "TypeScript", needs: "Needs jose 6." },
  { file: "verify_vc.py", language: "Python", needs: "Needs PyJWT 2.6 or later, with cryptography." },
  { file: "verify-vc.sh", language: "curl", needs: "Needs curl and jq. Calls this service for each verification." },
].map((snippet) => ({ ...snippet, code: readFileSync(join(process.cwd(), "docs/verifiers", snippet.file), "utf8") }));

const PLACEHOLDER = "https://tessera.example";

/** Replaces the example address in the files with this service's. */
export const snippetsFor = (baseUrl: string) =>
  FILES.map((snippet) => ({ ...snippet, code: snippet.code.replaceAll(PLACEHOLDER, baseUrl) }));
