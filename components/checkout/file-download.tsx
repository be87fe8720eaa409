import { Download } from "lucide-react";
import type { BoughtTexts } from "@/components/texts/en/payment";
import { filled } from "@/components/texts/filled";
import type { Words } from "@/components/texts/template";
import { buttonClass } from "@/components/ui/button";
import { bytesText } from "@/components/ui/format-bytes";

/** A purchased file. `url` is signed by the service and valid for an hour. */
export type BoughtFile = { name: string; bytes: number; url: string };

export type FileDownloadProps = { file: BoughtFile; texts: Words<BoughtTexts> };

export const FileDownload = ({ file, texts: { language, texts } }: FileDownloadProps) => (
  <div className="grid gap-1.5" data-print="no">
    <a href={file.url} download className={buttonClass({ variant: "primary" })}>
      <Download aria-hidden />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {filled(texts.download, { file: <bdi>{file.name}</bdi>, size: bytesText(file.bytes, language) })}
      </span>
    </a>
    <p className="text-small text-ink-2">{texts.fileNote}</p>
  </div>
);
