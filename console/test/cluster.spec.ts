import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { PROGRAM, enterKeys } from "./tarn.ts";

const folder = mkdtempSync(join(tmpdir(), "tarn-console-cluster-"));

function local(...command: string[]): string {
  return execFileSync(PROGRAM, ["cluster", "local", ...command, "--data", folder], { encoding: "utf8" });
}

test.beforeAll(() => {
  test.setTimeout(300_000);
  local("start", "--gateways", "1", "--targets", "2");
});
test.afterAll(() => {
  local("stop");
  rmSync(folder, { recursive: true, force: true });
});

test("a target that has died is named, with what to do", async ({ page }) => {
  const variables = new Map([...local("env").matchAll(/^export (\w+)='(.*)'$/gm)].map((line) => [line[1], line[2]]));
  await page.goto(variables.get("TARN_ADMIN_URL")!);
  await enterKeys(page, { accessKey: variables.get("AWS_ACCESS_KEY_ID")!, secretKey: variables.get("AWS_SECRET_ACCESS_KEY")! });
  const health = page.getByRole("status", { name: "Health" });
  await expect(health).toContainText("The cluster is well.");

  process.kill(Number.parseInt(readFileSync(join(folder, "target-1", "pid"), "utf8")), "SIGKILL");
  await expect(health).toContainText("The cluster serves, but something is wrong.", { timeout: 60_000 });
  await expect(health).toContainText("target-1");
});
