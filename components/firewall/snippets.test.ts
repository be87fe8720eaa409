import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import type { ScanRequest } from "./drafts";
import { snippetsFor } from "./snippets";

const URL = "https://tessera.example/api/transaction-firewall/sentinel/api/prompt-scan";
const hostile = `it's "quoted" $(touch /tmp/x) \`id\` \\ JSON\nJSON\n\u202e\u200b\u{e0041}\u2028 ü !! \u0000`;
const request: ScanRequest = { scanner: "prompt", body: { text: hostile, source: "mail" } };
const codeOf = (asked: ScanRequest, value: string) =>
  snippetsFor(URL, "https://tessera.example", asked).find((snippet) => snippet.value === value)?.code ?? "";

describe("code to copy", () => {
  test.each(["curl", "typescript", "agent"])("as %s shows every character that it holds", (value) => {
    expect(codeOf(request, value)).toMatch(/^[\x20-\x7e\n]+$/);
  });

  test("has curl send exactly the request, though the text speaks to the shell", () => {
    const script = `curl() { cat; }\n${codeOf(request, "curl")}`;
    expect(JSON.parse(execFileSync("bash", ["-c", script], { encoding: "utf8" }))).toEqual(request.body);
  });

  test("has an agent send it twice, and pay in between what was asked for", () => {
    const stub = `curl() {
      case "$*" in
        *x402V3Payment*) echo '{"xPaymentB64":"proof"}'; printf '%s\\n' "$@" >&2;;
        *X-Payment:*) printf '%s\\n' "$@" >&2; cat;;
        *) cat >/dev/null; echo '{"accepts":[{"scheme":"exact","maxAmountRequired":"7","asset":"0xa"}]}';;
      esac
    }
    jq() { case "$*" in *accepts*) cat >/dev/null; echo offer;; *--arg*) cat;; *) cat >/dev/null; echo proof;; esac; }`;
    const script = `exec 2>&1; JWT=j MANDATE=m\n${stub}\n${codeOf(request, "agent")}`;
    const said = execFileSync("bash", ["-c", script], { encoding: "utf8" });
    const sent = said.slice(said.indexOf("\n{") + 1);
    expect(JSON.parse(sent)).toEqual(request.body);
    expect(said).toContain("X-Payment: proof");
  });

  test("has TypeScript send exactly the request, with a member named __proto__ too", async () => {
    const body: unknown = JSON.parse(`{"paymentRequired":{"__proto__":{"a":"\\u2028"},"b":["__proto__"]}}`);
    const code = codeOf({ scanner: "x402", body: body as Record<string, unknown> }, "typescript");
    const literal = /JSON\.stringify\(([\s\S]*?)\);\n\nconst scan/.exec(code)?.[1] ?? "";
    expect(new Function(`return JSON.stringify(${literal})`)()).toBe(JSON.stringify(body));
  });
});
