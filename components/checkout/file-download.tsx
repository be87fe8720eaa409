import { Download } from "lucide-react";
import { buttonClass } from "@/components/ui/button";
import { bytesText } from "@/components/ui/format-bytes";

/** A purchased file. `url` is signed by the service and valid for an hour. */
export type BoughtFile = { name: string; bytes: number; url: string };

export const FileDownload = ({ file }: { file: BoughtFile }) => (
  <div className="grid gap-1.5" data-print="no">
    <a href={file.url} download className={buttonClass({ variant: "primary" })}>
      <Download aria-hidden />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        Download <bdi>{file.name}</bdi> ({bytesText(file.bytes)})
      </span>
    </a>
    <p className="text-small text-ink-2">
      A file of the seller, which nobody has checked. This button works for an hour; open your purchase again after
      that.
    </p>
  </div>
);
