import { chromium } from "@playwright/test";
import { registerAgent } from "../actors/agents";
import { openApi } from "../actors/api";
import { inOwnWorld } from "../local/own-world";

/** `npm run docs:signing-page`: a picture of the page on which an owner reads and signs a mandate, for the README. */
const FILE = "docs/pictures/signing-page.png";

await inOwnWorld("picture", { log: console.log }, async ({ baseUrl }) => {
  const agent = await registerAgent(openApi(baseUrl), "Research agent");
  const { authorizationUrl } = await agent.tessera.mandates.create({
    naturalLanguage: "Buy weather and market data for the weekly report, about one request an hour",
    limitAmount: "10000000",
    maxAmountPerPayment: "500000",
    validForSeconds: 7 * 86_400,
    hostAllowlist: ["data.example.com", "weather.example.com"],
  });
  const browser = await chromium.launch({
    ...(process.env.CHROMIUM_PATH && { executablePath: process.env.CHROMIUM_PATH }),
    args: ["--no-sandbox", "--disable-gpu"],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1120, height: 900 }, colorScheme: "light" });
    await page.goto(authorizationUrl);
    await page.getByText("The most you can lose").waitFor();
    await page.screenshot({ path: FILE });
  } finally {
    await browser.close();
  }
});
