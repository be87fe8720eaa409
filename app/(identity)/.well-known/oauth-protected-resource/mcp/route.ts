/** The address that RFC 9728 section 3.1 derives from the resource's path. */
export { GET, OPTIONS } from "../route";
