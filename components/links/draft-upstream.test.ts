import { describe, expect, test } from "vitest";
import { toUsdc } from "@/lib/core/usdc";
import { draftOf, readChange, readDraft } from "./draft";
import type { LinkDraft, LinkStart } from "./draft-types";
import { withDocument } from "./draft-upstream";
import { readKept, writeKept } from "./kept-draft";

const plain: LinkDraft = { ...draftOf("agent"), amount: "0.01" };
const selling: LinkDraft = { ...plain, isApi: true, upstreamUrl: " https://api.example.com/v1 " };
const upstreamOf = (draft: LinkDraft) => {
  const reading = readDraft(draft);
  return reading.type === "valid" ? reading.body.upstream : reading.faults;
};

describe("the form of a link that sells an API", () => {
  test("requests what was typed, and nothing of it when it sells something else", () => {
    expect(upstreamOf({ ...selling, isApi: false, upstreamPaths: "nonsense" })).toBeUndefined();
    const typed = {
      upstreamHeaders: "Authorization: Bearer a:b\n\n X-Key : 1 ",
      upstreamPaths: "/quotes/{symbol}\n/report = 0.50\n",
      upstreamMethods: "get, put get",
      upstreamSeconds: "5",
      passAmount: "5",
      passCalls: "1000",
    };
    expect(upstreamOf({ ...selling, ...typed })).toEqual({
      url: "https://api.example.com/v1",
      headers: { Authorization: "Bearer a:b", "X-Key": "1" },
      paths: [
        { path: "/quotes/{symbol}", amount: null },
        { path: "/report", amount: "500000" },
      ],
      methods: ["GET", "PUT"],
      secondsMax: 5,
      answerBytesMax: 1_048_576,
      pass: { calls: 1_000, hours: null, isByUse: false, amount: "5000000", isRefundable: false },
    });
  });

  test.each<[Partial<LinkDraft>, keyof LinkDraft]>([
    [{ upstreamUrl: "" }, "upstreamUrl"],
    [{ upstreamUrl: "api.example.com" }, "upstreamUrl"],
    [{ upstreamHeaders: "Authorization" }, "upstreamHeaders"],
    [{ upstreamHeaders: "Bad name: x" }, "upstreamHeaders"],
    [{ upstreamPaths: "quotes" }, "upstreamPaths"],
    [{ upstreamPaths: "/a = 0,5" }, "upstreamPaths"],
    [{ upstreamPaths: Array.from({ length: 51 }, (_, index) => `/${index}`).join("\n") }, "upstreamPaths"],
    [{ upstreamMethods: "GET HEAD" }, "upstreamMethods"],
    [{ upstreamMethods: " " }, "upstreamMethods"],
    [{ upstreamSeconds: "121" }, "upstreamSeconds"],
    [{ upstreamSeconds: "" }, "upstreamSeconds"],
    [{ passAmount: "5" }, "passCalls"],
  ])("shows an error at the input of %j", (part, field) => {
    expect(Object.keys(upstreamOf({ ...selling, ...part }) ?? {})).toEqual([field]);
  });

  test("keeps what it does not show when it is edited", () => {
    const start: LinkStart = {
      amount: toUsdc(10_000n),
      network: "base",
      description: "",
      resourceContent: null,
      redirectUrl: null,
      expiresAt: null,
      maxUses: null,
      isListed: false,
      upstream: {
        kind: "http",
        url: "https://api.example.com",
        methods: ["GET"],
        paths: [{ path: "/report", amount: "500000" }],
        secondsMax: 9,
        answerBytesMax: 77,
        headerNames: ["authorization"],
        pass: { calls: 100, hours: null, isByUse: false, amount: "500000", isRefundable: true },
      },
    };
    const before = draftOf("agent", start);
    expect(before).toMatchObject({ upstreamPaths: "/report = 0.50", upstreamHeaders: "" });
    expect(readChange(before, before).type).toBe("invalid");
    expect(readChange(before, { ...before, upstreamSeconds: "8" })).toEqual({
      type: "valid",
      change: {
        upstream: {
          url: "https://api.example.com",
          methods: ["GET"],
          paths: [{ path: "/report", amount: "500000" }],
          secondsMax: 8,
          answerBytesMax: 77,
          pass: { calls: 100, hours: null, isByUse: false, amount: "500000", isRefundable: true },
        },
      },
    });
  });

  test("sends nothing of what was typed before for another kind of link", () => {
    const content = {
      resourceContent: "a report",
      fileId: "fil_1",
      maxQuantity: "3",
      isRepeatable: true,
    };
    const questions = {
      fields: [{ label: "E-mail", isRequired: true }],
      minAmount: "nonsense",
      fileFault: "Too large.",
    };
    const reading = readDraft({ ...selling, ...content, ...questions, redirectUrl: "https://shop.example/" });
    expect(reading).toEqual(readDraft(selling));
    expect(reading.type).toBe("valid");
  });

  test("takes the paths of an OpenAPI document over, and keeps what is typed", () => {
    const document = {
      title: "Quotes",
      methods: ["GET" as const],
      paths: [
        { path: "/quotes/{id}", amount: "20000" },
        { path: "/report", amount: null },
      ],
    };
    expect(withDocument(selling, document)).toEqual({
      title: "Quotes",
      upstreamMethods: "GET",
      upstreamPaths: "/quotes/{id} = 0.02\n/report",
    });
    const typed = { ...selling, title: "Mine", upstreamPaths: "/Quotes/{symbol} = 5\n" };
    expect(withDocument(typed, document)).toEqual({
      upstreamMethods: "GET",
      upstreamPaths: "/Quotes/{symbol} = 5\n/report",
    });
    const paths = Array.from({ length: 50 }, (_, index) => ({ path: `/${index}`, amount: null }));
    expect(withDocument(typed, { ...document, paths }).upstreamPaths?.split("\n")).toHaveLength(50);
  });

  test("is kept in the browser without the headers", () => {
    const kept = writeKept({ ...selling, upstreamHeaders: "Authorization: Bearer secret" });
    expect(kept).not.toContain("secret");
    expect(readKept(kept)).toMatchObject({ hadContent: true, part: { upstreamUrl: selling.upstreamUrl } });
  });
});

