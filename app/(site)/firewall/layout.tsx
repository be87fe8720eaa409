/** As that page: public, but part of the dashboard for whoever has one. */
export { default } from "../identity/layout";
