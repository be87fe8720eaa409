import { z } from "zod";

const NAMES = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
] as const;
const CONTRACT = { name: "verifyingContract", type: "address" } as const;

/** The EIP-712 type of a domain with name, version and chainId. */
export const DOMAIN_TYPE = [...NAMES];
/** The EIP-712 type of the domain of a contract, such as a token. */
export const CONTRACT_DOMAIN_TYPE = [...NAMES, CONTRACT];

type Members = readonly { readonly name: string; readonly type: string }[];
type Types<T extends string> = z.ZodType<Record<T, Members>, Record<T, Members>>;

const members = z.array(z.object({ name: z.string(), type: z.string() })).readonly();
/** Typed, because a computed key of an object loses its literal type. */
const listed = <T extends string>(...names: T[]): Types<T> =>
  z.object(Object.fromEntries(names.map((name) => [name, members]))) as unknown as Types<T>;

/**
 * The `types` of typed data in a response, to which encoding adds the type of the domain: `eth_signTypedData_v4` and several libraries
 * refuse typed data without it. The digest is the same.
 */
export const typesView = <T extends string>(primaryType: T, domainType: Members) =>
  z.codec(listed<"EIP712Domain" | T>("EIP712Domain", primaryType), listed(primaryType), {
    decode: (wire): Record<T, Members> => wire,
    encode: (inner): Record<"EIP712Domain" | T, Members> => ({ EIP712Domain: domainType, ...inner }),
  });

/** The same for typed data that no schema encodes. */
export const withDomainType = <T extends { domain: object; types: object }>(typedData: T) => ({
  ...typedData,
  types: {
    EIP712Domain: CONTRACT.name in typedData.domain ? CONTRACT_DOMAIN_TYPE : DOMAIN_TYPE,
    ...typedData.types,
  },
});
