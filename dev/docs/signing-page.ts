import { chromium } from "@playwright/test";
import { EXAMPLE_AGENT, EXAMPLE_INTENT } from "@/components/home/home";
import { registerAgent } from "../actors/agents";
import { openApi } from "../actors/api";
import { inOwnWorld } from "../local/own-world";

/** `npm run docs:signing-page`: takes the README's picture of the page on which an owner reads and signs a mandate. */
const FILE = "docs/pictures/signing-page.png";

await inOwnWorld("picture", { log: console.log }, async ({ baseUrl }) => {
  const agent = await registerAgent(openApi(baseUrl), EXAMPLE_AGENT);
  const { authorizationUrl } = await agent.tessera.mandates.create(EXAMPLE_INTENT);
  const browser = await chromium.launch({
    ...(process.env.CHROMIUM_PATH && { executablePath: process.env.CHROMIUM_PATH }),
    args: ["--no-sandbox", "--disable-gpu"],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme: "light" });
    await page.goto(authorizationUrl);
    for (const name of [/^Connect a wallet/, /^Tessera test wallet/, /^Sign$/, /^Link /])
      await page.getByRole("button", { name }).click();
    await page.getByRole("button", { name: /test USDC/ }).click();
    await page.getByText("test USDC arrived").waitFor();
    await page.mouse.move(0, 0);
    await page.screenshot({ path: FILE });
  } finally {
    await browser.close();
  }
});
