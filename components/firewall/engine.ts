import "./no-eval";

/** `judge` for a browser. Import it lazily: it contains the prompt model and the word lists. */
export { judge } from "./judge";
