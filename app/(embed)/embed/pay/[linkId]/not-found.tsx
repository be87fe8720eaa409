import type { Metadata } from "next";
import { PlainHeader } from "@/components/ui/plain-header";
import { pageWords } from "../../../../language";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await pageWords("offer")).texts.missingTitle };
}

export default async function NotFound() {
  const { texts } = await pageWords("offer");
  return <PlainHeader title={texts.missingHeading} description={texts.missingText} />;
}
