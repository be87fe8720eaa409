import type { Calibration } from "./score.ts";

/** Written by `npm run firewall:train`: see `numbersOf`. */
export const calibration: Calibration = {
  coefficients: [
    0.787878, -0.036319, -0.023901, 1.565399, 6.636396, 0.348097, -0.076459, -0.07285, -1.859354, -2.374597,
  ],
  thresholds: { review: -0.36, block: 2.67 },
};
