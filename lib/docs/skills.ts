import { hash } from "node:crypto";
import { readDocs } from "./read";
import { jsonResponse, markdownResponse, noSuchPage } from "./responses";

/** The folders of docs/skills/, each with a SKILL.md (agentskills.io/specification). */
export const SKILLS = ["tessera-pay", "tessera-sell"] as const;

const FILE = "SKILL.md";
const skillText = (name: string, baseUrl: string): string => readDocs(`skills/${name}/${FILE}`, baseUrl);

const descriptionIn = (text: string): string => /^description: (.+)$/m.exec(text)?.[1] ?? "";

/** The two published versions of Agent Skills Discovery: below `agent-skills/` and, as many clients still read it, `skills/`. */
const INDEXES = {
  "agent-skills": (baseUrl: string) => ({
    $schema: "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
    skills: SKILLS.map((name) => {
      const text = skillText(name, baseUrl);
      return {
        name,
        type: "skill-md",
        description: descriptionIn(text),
        url: `/.well-known/agent-skills/${name}/${FILE}`,
        digest: `sha256:${hash("sha256", text, "hex")}`,
      };
    }),
  }),
  skills: (baseUrl: string) => ({
    skills: SKILLS.map((name) => ({ name, description: descriptionIn(skillText(name, baseUrl)), files: [FILE] })),
  }),
} as const;

/** A file below /.well-known/agent-skills/ or /.well-known/skills/. */
export function skillAt(folder: keyof typeof INDEXES, path: readonly string[], baseUrl: string): Response {
  const file = path.join("/");
  if (file === "index.json") return jsonResponse(INDEXES[folder](baseUrl));
  const name = SKILLS.find((skill) => file === `${skill}/${FILE}`);
  return name ? markdownResponse(skillText(name, baseUrl)) : noSuchPage();
}
