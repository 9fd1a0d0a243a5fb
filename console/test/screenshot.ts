import { resolve } from "node:path";
import type { Page } from "@playwright/test";

/** Where the pictures of docs/CONSOLE.md are. */
const FOLDER = resolve(import.meta.dirname, "../../docs/console");

/** Takes a picture for the documentation, if the environment has SCREENSHOTS. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (process.env["SCREENSHOTS"] !== undefined) {
    await page.setViewportSize({ width: 1200, height: 900 });
    await page.screenshot({ path: resolve(FOLDER, name + ".png"), animations: "disabled" });
  }
}
