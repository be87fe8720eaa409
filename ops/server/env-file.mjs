import { existsSync } from "node:fs";

/**
 * Adds the variables of `file` that the environment lacks, each as it is written: Next's own reader replaces `$word`, also inside of
 * single quotes, and would cut passwords that a shell keeps.
 *
 * @param {string} file
 * @returns {() => void} Takes them out again.
 */
export function readEnvFile(file) {
  const before = new Set(Object.keys(process.env));
  if (existsSync(file)) process.loadEnvFile(file);
  // Next would read the file itself.
  process.env.__NEXT_PROCESSED_ENV = "true";
  return () => {
    for (const name of Object.keys(process.env)) if (!before.has(name)) delete process.env[name];
  };
}
