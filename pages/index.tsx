import type { GetServerSideProps, InferGetServerSidePropsType, PageConfig } from "next";
import Head from "next/head";
import { Home, HomeBar, type HomeProps } from "@/components/home/home";
import { Footer } from "@/components/site/footer";
import { SITE } from "@/components/site/site-facts";
import { SkipLink } from "@/components/site/skip-link";
import { scanPriceText } from "@/lib/docs/costs";
import { system } from "@/lib/wiring";

/** Visitors come here first, often on a phone: the page is a document, and the framework stays at home. */
export const config = { unstable_runtimeJS: false, runtime: "nodejs" } satisfies PageConfig;

type Shown = Pick<HomeProps, "baseUrl" | "isDevnet" | "scanPrice"> & { now: string };

export const getServerSideProps = (async () => {
  const { baseUrl, mode, firewallPrices } = system().config;
  const scanPrice = scanPriceText(firewallPrices);
  return { props: { baseUrl, isDevnet: mode === "devnet", scanPrice, now: new Date().toISOString() } };
}) satisfies GetServerSideProps<Shown>;

export default function HomePage({ now, ...shown }: InferGetServerSidePropsType<typeof getServerSideProps>) {
  const title = `${SITE.name}: a wallet for your agents, with limits that you sign`;
  return (
    <>
      <Head>
        <title>{title}</title>
        <meta name="description" content={SITE.description} />
        <meta name="application-name" content={SITE.name} />
        <meta name="referrer" content="strict-origin-when-cross-origin" />
        <meta name="format-detection" content="telephone=no, address=no, email=no" />
        <link rel="icon" href={SITE.icon.url} type={SITE.icon.type} />
        {SITE.themeColors.map(({ media, color }) => (
          <meta key={media} name="theme-color" media={media} content={color} />
        ))}
      </Head>
      <SkipLink />
      <HomeBar isDevnet={shown.isDevnet} />
      <Home {...shown} now={new Date(now)} />
      <Footer />
    </>
  );
}
