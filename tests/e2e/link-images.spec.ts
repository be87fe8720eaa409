import type { Locator, Page } from "@playwright/test";
import { exifOf, exifSegment, PNG_SIGNATURE, pngHeader, pngOf } from "../support/images";
import { type Agent, BASE_URL, makeLink, newPerson, type Person } from "./support/api";
import { connect, PAY, visitor } from "./support/checkout";
import { linked, rows, seller } from "./support/links";
import { answerWallet, become, expect, expectAccessible, expectFits, test } from "./support/test";

/** A picture of this browser's own encoder. `isNoisy`: hard to compress. */
async function drawn(page: Page, type: string, width: number, height: number, isNoisy = false): Promise<Buffer> {
  const base64 = await page.evaluate(
    async ([type, width, height, isNoisy]) => {
      const canvas = document.createElement("canvas");
      Object.assign(canvas, { width, height });
      const context = canvas.getContext("2d") as CanvasRenderingContext2D;
      const fill = context.createLinearGradient(0, 0, width, height);
      for (const [index, colour] of ["#0d6b63", "#e0b24c", "#b0413e"].entries()) fill.addColorStop(index / 2, colour);
      context.fillStyle = fill;
      context.fillRect(0, 0, width, height);
      if (isNoisy) {
        const noise = context.getImageData(0, 0, width, height);
        for (let index = 0; index < noise.data.length; index++)
          noise.data[index] = index % 4 === 3 ? 255 : Math.random() * 255;
        context.putImageData(noise, 0, 0);
      }
      const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, 0.92));
      const bytes = new Uint8Array((await blob?.arrayBuffer()) ?? new ArrayBuffer(0));
      let text = "";
      for (const byte of bytes) text += String.fromCharCode(byte);
      return btoa(text);
    },
    [type, width, height, isNoisy] as const,
  );
  return Buffer.from(base64, "base64");
}

/** Behind the JPEG's start: the metadata of a camera that was held on its side. */
const turned = (jpeg: Buffer): Buffer => Buffer.concat([jpeg.subarray(0, 2), exifSegment(exifOf(6)), jpeg.subarray(2)]);

const file = (buffer: Buffer, name = "mug.png", mimeType = "image/png") => ({ name, mimeType, buffer });
const input = (form: Locator) => form.getByLabel("Image", { exact: true });
const imageIn = (of: Page | Locator, name: string) => of.getByRole("img", { name, exact: true });
/** In pixels, once it has arrived. Zero if it cannot be drawn. */
const sizeOf = (image: Locator) =>
  image.evaluate(async (element) => {
    const drawn = element as HTMLImageElement;
    await drawn.decode().catch(() => {});
    return [drawn.naturalWidth, drawn.naturalHeight];
  });

async function uploaded(person: Person, agent: Agent, bytes: Buffer): Promise<string> {
  const response = await fetch(new URL(`/api/agents/${agent.agentId}/link-images`, BASE_URL), {
    method: "POST",
    headers: { Origin: new URL(BASE_URL).origin, Cookie: person.cookie, "Content-Type": "application/octet-stream" },
    body: new Uint8Array(bytes),
  });
  const { image } = (await response.json()) as { image: { imageId: string } };
  return image.imageId;
}

async function inBothSchemes(page: Page, name: string): Promise<void> {
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
    await expectFits(page);
    await page.screenshot({
      path: `test-results/${name}-${colorScheme}-${test.info().project.name}.png`,
      fullPage: true,
    });
  }
}

