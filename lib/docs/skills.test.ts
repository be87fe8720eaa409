import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { TOOLS } from "@/lib/mcp/handle";
import { serverJson } from "./server-json";
import { SKILLS, skillAt } from "./skills";

const BASE = "https://wallet.example";
const jsonAt = async (folder: "agent-skills" | "skills") => (await skillAt(folder, ["index.json"], BASE)).json();

test("docs/skills has exactly the published skills", () => {
  expect(readdirSync("docs/skills").sort()).toEqual([...SKILLS].sort());
});

describe.each(SKILLS)("the skill %s", (name) => {
  const read = () => skillAt("agent-skills", [name, "SKILL.md"], BASE).text();

  test("has the front matter of agentskills.io, and no other service's address", async () => {
    const text = await read();
    const [, frontMatter = ""] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
    const [nameLine, descriptionLine = "", ...rest] = frontMatter.split("\n");
    expect([nameLine, rest]).toEqual([`name: ${name}`, []]);
    expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    const description = descriptionLine.replace("description: ", "");
    expect(description.length).toBeGreaterThan(0);
    expect(description.length).toBeLessThanOrEqual(1024);
    // A colon and a space would end the value in YAML.
    expect(description).not.toMatch(/: | #|^["'[{&*!|>%@`]/);
    expect(text).toContain(BASE);
    expect(text).not.toContain("tessera.example");
  });

  test("names only tools that exist", async () => {
    const names = [...(await read()).matchAll(/`([a-z0-9]+(?:_[a-z0-9]+)+)`/g)].map(([, tool]) => tool);
    const others = ["approval_required", "not_paid", "mandate_id", "payment_required"];
    const known = [...TOOLS.map((tool) => tool.name), ...others];
    expect(names.filter((tool) => tool !== undefined && !known.includes(tool))).toEqual([]);
  });

  test("is in both indexes, with the digest of what is served", async () => {
    const digest = `sha256:${createHash("sha256")
      .update(await read())
      .digest("hex")}`;
    const index = await jsonAt("agent-skills");
    expect(index.$schema).toBe("https://schemas.agentskills.io/discovery/0.2.0/schema.json");
    const url = `/.well-known/agent-skills/${name}/SKILL.md`;
    expect(index.skills).toContainEqual({ name, type: "skill-md", url, digest, description: expect.any(String) });
    const older = await jsonAt("skills");
    expect(older.skills).toContainEqual({ name, files: ["SKILL.md"], description: expect.any(String) });
    expect(await skillAt("skills", [name, "SKILL.md"], BASE).text()).toBe(await read());
  });
});

test.each([[[]], [["tessera-pay"]], [["..", "mcp.md"]], [["tessera-pay", "..", "SKILL.md"]]])(
  "nothing else is served: %j",
  (path) => {
    expect(skillAt("skills", path, BASE).status).toBe(404);
  },
);

test("server.json keeps the registry's limits, and names both endpoints", () => {
  const { name, description, remotes } = serverJson("https://wallet.shop.example");
  expect(name).toBe("example.shop.wallet/tessera");
  expect(name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  expect(description.length).toBeLessThanOrEqual(100);
  expect(remotes.map(({ url }) => url)).toEqual([
    "https://wallet.shop.example/mcp/oauth",
    "https://wallet.shop.example/mcp",
  ]);
});
