import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";

/** The page as a file on a disk, with a wallet and nothing else: no server, no network. */
const FILE = fileURLToPath(new URL("../../../public/vault-exit.html", import.meta.url));

/** What an extension offers to the page: its accounts, its node and the owner's key. */
export type Wallet = { request: (method: string, params: unknown[]) => unknown };

/** Opens the page offline, in a browser with this wallet; null for none. */
export async function openExit(page: Page, wallet: Wallet | null): Promise<void> {
  await page.context().setOffline(true);
  if (wallet) {
    await page.exposeFunction("askWallet", async (method: string, params: unknown[]) => {
      try {
        return { result: await wallet.request(method, params) };
      } catch (error) {
        return { error: { code: (error as { code?: number }).code, message: (error as Error).message } };
      }
    });
    await page.addInitScript(() => {
      type Reply = { result?: unknown; error?: { code?: number; message: string } };
      const { askWallet } = window as unknown as { askWallet: (method: string, params: unknown[]) => Promise<Reply> };
      const provider = {
        request: async ({ method, params }: { method: string; params?: unknown[] }) => {
          const { result, error } = await askWallet(method, params ?? []);
          if (error) throw Object.assign(new Error(error.message), error);
          return result;
        },
      };
      const detail = { info: { uuid: "1", name: "Fox" }, provider };
      const announce = () => window.dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }));
      window.addEventListener("eip6963:requestProvider", announce);
    });
  }
  await page.goto(`file://${FILE}`);
}
