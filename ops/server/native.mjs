// Without native code for this machine, the package secp256k1 silently falls back to JavaScript, which takes thirty times as long
// per signature and is not the code that was tested.
import { createRequire } from "node:module";

/**
 * Why signatures cannot be checked on this machine, or null.
 * Why: docs/decisions.md, 427.
 *
 * @param {(name: string) => unknown} load
 */
export function signatureFault(load = createRequire(import.meta.url)) {
  try {
    load("secp256k1/bindings");
    return null;
  } catch (error) {
    const [reason] = String(error instanceof Error ? error.message : error).split("\n");
    return (
      `The compiled code of the package secp256k1 is missing for ${process.platform}-${process.arch} (${reason}). ` +
      "Install python3, make and a C++ compiler, and run npm rebuild secp256k1"
    );
  }
}
