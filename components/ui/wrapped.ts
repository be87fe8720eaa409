/** For amounts that may be wider than a phone. */
export const WRAPPED = "whitespace-normal! [overflow-wrap:anywhere]";