describe("the form of a link that sells the tools of an MCP server", () => {
  const tools: LinkDraft = { ...selling, upstreamKind: "mcp", upstreamUrl: "https://example.com/mcp" };

  test("requests the tools that were typed, and no methods", () => {
    expect(upstreamOf({ ...tools, upstreamPaths: "forecast = 0.02\nhistory\n" })).toEqual({
      kind: "mcp",
      url: "https://example.com/mcp",
      tools: [
        { name: "forecast", amount: "20000" },
        { name: "history", amount: null },
      ],
      secondsMax: 20,
      answerBytesMax: 1_048_576,
      pass: null,
    });
  });

  test.each(["/forecast", "fore cast", "forecast: 0.02", "forecast = 0,5"])("shows an error at %j", (upstreamPaths) => {
    expect(Object.keys(upstreamOf({ ...tools, upstreamPaths }) ?? {})).toEqual(["upstreamPaths"]);
  });

  test("takes the names of the server's tools over, and keeps what is typed", () => {
    const paths = ["/forecast", "/history"].map((path) => ({ path, amount: null }));
    const typed = { ...tools, upstreamPaths: "Forecast = 0.02" };
    expect(withDocument(typed, { title: "", methods: ["POST"], paths })).toMatchObject({
      upstreamPaths: "Forecast = 0.02\nhistory",
    });
    expect(withDocument(typed, { title: "", methods: ["POST"], paths })).not.toHaveProperty("upstreamMethods");
  });
});
