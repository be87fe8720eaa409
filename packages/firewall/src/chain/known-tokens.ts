import { NETWORKS } from "../../../x402/src/networks.ts";

/** More than can exist of a kind of money, in whole units. */
const CEILINGS = {
  /** USDC on the networks of x402 payments: a trillion, more than can be backed. */
  paid: 10n ** 12n,
  /** Dollars and euros on other chains: about all money in the world. */
  dollars: 10n ** 14n,
  /** About 120 million ETH exist. */
  ether: 10n ** 9n,
  /** The final supply. */
  bitcoin: 21_000_000n,
  bnb: 10n ** 9n,
  /** POL, OP, ARB and AERO: about ten billion of each exist. */
  others: 10n ** 11n,
} as const;

type Kind = keyof typeof CEILINGS;

export type KnownToken = ReturnType<typeof token>;

const token = (chainId: number, symbol: string, decimals: number, kind: Kind, address: string, takesCoin = false) => ({
  chainId,
  /** Checksummed. */
  address,
  symbol,
  decimals,
  /** An allowance of this much or more, in atomic units, counts as unlimited. */
  ceiling: CEILINGS[kind] * 10n ** BigInt(decimals),
  /** The contract takes the native coin and issues the token for it. */
  takesCoin,
});

/** Token contracts that agents use. The same token can have different decimals on different chains. */
export const KNOWN_TOKENS: readonly KnownToken[] = [
  token(1, "USDC", 6, "dollars", "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"),
  token(1, "USDT", 6, "dollars", "0xdAC17F958D2ee523a2206206994597C13D831ec7"),
  token(1, "DAI", 18, "dollars", "0x6B175474E89094C44Da98b954EedeAC495271d0F"),
  token(1, "USDS", 18, "dollars", "0xdC035D45d973E3EC169d2276DDab16f1e407384F"),
  token(1, "PYUSD", 6, "dollars", "0x6c3ea9036406852006290770BEdFcAbA0e23A0e8"),
  token(1, "EURC", 6, "dollars", "0x1aBaEA1f7C830bD89Acc67eC4af516284b1bC33c"),
  token(1, "WETH", 18, "ether", "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2", true),
  token(1, "stETH", 18, "ether", "0xae7ab96520DE3A18E5e111B5EaAb095312D7fE84", true),
  token(1, "wstETH", 18, "ether", "0x7f39C581F595B53c5cb19bD0b3f8dA6c935E2Ca0", true),
  token(1, "cbETH", 18, "ether", "0xBe9895146f7AF43049ca1c1AE358B0541Ea49704"),
  token(1, "rETH", 18, "ether", "0xae78736Cd615f374D3085123A210448E74Fc6393"),
  token(1, "WBTC", 8, "bitcoin", "0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599"),
  token(1, "cbBTC", 8, "bitcoin", "0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf"),
  token(10, "USDC", 6, "dollars", "0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85"),
  token(10, "USDC.e", 6, "dollars", "0x7F5c764cBc14f9669B88837ca1490cCa17c31607"),
  token(10, "USDT", 6, "dollars", "0x94b008aA00579c1307B0EF2c499aD98a8ce58e58"),
  token(10, "DAI", 18, "dollars", "0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1"),
  token(10, "WETH", 18, "ether", "0x4200000000000000000000000000000000000006", true),
  token(10, "wstETH", 18, "ether", "0x1F32b1c2345538c0c6f582fCB022739c4A194Ebb"),
  token(10, "WBTC", 8, "bitcoin", "0x68f180fcCe6836688e9084f035309E29Bf0A2095"),
  token(10, "OP", 18, "others", "0x4200000000000000000000000000000000000042"),
  token(56, "USDC", 18, "dollars", "0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d"),
  token(56, "USDT", 18, "dollars", "0x55d398326f99059fF775485246999027B3197955"),
  token(56, "DAI", 18, "dollars", "0x1AF3F329e8BE154074D8769D1FFa4eE058B1DBc3"),
  token(56, "ETH", 18, "ether", "0x2170Ed0880ac9A755fd29B2688956BD959F933F8"),
  token(56, "BTCB", 18, "bitcoin", "0x7130d2A12B9BCbFAe4f2634d864A1Ee1Ce3Ead9c"),
  token(56, "WBNB", 18, "bnb", "0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c", true),
  token(137, "USDC", 6, "dollars", "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359"),
  token(137, "USDC.e", 6, "dollars", "0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174"),
  token(137, "USDT", 6, "dollars", "0xc2132D05D31c914a87C6611C10748AEb04B58e8F"),
  token(137, "DAI", 18, "dollars", "0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063"),
  token(137, "WETH", 18, "ether", "0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619"),
  token(137, "WBTC", 8, "bitcoin", "0x1BFD67037B42Cf73acF2047067bd4F2C47D9BfD6"),
  token(137, "WPOL", 18, "others", "0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270", true),
  token(NETWORKS.base.chainId, "USDC", 6, "paid", NETWORKS.base.usdc),
  token(8453, "USDbC", 6, "dollars", "0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA"),
  token(8453, "USDT", 6, "dollars", "0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2"),
  token(8453, "DAI", 18, "dollars", "0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb"),
  token(8453, "EURC", 6, "dollars", "0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42"),
  token(8453, "WETH", 18, "ether", "0x4200000000000000000000000000000000000006", true),
  token(8453, "cbETH", 18, "ether", "0x2Ae3F1Ec7F1F5012CFEab0185bfc7aa3cf0DEc22"),
  token(8453, "wstETH", 18, "ether", "0xc1CBa3fCea344f92D9239c08C0568f6F2F0ee452"),
  token(8453, "cbBTC", 8, "bitcoin", "0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf"),
  token(8453, "AERO", 18, "others", "0x940181a94A35A4569E4529A3CDfB74e38FD98631"),
  token(42161, "USDC", 6, "dollars", "0xaf88d065e77c8cC2239327C5EDb3A432268e5831"),
  token(42161, "USDC.e", 6, "dollars", "0xFF970A61A04b1cA14834A43f5dE4533eBDDB5CC8"),
  token(42161, "USDT", 6, "dollars", "0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9"),
  token(42161, "DAI", 18, "dollars", "0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1"),
  token(42161, "WETH", 18, "ether", "0x82aF49447D8a07e3bd95BD0d56f35241523fBab1", true),
  token(42161, "wstETH", 18, "ether", "0x5979D7b546E38E414F7E9822514be443A4800529"),
  token(42161, "WBTC", 8, "bitcoin", "0x2f2a2543B76A4166549F7aaB2e75Bef0aefC5B0f"),
  token(42161, "ARB", 18, "others", "0x912CE59144191C1204E64559FE8253a0e49E6548"),
  token(NETWORKS["base-sepolia"].chainId, "USDC", 6, "paid", NETWORKS["base-sepolia"].usdc),
  token(84532, "WETH", 18, "ether", "0x4200000000000000000000000000000000000006", true),
];

/** ERC-7528: the address that represents the native coin in a token argument. */
const NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
const COINS: Readonly<Record<number, Kind>> = { 56: "bnb", 137: "others" };

const ceilings = new Map<number, Map<string, bigint>>();
for (const { chainId, address, ceiling } of KNOWN_TOKENS) {
  const coin = CEILINGS[COINS[chainId] ?? "ether"] * 10n ** 18n;
  const chain = ceilings.get(chainId) ?? new Map([[NATIVE, coin]]);
  ceilings.set(chainId, chain.set(address.toLowerCase(), ceiling));
}

/** The ceiling of the token with this lower-case address, or null when the token is unknown. */
export const ceilingOf = (chainId: number | null, address: string | null): bigint | null =>
  chainId === null || address === null ? null : (ceilings.get(chainId)?.get(address) ?? null);
