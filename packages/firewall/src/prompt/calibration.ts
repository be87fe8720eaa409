import type { Calibration } from "./score.ts";

/** Written by `npm run firewall:train`: see `numbersOf`. */
export const calibration: Calibration = {
  coefficients: [
    1.372181, -0.076175, -0.094648, 1.464892, 4.802273, 0.473308, -0.073965, -0.149223, -1.910134, -3.518996,
  ],
  thresholds: { review: -0.92, block: 3.87 },
};
