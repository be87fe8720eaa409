/** The owner of the page that sends a request. The session may be another owner's by then, after a sign-in in another tab. */
export const PAGE_OWNER_HEADER = "x-page-owner";
