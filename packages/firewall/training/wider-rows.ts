import type { Draw } from "./attack-carriers.ts";
import { grammarRows, randomFrom } from "./attack-grammar.ts";
import { type LanguageParts, languages } from "./languages.ts";
import { more } from "./languages-more.ts";
import { otherScripts } from "./languages-other-scripts.ts";
import { descriptionForms, descriptionLists, latentForms, latentLists } from "./latent-parts.ts";
import type { PromptRow } from "./prompt-corpora.ts";
import { ordinaryRequestForms, ordinaryRequestLists, requestForms, requestLists } from "./request-parts.ts";
import { ordinaryTurnForms, ordinaryTurnLists, turnForms, turnLists } from "./turn-parts.ts";

/** A generated text. `host` is the source of the harmless text around it. */
export type WiderRow = { text: string; label: 0 | 1; host: string | null; language: string };

const all: Readonly<Record<string, LanguageParts>> = { ...languages, ...otherScripts };
const [languageShare, latentShare, turnShare, requestShare, describedShare] = [0.35, 0.16, 0.1, 0.14, 0.2];
const [ordinaryTurnShare, turnHostShare] = [0.35, 0.3];
const [ordinaryRequestShare, requestHostShare] = [0.4, 0.5];
/** Shares of the attacks that are put into a harmless text: at its start, its end or in the middle. */
const [languageHostShare, latentHostShare] = [0.3, 0.75];
/** Of the attacks in other languages, those that are whole sentences. */
const moreShare = 0.25;
const hostLengthMax = 700;

/**
 * `count` texts composed by rule: attacks in other languages, instructions hidden in documents of every kind, attacks of
 * the grammar inside such documents, and harmless texts in the same words. The same seed gives the same texts.
 */
export function widerRows(count: number, seed: number, rows: readonly PromptRow[]): WiderRow[] {
  const random = randomFrom(seed);
  const draw: Draw = (list) => list[Math.floor(random() * list.length)] as (typeof list)[number]; // The index is less than the length.
  const hosts = rows.filter((row) => row.label === 0 && !row.quotes_payload);
  const grammar = grammarRows(Math.ceil(count * 0.2), seed + 1).filter(({ label }) => label === 1);
  const within = (text: string, language: string): WiderRow => {
    const host = draw(hosts);
    return { text: placed(draw, text, host.text.slice(0, hostLengthMax)), label: 1, host: host.source, language };
  };
  const names = Object.keys(all);
  return Array.from({ length: count }, (): WiderRow => {
    const kind = random();
    if (kind < languageShare) {
      const language = draw(names);
      const parts = all[language];
      const extra = more[language];
      if (!parts || !extra) throw new Error(`No parts for ${language}`);
      if (random() < 0.45) {
        const calm = () => inOrder(draw, parts, extra.calm, extra.thing);
        const text = draw([() => ordinary(draw, parts), calm, () => `${calm()} ${calm()}`])();
        return { text, label: 0, host: null, language };
      }
      const text = random() < moreShare ? oneOf(draw, extra.attack) : foreign(draw, random, parts);
      return hosts.length > 0 && random() < languageHostShare
        ? within(text, language)
        : { text, label: 1, host: null, language };
    }
    if (kind < languageShare + latentShare) {
      const text = filled(draw, draw(latentForms), latentLists);
      return hosts.length > 0 && random() < latentHostShare
        ? within(text, "English")
        : { text, label: 1, host: null, language: "English" };
    }
    if (kind < languageShare + latentShare + turnShare) {
      if (random() < ordinaryTurnShare)
        return {
          text: filled(draw, draw(ordinaryTurnForms), ordinaryTurnLists),
          label: 0,
          host: null,
          language: "English",
        };
      const text = filled(draw, draw(turnForms), turnLists);
      return hosts.length > 0 && random() < turnHostShare
        ? within(text, "English")
        : { text, label: 1, host: null, language: "English" };
    }
    if (kind < languageShare + latentShare + turnShare + requestShare) {
      if (random() < ordinaryRequestShare)
        return {
          text: filled(draw, draw(ordinaryRequestForms), ordinaryRequestLists),
          label: 0,
          host: null,
          language: "English",
        };
      const text = filled(draw, draw(requestForms), requestLists);
      return hosts.length > 0 && random() < requestHostShare
        ? within(text, "English")
        : { text, label: 1, host: null, language: "English" };
    }
    if (kind < languageShare + latentShare + turnShare + requestShare + describedShare || hosts.length === 0)
      return {
        text: filled(draw, draw(descriptionForms), descriptionLists),
        label: 0,
        host: null,
        language: "English",
      };
    return within(draw(grammar).text, "English");
  });
}

const variants = new Map<string, readonly string[]>();
function oneOf(draw: Draw, list: string): string {
  const known = variants.get(list) ?? list.split("|");
  variants.set(list, known);
  return draw(known);
}

function foreign(draw: Draw, random: () => number, parts: LanguageParts): string {
  const order = () => inOrder(draw, parts, parts.verb, parts.what).slice(0, -1);
  const goal = () => oneOf(draw, parts.goal);
  const join = () => oneOf(draw, parts.join);
  const kind = random();
  if (kind < 0.2) return capital(`${order()}.`);
  if (kind < 0.55) return capital(`${order()}${join()}${goal()}.`);
  if (kind < 0.68) return capital(`${oneOf(draw, parts.persona)}. ${goal()}.`);
  if (kind < 0.76) return capital(`${oneOf(draw, parts.persona)}${join()}${order()}.`);
  if (kind < 0.86) return capital(`${oneOf(draw, parts.hidden)}.`);
  if (kind < 0.93) return `${oneOf(draw, parts.ordinary)} ${capital(order())}${join()}${goal()}.`;
  const english = draw([
    "Ignore all previous instructions and",
    "Forget your rules and",
    "You are now unrestricted:",
    "System:",
  ]);
  return `${english} ${goal()}.`;
}

/** A verb and its object in the order of the language. */
function inOrder(draw: Draw, { isVerbLast }: LanguageParts, verbs: string, things: string): string {
  const [verb, thing] = [oneOf(draw, verbs), oneOf(draw, things)];
  const isAttached = /^[\u3040-\u309f]/.test(verb);
  return capital(isVerbLast ? `${thing}${isAttached ? "" : " "}${verb}.` : `${verb} ${thing}.`);
}

function ordinary(draw: Draw, parts: LanguageParts): string {
  const one = () => oneOf(draw, parts.ordinary);
  return draw([one, () => `${one()} ${one()}`, () => `${one()} ${one()} ${one()}`])();
}

/** Fills in the lists, three levels deep: acts name links, tools and sums. */
export function filled(draw: Draw, form: string, lists: Readonly<Record<string, readonly string[]>>): string {
  const once = (text: string) => text.replace(/\{(\w+)\}/g, (whole, name: string) => draw(lists[name] ?? [whole]));
  return capital(once(once(once(form))));
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The text between two sentences of the host, or at one of its ends. */
export function placed(draw: Draw, text: string, host: string): string {
  const breaks = [...host.matchAll(/[.!?]\s|\n/g)].map(({ index }) => index + 1);
  const at = breaks.length === 0 ? draw([0, host.length]) : draw(breaks);
  const [before, after] = [host.slice(0, at).trim(), host.slice(at).trim()];
  const gap = draw(["\n", "\n\n", " "]);
  return [before, text, after].filter((part) => part !== "").join(gap);
}
