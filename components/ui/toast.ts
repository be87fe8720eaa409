import type { ExternalToast } from "sonner";
import { shared } from "./shared";

/** A toast message. */
export type News = { kind: "success" | "error"; text: string; options: ExternalToast | undefined };

export const waitingNews = shared<readonly News[]>([]);

const say = (kind: News["kind"]) => (text: string, options?: ExternalToast) =>
  waitingNews.set([...waitingNews.get(), { kind, text, options }]);

/** Shows a toast. Only for messages that may be missed. */
export const toast = { success: say("success"), error: say("error") };

export const forget = (displayedNews: readonly News[]): void =>
  waitingNews.set(waitingNews.get().filter((news) => !displayedNews.includes(news)));
