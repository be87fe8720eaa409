/** By what waits of tests are longer in a pipeline: nobody watches it, and its machine can be five times slower than at other times. */
export const PATIENCE = process.env.CI ? 3 : 1;
