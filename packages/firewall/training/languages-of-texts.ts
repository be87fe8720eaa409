import type { PromptRow } from "./prompt-corpora.ts";

const scripts: readonly (readonly [language: string, letter: RegExp])[] = [
  ["Japanese", /[\u3040-\u30ff]/g],
  ["Korean", /[\uac00-\ud7af]/g],
  ["Chinese", /[\u4e00-\u9fff]/g],
  ["Russian", /[\u0400-\u04ff]/g],
  ["Arabic", /[\u0600-\u06ff]/g],
  ["Hindi", /[\u0900-\u097f]/g],
  ["other", /[\u0370-\u03ff\u0590-\u05ff\u0980-\u1fff]/g],
];

/** Words that hardly occur in the other languages of the list. */
const words: readonly (readonly [language: string, word: RegExp])[] = [
  ["German", /\b(?:und|nicht|ich|der|das|ist|sie|ein|eine|mit|für|auf|zu|wie|vergiss|alle|dass)\b/giu],
  ["Spanish", /\b(?:el|los|las|que|una|por|para|con|del|todo|todos|tienes|eres|olvida|ignora|instrucciones|qué)\b/giu],
  ["Portuguese", /\b(?:não|você|uma|para|com|suas|seu|isso|são|instruções|todas|esqueça|que|aqui|eu)\b/giu],
  ["French", /\b(?:les|des|vous|est|une|pour|dans|et|du|que|votre|toutes|ignorez|je|pas)\b/giu],
  ["Italian", /\b(?:che|di|il|per|una|sono|non|tutte|istruzioni|ignora|della|tuo)\b/giu],
  ["Turkish", /\b(?:ve|bir|bu|için|tüm|önceki|talimatları|lütfen|bana|değil)\b/giu],
  ["Hinglish", /\b(?:hai|karo|ko|kya|mujhe|aur|nahi|ke|ka|ki|tum|aap|batao|kaise|mein|main|bhai|yeh|sab)\b/giu],
];

/** The share of words, or of characters outside Latin scripts, from which a text is in a language. */
const [wordShareMin, wordsMin, letterShareMin] = [0.18, 2, 0.12];

/** A rough guess, for reports only. */
export function languageOf({ text, lang }: Pick<PromptRow, "text"> & { lang?: string | undefined }): string {
  if (lang === "hinglish") return "Hinglish";
  const head = text.slice(0, 2000);
  for (const [language, letter] of scripts)
    if ((head.match(letter)?.length ?? 0) > head.length * letterShareMin) return language;
  const count = head.match(/\S+/g)?.length ?? 0;
  let best = { language: "English", hits: 0 };
  for (const [language, word] of words) {
    const hits = head.match(word)?.length ?? 0;
    if (hits > best.hits) best = { language, hits };
  }
  return best.hits >= wordsMin && best.hits >= count * wordShareMin ? best.language : "English";
}
