/** What `npm run bench` compares with. It loads this file once the packages of this folder are installed. */
export { settle, verify } from "x402/facilitator";
export { getPaywallHtml } from "x402/paywall";
