import type { Calibration } from "./score.ts";

/** Written by `npm run firewall:train`: see `numbersOf`. */
export const calibration: Calibration = {
  coefficients: [
    1.089477, 0.032255, -0.123149, 1.384331, 7.343766, 0.227053, -0.066126, -0.106782, -2.646065, -1.90229,
  ],
  thresholds: { review: -0.28, block: 3.31 },
};
