import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import http from "highlight.js/lib/languages/http";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import typescript from "highlight.js/lib/languages/typescript";

for (const [name, language] of Object.entries({ bash, http, json, python, typescript })) {
  hljs.registerLanguage(name, language);
}
hljs.registerAliases(["ts", "js"], { languageName: "typescript" });
hljs.registerAliases(["sh", "shell"], { languageName: "bash" });
hljs.registerAliases(["py"], { languageName: "python" });

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);

/** A code block as HTML: escaped, with highlight.js spans if the language is known. */
export const highlight = (code: string, language: string): string =>
  hljs.getLanguage(language) ? hljs.highlight(code, { language }).value : escapeHtml(code);