test("a seller gives a link an image, replaces it by dropping another one, and removes it (axe)", async ({ page }) => {
  test.slow();
  await seller(page, "Mug seller");
  await page.goto("/dashboard/links/new");
  const mug = await drawn(page, "image/png", 300, 200);
  const form = page.getByRole("form", { name: "New payment link" });

  await test.step("a file that is no image is refused with a reason", async () => {
    const refusal: [Buffer, string][] = [
      [Buffer.from("<script>alert(1)</script>"), "Choose a PNG, JPEG or WebP. This file has another format"],
      [
        Buffer.concat([PNG_SIGNATURE, pngHeader(99, 99), Buffer.from("<script>")]),
        "The file is damaged or incomplete.",
      ],
      [pngOf(63), "The image is too small. Each side needs at least 64 pixels."],
      [Buffer.concat([PNG_SIGNATURE, pngHeader(50_000, 50_000)]), "The image is too large. Each side can have at most"],
      [Buffer.alloc(1_048_577), "Choose an image of at most 1 MB."],
      // A kind of colours that does not exist, which only what draws the pixels reads.
      [Buffer.from(pngOf(99)).fill(7, 25, 26), "The file is damaged or incomplete."],
    ];
    for (const [bytes, words] of refusal) {
      await input(form).setInputFiles(file(bytes));
      await expect(form.getByRole("alert")).toContainText(words);
    }
    await expectAccessible(page);
    await expectFits(page);
    await page.screenshot({ path: `test-results/image-refused-${test.info().project.name}.png`, fullPage: true });
    await form.getByRole("button", { name: "Continue without an image" }).click();
    await expect(form.getByRole("alert")).toHaveCount(0);
  });

  await test.step("an image is shown as buyers see it", async () => {
    // Playwright waits for the browser's file dialog, which takes longer than pressing a key.
    const opened = page.waitForEvent("filechooser");
    await form.getByLabel("Title").fill("A mug");
    await form.getByLabel("Price").fill("1.25");
    const choose = form.getByRole("button", { name: "Choose an image" });
    await choose.focus();
    await page.keyboard.press("Enter");
    await (await opened).setFiles(file(mug));
    await expect(form.getByRole("status").filter({ hasText: "The image is uploaded." })).toBeVisible();
    expect(await sizeOf(imageIn(form, "The image that buyers see"))).toEqual([300, 200]);
    await expect(imageIn(page.getByRole("region", { name: "Preview of the checkout" }), "A mug")).toBeVisible();
    await inBothSchemes(page, "image-form");
    await form.getByRole("button", { name: "Create link" }).click();
    await expect(page.getByRole("heading", { name: "Your link is ready" })).toBeFocused();
  });

  await test.step("the list and the link's page show the image", async () => {
    await page.goto("/dashboard/links");
    const thumbnail = rows(page).locator("img");
    await expect.poll(() => sizeOf(thumbnail)).toEqual([300, 200]);
    await inBothSchemes(page, "image-list");
    await page.getByRole("link", { name: "A mug" }).click();
    await expect(imageIn(page, "A mug")).toBeVisible();
    await imageIn(page, "A mug").scrollIntoViewIfNeeded();
    await expect.poll(() => sizeOf(imageIn(page, "A mug"))).toEqual([300, 200]);
    await inBothSchemes(page, "image-link");
  });

  await test.step("the seller drops another image, and then removes it", async () => {
    await page.getByRole("link", { name: "Edit link" }).click();
    const edit = page.getByRole("form", { name: "Edit payment link" });
    const image = imageIn(edit, "The image that buyers see");
    await expect.poll(() => sizeOf(image)).toEqual([300, 200]);
    const other = await drawn(page, "image/webp", 128, 256);
    const dataTransfer = await page.evaluateHandle(
      ([bytes]) => {
        const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(bytes)], "mug.webp", { type: "image/webp" }));
        return data;
      },
      [[...other]] as const,
    );
    const zone = edit.locator("[data-drop-zone]");
    await zone.dispatchEvent("dragover", { dataTransfer });
    await zone.dispatchEvent("drop", { dataTransfer });
    await expect.poll(() => sizeOf(image)).toEqual([128, 256]);
    await edit.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "A mug" })).toBeVisible();
    await imageIn(page, "A mug").scrollIntoViewIfNeeded();
    await expect.poll(() => sizeOf(imageIn(page, "A mug"))).toEqual([128, 256]);

    await page.getByRole("link", { name: "Edit link" }).click();
    await edit.getByRole("button", { name: "Remove the image" }).press("Enter");
    await expect(image).toHaveCount(0);
    await edit.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "A mug" })).toBeVisible();
    await expect(imageIn(page, "A mug")).toHaveCount(0);
    await page.getByRole("link", { name: "History" }).click();
    await expect(page.getByText(/image/).first()).toBeVisible();
  });
});

test("a photo from a phone, too large and rotated, is converted to an upright image without metadata", async ({
  page,
}) => {
  test.slow();
  await seller(page, "Photographer");
  await page.goto("/dashboard/links/new");
  const form = page.getByRole("form", { name: "New payment link" });
  const image = imageIn(form, "The image that buyers see");
  const bytesOf = async () => {
    const response = await page.request.get((await image.getAttribute("src")) ?? "");
    return { type: response.headers()["content-type"], bytes: await response.body() };
  };

  const large = turned(await drawn(page, "image/jpeg", 2_400, 1_600, true));
  expect(large.length).toBeGreaterThan(1_048_576);
  await input(form).setInputFiles(file(large, "IMG_1.jpg", "image/jpeg"));
  await expect(form.getByRole("status").filter({ hasText: "reduced to the allowed size" })).toBeVisible({
    timeout: 30_000,
  });
  const [width = 0, height = 0] = await sizeOf(image);
  expect(width / height).toBeCloseTo(1_600 / 2_400, 1);
  expect((await bytesOf()).bytes.length).toBeLessThanOrEqual(1_048_576);

  await input(form).setInputFiles(file(turned(await drawn(page, "image/jpeg", 300, 200)), "IMG_2.jpg", "image/jpeg"));
  await expect.poll(() => sizeOf(image)).toEqual([200, 300]);
  const { type, bytes } = await bytesOf();
  expect([type, bytes.includes("Exif")]).toEqual(["image/jpeg", false]);
});

