/** Why an error occurs and what its caller does, for codes whose message alone does not say enough. Markdown, by lower-case code. */
export type Remedy = { readonly cause: string; readonly remedy: string };
