/** The address that RFC 9728 section 3.1 derives from the path of hosts that connect by OAuth only. */
export { GET } from "../../route";