test("a buyer sees the image in the checkout, in the frame, and on the receipt (axe)", async ({ page, browser }) => {
  test.slow();
  const owner = await newPerson();
  const agent = await linked(owner, "Mug seller");
  await page.goto("/");
  const mug = await drawn(page, "image/jpeg", 900, 700);
  const imageId = await uploaded(owner, agent, mug);
  const { linkId, url } = await makeLink(agent, {
    title: "A mug",
    description: "Blue, 0.3 l",
    imageId,
    taxNote: "VAT DE 123",
  });

  await test.step("the page does not move when the image arrives", async () => {
    let arrive = () => {};
    const held = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await page.route("**/api/payment-links/images/*", async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(url, { waitUntil: "domcontentloaded" });
    const title = page.getByRole("region", { name: "What you pay for" }).getByText("A mug", { exact: true });
    const boundingBoxBefore = await title.boundingBox();
    arrive();
    await expect.poll(() => sizeOf(imageIn(page, "A mug"))).toEqual([900, 700]);
    expect(await title.boundingBox()).toEqual(boundingBoxBefore);
    await page.unroute("**/api/payment-links/images/*");
  });
  await inBothSchemes(page, "image-checkout");

  await test.step("the preview contains the image, and other sites may show it", async () => {
    const content = await page.locator('meta[property="og:image"]').getAttribute("content");
    expect(content).toBe(`${BASE_URL}/api/payment-links/${linkId}/picture`);
    // Green at the top left of the mug, which is at the right of the preview.
    const pixelOf = () =>
      page.evaluate(async (path) => {
        const bitmap = await createImageBitmap(await (await fetch(path, { cache: "reload" })).blob());
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
        const context = canvas.getContext("2d") as OffscreenCanvasRenderingContext2D;
        context.drawImage(bitmap, 0, 0);
        return [bitmap.width, bitmap.height, ...context.getImageData(700, 5, 1, 1).data.slice(0, 3)];
      }, `/api/payment-links/${linkId}/picture`);
    // The plain picture, which is nearly white there, until its own is drawn.
    await expect.poll(async () => Math.max(...(await pixelOf()).slice(2)), { timeout: 60_000 }).toBeLessThan(200);
    const [width, height, red = 0, green = 0] = await pixelOf();
    expect([width, height]).toEqual([1_200, 630]);
    expect(green).toBeGreaterThan(red);
  });

  await page.goto(`/embed/pay/${linkId}`);
  await expect.poll(() => sizeOf(imageIn(page, "A mug"))).toEqual([900, 700]);
  await inBothSchemes(page, "image-frame");

  const theirs = await (await browser.newContext({ viewport: page.viewportSize() })).newPage();
  await visitor(theirs);
  await theirs.goto(url);
  await connect(theirs);
  await theirs.getByRole("button", { name: PAY }).click();
  await answerWallet(theirs, "Sign");
  await expect(theirs.getByRole("heading", { name: "You paid 1.25 USDC" })).toBeVisible();
  await theirs.getByRole("link", { name: "See the receipt" }).click();
  await expect(theirs.getByRole("heading", { level: 1, name: "Paid" })).toBeVisible();
  // The receipt replaces its contents when the rest of it has arrived.
  await expect(() => imageIn(theirs, "A mug").scrollIntoViewIfNeeded()).toPass();
  await expect.poll(() => sizeOf(imageIn(theirs, "A mug"))).toEqual([900, 700]);
  await expect(theirs.getByText("VAT DE 123")).toBeVisible();
  await inBothSchemes(theirs, "image-receipt");

  await test.step("the receipt shows no image once the link has another one", async () => {
    const next = await uploaded(owner, agent, pngOf(64));
    await become(page, owner);
    const response = await page.request.patch(`/api/payment-links/${linkId}`, {
      headers: { Authorization: `Bearer ${agent.jwt}` },
      data: { imageId: next },
    });
    expect(response.status()).toBe(200);
    await theirs.reload();
    await expect(theirs.getByRole("heading", { level: 1, name: "Paid" })).toBeVisible();
    await expect(theirs.locator("figure img")).toHaveCount(0);
  });
});
