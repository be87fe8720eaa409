import type { ExternalToast } from "sonner";

/** News for the Toaster of the layout. */
export type News = { kind: "success" | "error"; text: string; options: ExternalToast | undefined };

let waiting: readonly News[] = [];
let changed = () => {};

function put(next: readonly News[]): void {
  waiting = next;
  changed();
}

const say = (kind: News["kind"]) => (text: string, options?: ExternalToast) =>
  put([...waiting, { kind, text, options }]);

/** Shows news that may be missed. */
export const toast = { success: say("success"), error: say("error") };

export const waitingNews = (): readonly News[] => waiting;

export const forget = (shown: readonly News[]): void => put(waiting.filter((news) => !shown.includes(news)));

/** For the one Toaster. */
export function onNews(then: () => void): () => void {
  changed = then;
  return () => {
    changed = () => {};
  };
}
