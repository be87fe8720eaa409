/** An unpaid 402 of x402 version 1 with one honest option, and what differs in others. */
export const USDC = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
export const SELLER = "0x5b38da6a701c568545dcfcb03fcb875f56beddc4";
export const RESOURCE = "https://api.example.com/v1/report";

export const option = {
  scheme: "exact",
  network: "base",
  maxAmountRequired: "500000",
  resource: RESOURCE,
  description: "Weather report",
  mimeType: "application/json",
  payTo: SELLER,
  maxTimeoutSeconds: 60,
  asset: USDC,
};

/** A body with an option for each of these changes. */
export const offering = (...changes: object[]) => ({
  x402Version: 1,
  accepts: changes.map((change) => ({ ...option, ...change })),
});
