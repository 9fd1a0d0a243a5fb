import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, type Page } from "@playwright/test";
import { PROGRAM, enterKeys } from "./tarn.ts";

const folder = mkdtempSync(join(tmpdir(), "tarn-console-cluster-"));

function local(...command: string[]): string {
  return execFileSync(PROGRAM, ["cluster", "local", ...command, "--data", folder], { encoding: "utf8" });
}

test.beforeAll(() => {
  test.setTimeout(300_000);
  local("start", "--gateways", "2", "--targets", "2");
});
test.afterAll(() => {
  local("stop");
  rmSync(folder, { recursive: true, force: true });
});

/** Signs in at the console of the cluster's first gateway. */
async function signIn(page: Page): Promise<void> {
  const variables = new Map([...local("env").matchAll(/^export (\w+)='(.*)'$/gm)].map((line) => [line[1], line[2]]));
  await page.goto(variables.get("TARN_ADMIN_URL")!);
  await enterKeys(page, { accessKey: variables.get("AWS_ACCESS_KEY_ID")!, secretKey: variables.get("AWS_SECRET_ACCESS_KEY")! });
}

test("the load is that of all gateways", async ({ page }) => {
  await signIn(page);
  await page.getByRole("link", { name: "Load" }).click();
  await expect(page.getByText("Recorded by 2 gateways since the start of each.")).toBeVisible();
  process.kill(Number.parseInt(readFileSync(join(folder, "gateway-2", "pid"), "utf8")), "SIGKILL");
  await expect(page.getByText(/^The load of these gateways is missing: 127\.0\.0\.1:\d+: Connection refused/)).toBeVisible();
});

test("a target that has died is named, with what to do", async ({ page }) => {
  await signIn(page);
  const health = page.getByRole("status", { name: "Health" });
  await expect(health).toContainText("The cluster is well.");

  process.kill(Number.parseInt(readFileSync(join(folder, "target-1", "pid"), "utf8")), "SIGKILL");
  await expect(health).toContainText("The cluster serves, but something is wrong.", { timeout: 60_000 });
  await expect(health).toContainText("target-1");
});
