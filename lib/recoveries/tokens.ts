import { type Address, toAddress } from "@/lib/core/address";

export type KnownToken = { token: Address; symbol: string; decimals: number };

/** By chain id: tokens that people send by mistake. The owner can name any other. */
const KNOWN_TOKENS: Readonly<Record<number, readonly KnownToken[]>> = {
  8453: [
    { token: toAddress("0x4200000000000000000000000000000000000006"), symbol: "WETH", decimals: 18 },
    { token: toAddress("0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA"), symbol: "USDbC", decimals: 6 },
    { token: toAddress("0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2"), symbol: "USDT", decimals: 6 },
    { token: toAddress("0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb"), symbol: "DAI", decimals: 18 },
    { token: toAddress("0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42"), symbol: "EURC", decimals: 6 },
    { token: toAddress("0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf"), symbol: "cbBTC", decimals: 8 },
  ],
  84532: [
    { token: toAddress("0x4200000000000000000000000000000000000006"), symbol: "WETH", decimals: 18 },
    { token: toAddress("0x808456652fdb597867f38412077A9182bf77359F"), symbol: "EURC", decimals: 6 },
  ],
};

export const knownTokensOn = (chainId: number): readonly KnownToken[] => KNOWN_TOKENS[chainId] ?? [];
