import type { Metadata } from "next";
import { notFound, permanentRedirect } from "next/navigation";
import { Article } from "@/components/docs/article";
import { DOCS } from "@/lib/docs/links";
import { docsSite, renderedPage } from "@/lib/docs/service";
import { neighboursOf, pageAt } from "@/lib/docs/site";
import { system } from "@/lib/wiring";

type Props = { params: Promise<{ path?: string[] }> };

async function pageOf({ params }: Props) {
  const { path = [] } = await params;
  const requestedPath = [DOCS, ...path].join("/");
  const { config } = system();
  const site = docsSite(config);
  const page = pageAt(site, requestedPath);
  if (!page) notFound();
  if (page.path !== requestedPath) permanentRedirect(page.path);
  return { site, page, devnet: config.mode === "devnet" };
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { page } = await pageOf(props);
  const { title } = renderedPage(page);
  return {
    title: page.path === DOCS ? title : `${title} · Docs`,
    description: `${page.summary}.`,
    alternates: { types: { "text/markdown": `${page.path}.md` } },
  };
}

export default async function DocsPage(props: Props) {
  const { site, page, devnet } = await pageOf(props);
  return (
    <Article
      rendered={renderedPage(page)}
      eyebrow={page.group}
      markdownHref={`${page.path}.md`}
      calls={page.calls}
      devnet={devnet}
      isIndex={page.path === DOCS}
      {...neighboursOf(site, page)}
    />
  );
}
