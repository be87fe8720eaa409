// Written by `npm run contracts`. The same on every network; IMPLEMENTATION_HASH is the keccak-256 of the code.
export const VAULT_FACTORY = "0xe7f31DB81F8958D06E6538C6a5CEea8CbF259289";
export const VAULT_IMPLEMENTATION = "0x93395A5e1c99d372eB6e4bF2f7E7C04092A779b5";
export const IMPLEMENTATION_HASH = "0x6cd772d32ce9970406312cd3106860c51895ce134cf2c42264314066df3c01fa";
