import type { Metadata } from "next";
import { LonePage } from "@/components/site/lone-page";
import { Missing } from "@/components/site/missing";
import { pageWords } from "./language";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await pageWords("missing")).texts.title };
}

export default async function NotFound() {
  const { texts } = await pageWords("missing");
  return (
    <LonePage>
      <Missing texts={texts} />
    </LonePage>
  );
}
