import { type Language, LOCALES } from "@/lib/core/language";

declare const HOLES: unique symbol;

/**
 * A text with placeholders such as `{sum}`; `Hole` is the union of their names. Not assignable to string, so it cannot be rendered
 * unfilled.
 */
export type Template<Hole extends string> = { readonly [HOLES]: Hole };

type HolesIn<Text extends string> = Text extends `${string}{${infer Hole}}${infer Rest}` ? Hole | HolesIn<Rest> : never;

/** Texts as written in a catalogue; groups may be nested. */
type Source = { readonly [key: string]: string | Source };

/** Texts as a page uses them. Serialisable, so a server component can pass them to the browser. */
export type Catalogue<Texts> = {
  readonly [Key in keyof Texts]: Texts[Key] extends string
    ? [HolesIn<Texts[Key]>] extends [never]
      ? string
      : Template<HolesIn<Texts[Key]>>
    : Catalogue<Texts[Key]>;
};

/** Texts and their language, which also decides on the form of numbers and dates. */
export type Words<Texts> = { language: Language; texts: Texts };

/** Declares the English texts. Placeholder names are inferred from the literals. */
export const english = <const Texts extends Source>(texts: Texts): Catalogue<Texts> =>
  texts as unknown as Catalogue<Texts>;

/** Declares a translation of `Of`. Does not compile unless it has the same keys with the same placeholders. */
export const translation =
  <Of>() =>
  <const Texts extends Matching<Of, Texts>>(texts: Texts): Of =>
    texts as unknown as Of;

type Matching<Of, Texts> = {
  readonly [Key in keyof Of]: Key extends keyof Texts ? Matched<Of[Key], Texts[Key]> : string | object;
} & { readonly [Key in Exclude<keyof Texts, keyof Of>]: never };

type Matched<Of, Text> = Of extends string
  ? Text extends string
    ? [HolesIn<Text>] extends [never]
      ? Text
      : "has no placeholders in English"
    : string
  : Of extends Template<infer Hole>
    ? Text extends string
      ? [Hole, HolesIn<Text>] extends [HolesIn<Text>, Hole]
        ? Text
        : `has the placeholders {${Hole}}`
      : string
    : Matching<Of, Text>;

type Value = string | number;

const HOLE = /\{(\w+)\}/;
const EACH_HOLE = new RegExp(HOLE, "g");

/** The text with its placeholders replaced. Braces in values stay as they are. */
export const fill = <Hole extends string>(
  template: Template<Hole>,
  values: Readonly<Record<NoInfer<Hole>, Value>>,
): string => textOf(template).replace(EACH_HOLE, (_, hole: Hole) => String(values[hole]));

/** Splits a text into alternating text and placeholder names: "You paid {sum} now" → "You paid ", "sum", " now". */
export const partsOf = (template: Template<string>): string[] => textOf(template).split(HOLE);

/** The plural forms of a text. English and German have these two. */
export type Plural<Hole extends string> = { readonly one: Template<Hole>; readonly other: Template<Hole> };

/** Fills the form for `count`. `{count}` is the formatted count. */
export function fillCount<Hole extends string>(
  language: Language,
  forms: Plural<Hole>,
  count: number,
  values: Readonly<Record<Exclude<NoInfer<Hole>, "count">, Value>>,
): string {
  const form = new Intl.PluralRules(LOCALES[language]).select(count) === "one" ? forms.one : forms.other;
  const formatted = new Intl.NumberFormat(LOCALES[language]).format(count);
  // `values` has every placeholder but the count.
  return fill(form, { ...values, count: formatted } as Record<Hole, Value>);
}

/** A template is a string at run time. */
const textOf = (template: Template<string>): string => template as unknown as string;
