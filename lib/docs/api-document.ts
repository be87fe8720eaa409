import type { Schema } from "./schema-text";

/** The part of the OpenAPI document that the reference shows. */
export type ApiDocument = {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly securitySchemes: Readonly<Record<string, { readonly name?: string }>>;
  };
};

export type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: Schema;
};

type Media = { readonly schema?: Schema; readonly example?: unknown };
export type Content = Readonly<Record<string, Media>>;

export type Operation = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly description?: string; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
};

/** `method` is in lower case, as in the document. */
export type Listed = { readonly method: string; readonly path: string; readonly operation: Operation };

export const parametersOf = (document: ApiDocument, operation: Operation): readonly Parameter[] =>
  (operation.parameters ?? []).flatMap((parameter) => {
    if (!("$ref" in parameter)) return parameter;
    return document.components.parameters[parameter.$ref.split("/").at(-1) ?? ""] ?? [];
  });

/** The media type of a request or response; each has at most one. */
export const mediaOf = (content: Content | undefined): Media | undefined => Object.values(content ?? {})[0];
