/** Public, with the dashboard's frame for signed-in owners. */
export { default } from "../identity/layout";
