import type { Metadata } from "next";
import { Remembered } from "@/components/checkout/remembered";
import { PlainHeader } from "@/components/ui/plain-header";
import { pageWords } from "../../../language";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await pageWords("offer")).texts.missingTitle };
}

export default async function NotFound() {
  const { texts } = await pageWords("offer");
  return (
    <div className="mx-auto grid max-w-130 gap-6">
      <PlainHeader title={texts.missingHeading} description={texts.missingText} />
      <Remembered texts={texts.remembered} />
    </div>
  );
}
