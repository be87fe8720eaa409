import { makeLink, propose } from "./support/api";
import { HOST, requestApproval } from "./support/approval";
import { busyOwner } from "./support/dashboard";
import { become, expect, test } from "./support/test";

const HEIGHT_MIN = 44;

/** Elements that are pressed and lower than that. A link within a sentence is as high as its line (WCAG 2.5.8), and a label counts as part of its field. */
const lowOnes = (min: number) => {
  const shown = [
    ...document.querySelectorAll<HTMLElement>(
      "a[href], button, summary, select, textarea, input:not([type=hidden]), [role=tab], [role=switch], [role=radio]",
    ),
  ].filter(
    (element) =>
      element.checkVisibility({ visibilityProperty: true }) &&
      element.closest("[inert], [aria-hidden=true], nextjs-portal") === null &&
      element.textContent !== "Skip to content",
  );
  return shown.flatMap((element) => {
    const isInSentence = getComputedStyle(element).display === "inline" && element.tagName === "A";
    const label = element instanceof HTMLInputElement && element.type === "file" ? element.labels?.[0] : null;
    const box = (label ?? element.closest("label") ?? element).getBoundingClientRect();
    // Some are drawn smaller than they are.
    const computedStyleAfter = getComputedStyle(element, "::after");
    const grown =
      computedStyleAfter.position === "absolute"
        ? -Number.parseFloat(computedStyleAfter.top) - Number.parseFloat(computedStyleAfter.bottom)
        : 0;
    const height = box.height + Math.max(0, grown || 0);
    if (isInSentence || box.width === 0 || height >= min - 0.5) return [];
    const words = element.getAttribute("aria-label") ?? element.textContent ?? "";
    return [`${element.tagName} ${words.trim().slice(0, 40)}: ${Math.round(height)}`];
  });
};

test("every button and link on the main pages is large enough for a thumb", async ({ page }) => {
  test.skip(test.info().project.name !== "phone", "thumbs are on phones");
  test.slow();
  const { person, agent, mandateId } = await busyOwner();
  const link = await makeLink(agent);
  const approval = await requestApproval(agent, { resource: `https://${HOST}/touch` });
  const { authorizationUrl } = await propose(agent);
  const low: Record<string, string[]> = {};
  const measure = async (path: string) => {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
    const found = await page.evaluate(lowOnes, HEIGHT_MIN);
    if (found.length > 0) low[new URL(page.url()).pathname] = found;
  };
  for (const path of ["/", "/status", "/terms", "/sign-in", link.url]) await measure(path);
  await become(page, person);
  for (const path of [
    ...["/dashboard", "/dashboard/approvals", "/dashboard/wallet", "/dashboard/payments", "/dashboard/payouts"],
    ...["/dashboard/agents", "/dashboard/mandates", "/dashboard/links", "/dashboard/settings", "/dashboard/webhooks"],
    ...[approval.approvalUrl, authorizationUrl, `/mandates/${mandateId}`],
  ])
    await measure(path);
  expect(low).toEqual({});
});
