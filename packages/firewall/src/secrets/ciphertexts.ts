/**
 * How ciphertexts begin that are made to be stored: of SOPS and eyaml, dotenvx, Vault's transit engine, AWS's KMS, OpenSSL, and
 * age and PGP in armour.
 */
const CIPHERTEXT = /^(?:ENC\[|encrypted:|vault:v\d|AQICAH|U2FsdGVkX1|-----BEGIN (?:AGE|PGP)|age1)/;
/** The length of the key before a SealedSecret's ciphertext, in two bytes of base64. */
const SEALED = /^A[gQ][A-D][\w+/]{60}/;
/** Whether the value at `start` is a ciphertext: who reads it has nothing without the key. */
export function isCiphertext(text: string, start: number, value: string): boolean {
  if (CIPHERTEXT.test(value)) return true;
  if (!SEALED.test(value)) return false;
  if (text !== searched) {
    searched = text;
    sealedFrom = text.search(/SealedSecret|encryptedData/);
  }
  return sealedFrom >= 0 && sealedFrom < start;
}

/** The last text with such a value, and where its first SealedSecret begins: a text can have many. */
let [searched, sealedFrom] = ["", -1];
