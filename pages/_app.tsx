import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "@/app/globals.css";
import type { AppProps } from "next/app";

/** Around the pages of this folder, which are documents without the framework's scripts. Why: docs/decisions.md, 198. */
export default function Documents({ Component, pageProps }: AppProps) {
  return <Component {...pageProps} />;
}
