import type { GetServerSideProps, InferGetServerSidePropsType, PageConfig } from "next";
import Head from "next/head";
import { Home, HomeBar } from "@/components/home/home";
import { Footer } from "@/components/site/footer";
import { SITE } from "@/components/site/site-facts";
import { SkipLink } from "@/components/site/skip-link";
import { system } from "@/lib/wiring";

/** Visitors come here first, often on a phone: the page is a document, and the framework stays at home. */
export const config = { unstable_runtimeJS: false, runtime: "nodejs" } satisfies PageConfig;

type Shown = { baseUrl: string; isDevnet: boolean; now: string };

export const getServerSideProps = (async () => {
  const { baseUrl, mode } = system().config;
  return { props: { baseUrl, isDevnet: mode === "devnet", now: new Date().toISOString() } };
}) satisfies GetServerSideProps<Shown>;

export default function HomePage({ baseUrl, isDevnet, now }: InferGetServerSidePropsType<typeof getServerSideProps>) {
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
      <HomeBar isDevnet={isDevnet} />
      <Home baseUrl={baseUrl} isDevnet={isDevnet} now={new Date(now)} />
      <Footer />
    </>
  );
}
