// Written by `npm run contracts`. The same on every network; `implementationHash` is the keccak-256 of the code.
export const VAULT_CONTRACTS = {
  1: {
    factory: "0xe7f31DB81F8958D06E6538C6a5CEea8CbF259289",
    implementation: "0x93395A5e1c99d372eB6e4bF2f7E7C04092A779b5",
    implementationHash: "0x6cd772d32ce9970406312cd3106860c51895ce134cf2c42264314066df3c01fa",
  },
  2: {
    factory: "0xaEF38f8f06Be8a543D036852C495B95c9Bb127aB",
    implementation: "0xdD2B45Fd03bF9E8223527e1F0E54B752EeFC1002",
    implementationHash: "0x525d096d68e34c7509a7ff8cf35554b660d66b109f733cf3fb05828fdea89bbe",
  },
} as const;
