import { filled } from "@/components/texts/filled";
import type { Template } from "@/components/texts/template";
import { splitUrls } from "./urls";

/** Untrusted text with its URLs as links. After each URL, shows the host that it opens, which the text may try to disguise. */
export const LinkedText = ({ text, opens }: { text: string; opens: Template<"host"> }) =>
  splitUrls(text).map((part, index) =>
    part.href === undefined ? (
      part.text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the same text always has the same parts
      <span key={index}>
        <a
          href={part.href}
          target="_blank"
          rel="noopener noreferrer nofollow"
          className="underline underline-offset-4 [overflow-wrap:anywhere]"
        >
          <bdi>{part.text}</bdi>
        </a>
        <span className="text-tiny text-ink-2 select-none"> {filled(opens, { host: <bdi>{part.host}</bdi> })}</span>
      </span>
    ),
  );
