import type { Metadata } from "next";
import { LonePage } from "@/components/site/lone-page";
import { PageWords } from "@/components/texts/context";
import { LanguageSwitch } from "@/components/texts/language-switch";
import { PlainHeader } from "@/components/ui/plain-header";
import { pageWords } from "../../../language";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await pageWords("receipt")).texts.missingTitle };
}

export default async function NotFound() {
  const { texts } = await pageWords("receipt");
  return (
    <PageWords page={await pageWords("page")} common={await pageWords("common")}>
      <LonePage>
        <PlainHeader title={texts.missingTitle} description={texts.missingText} />
        <LanguageSwitch />
      </LonePage>
    </PageWords>
  );
}
