import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, type Page } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { screenshot } from "./screenshot.ts";
import { ADMIN, Tarn, signIn } from "./tarn.ts";

const tarn = new Tarn();

test.beforeAll(() => tarn.start());
test.afterAll(() => tarn.remove());

test("wrong keys are refused with the reason", async ({ page }) => {
  await signIn(page, tarn, { ...ADMIN, secretKey: "a-wrong-secret" });
  await expect(page.getByRole("alert")).toContainText("signature");
  await signIn(page, tarn, { accessKey: "nobody", secretKey: "a-wrong-secret" });
  await expect(page.getByRole("alert")).toContainText("does not exist in our records");
  await expectAccessible(page);
});

test("the secret is sent nowhere and kept nowhere", async ({ page }) => {
  const sent: string[] = [];
  page.on("request", (request) => sent.push(request.url() + JSON.stringify(request.headers()) + (request.postData() ?? "")));
  await signIn(page, tarn);
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  expect(sent.length).toBeGreaterThan(3);
  expect(sent.filter((request) => request.includes(ADMIN.secretKey))).toEqual([]);
  expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie]))).toBe('[{},{},""]');
  await page.reload();
  await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible();
});

test("the overview says whether the cluster is well, also after a restart of the server", async ({ page }) => {
  await signIn(page, tarn);
  await expect(page.getByRole("status", { name: "Health" })).toContainText("The cluster is well.");
  await expectAccessible(page);
  await tarn.stop();
  await expect(page.getByRole("alert")).toContainText("The server does not answer");
  await tarn.start();
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("a bucket is created, filled, read, and deleted", async ({ page }) => {
  await signIn(page, tarn);
  await page.getByRole("link", { name: "Buckets" }).click();
  await page.getByRole("button", { name: "Create bucket" }).click();
  await page.getByLabel("Name").fill("pictures");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByRole("link", { name: "pictures" }).click();

  await uploadText(page, "notes (1).txt", "what was seen");
  await page.getByRole("button", { name: "notes (1).txt", exact: true }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).click();
  const read = await (await download).createReadStream();
  expect((await read.toArray()).join("")).toBe("what was seen");

  await page.getByRole("button", { name: "Delete notes (1).txt" }).click();
  await expect(page.getByRole("dialog")).toContainText("Tarn, which has the only copy");
  await expectAccessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("There is no object under this prefix.")).toBeVisible();

  await page.getByRole("link", { name: "Settings" }).click();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Delete bucket" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("heading", { name: "Buckets" })).toBeVisible();
  await expect(page.getByRole("link", { name: "pictures" })).toHaveCount(0);
});

test("settings that others change meanwhile are not overwritten", async ({ page }) => {
  tarn.run("bucket", "create", "shared");
  await signIn(page, tarn);
  await page.goto(tarn.console + "#/bucket?name=shared");
  await page.getByRole("link", { name: "Settings" }).click();
  const durability = page.getByLabel("durability");
  await expect(durability).toHaveValue("fsync");

  tarn.run("bucket", "set", "shared", "--anonymous-read=true");
  await durability.selectOption("os");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  expect(tarn.run("bucket", "show", "shared")).toMatch(/anonymous read: +true/);
  expect(tarn.run("bucket", "show", "shared")).toMatch(/durability: +os/);

  await expect(page.getByLabel("anonymous read")).toBeChecked();
  tarn.run("bucket", "set", "shared", "--freshness=20m");
  const freshness = page.getByLabel("freshness");
  await freshness.fill("15m");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("alert")).toContainText("somebody else has set freshness to 20m");
  await expect(freshness).toHaveValue("20m");
  await freshness.fill("15m");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  expect(tarn.run("bucket", "show", "shared")).toMatch(/freshness: +15m/);
});

test("names and contents that are HTML or script are shown as text", async ({ page }) => {
  tarn.run("bucket", "create", "hostile");
  await signIn(page, tarn);
  await page.goto(tarn.console + "#/bucket?name=hostile");
  const name = "<img src=x onerror=alert(1)>.html";
  page.on("dialog", () => {
    throw new Error("a script of an object has run");
  });
  await uploadText(page, name, "<script>alert(document.domain)</script>");
  await page.getByRole("button", { name, exact: true }).click();
  await expect(page.getByRole("dialog")).toContainText(name);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).click();
  const address = (await download).url();
  const shown = await page.request.get(address);
  expect(shown.headers()["content-security-policy"]).toBe("sandbox; default-src 'none'");
  expect(shown.headers()["content-disposition"]).toBe("attachment");
  expect(shown.headers()["x-content-type-options"]).toBe("nosniff");
});

test("keys with dots and empty parts are reached", async ({ page }) => {
  tarn.run("bucket", "create", "odd-keys");
  await signIn(page, tarn);
  for (const prefix of ["a/../b/", "//", "./", "é+%2F /"]) {
    await page.goto(tarn.console + "#/bucket?" + new URLSearchParams({ name: "odd-keys", prefix }));
    await uploadText(page, "object", prefix);
    await expect(page.getByRole("button", { name: "object", exact: true })).toBeVisible();
  }
  await page.goto(tarn.console + "#/bucket?name=odd-keys");
  await expect(page.getByRole("rowheader")).toHaveText(["./", "/", "a/", "é+%2F /"]);
});

test("a user gets a key pair, whose secret is shown once", async ({ page }) => {
  await signIn(page, tarn);
  await page.getByRole("link", { name: "Users" }).click();
  await page.getByRole("button", { name: "Create user" }).click();
  await page.getByLabel("Name").fill("reader");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  const pair = page.getByRole("status").filter({ hasText: "Key pair of reader" });
  await expect(pair.locator("code")).toHaveCount(2);
  const [accessKey, secretKey] = await pair.locator("code").allTextContents();
  await expectAccessible(page);
  await pair.getByRole("button").click();
  await expect(page.getByText(secretKey!)).toHaveCount(0);

  await signIn(page, tarn, { accessKey: accessKey!, secretKey: secretKey! });
  await expect(page.getByRole("heading", { name: "Buckets" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Overview" })).toHaveCount(0);

  await signIn(page, tarn);
  await page.getByRole("link", { name: "Users" }).click();
  await page.getByRole("button", { name: "Disable key " + accessKey }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
  const row = page.getByRole("row").filter({ hasText: accessKey! });
  await expect(row).toContainText("disabled");
  await signIn(page, tarn, { accessKey: accessKey!, secretKey: secretKey! });
  await expect(page.getByRole("alert")).toContainText("does not exist in our records");
  await signIn(page, tarn);
  await page.getByRole("link", { name: "Users" }).click();
  await page.getByRole("button", { name: "Enable key " + accessKey }).click();
  await expect(row).toContainText("active");
  await page.getByRole("button", { name: "Rotate key " + accessKey }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
  await expect(pair.locator("code").first()).not.toHaveText(accessKey!);
});

test("a scrub is started, and cached bytes are evicted", async ({ page }) => {
  await signIn(page, tarn);
  await page.getByRole("link", { name: "Jobs" }).click();
  await page.getByRole("button", { name: "Start a scrub" }).click();
  await expect(page.getByText(/^Done: .* 0 corrupt\.$/)).toBeVisible();
  await expectAccessible(page);
  tarn.run("bucket", "create", "primary");
  await page.getByLabel("Bucket").fill("primary");
  await page.getByRole("button", { name: "Evict" }).click();
  await expect(page.getByRole("alert")).toContainText("the bucket has no backend");
});

test("the load shows which bucket causes it", async ({ page }) => {
  tarn.run("bucket", "create", "busy");
  await signIn(page, tarn);
  await page.goto(tarn.console + "#/bucket?name=busy&prefix=train/");
  for (let i = 0; i < 12; i++) {
    await uploadText(page, `object-${i}`, "x".repeat(3000));
  }
  await page.getByRole("link", { name: "Load" }).click();
  const buckets = page.getByRole("region", { name: "Buckets by requests in the last hour" });
  await expect(buckets.getByRole("row").nth(1)).toContainText("busy");
  await expect(page.getByRole("img", { name: /^Requests a second: .*busiest 10 s now .*, at most [1-9]/ })).toBeVisible();
  await expect(page.getByRole("img", { name: /^Requests by their time: at / })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Overview" }).click();
  await expect(page.getByRole("list", { name: "What stands out" })).toBeVisible();
  await expectAccessible(page);
  await screenshot(page, "overview");
  await page.getByRole("link", { name: "Load" }).click();

  await buckets.getByRole("link", { name: "busy" }).click();
  await expect(page.getByRole("heading", { name: "Load of bucket busy" })).toBeVisible();
  const sizes = page.getByRole("region", { name: "Reads and writes by size" });
  await expect(sizes.getByRole("row").filter({ hasText: "4.0 KiB" })).toContainText("12");
  await expectAccessible(page);
});

test("a cold cache is named as the reason of slow reads", async ({ page }) => {
  const origin = new Tarn();
  await origin.start();
  try {
    origin.run("bucket", "create", "origin");
    const pair = join(origin.folder, "pair");
    writeFileSync(pair, `aws_access_key_id = ${ADMIN.accessKey}\naws_secret_access_key = ${ADMIN.secretKey}\n`, { mode: 0o600 });
    tarn.run("bucket", "create", "cached", "--backend=s3://origin", "--backend-endpoint=" + origin.s3, "--backend-credentials=" + pair);
    for (let i = 0; i < 20; i++) {
      await origin.put("origin", `object-${i}`, new Uint8Array(100_000));
      expect(await tarn.read("cached", `object-${i}`)).toHaveLength(100_000);
    }
  } finally {
    await origin.remove();
  }
  await signIn(page, tarn);
  await page.goto(tarn.console + "#/load?bucket=cached");
  await expect(page.getByRole("list", { name: "What stands out" })).toContainText("The cache is cold, or smaller than what is read: 100.0 %");
  const reads = page.getByRole("region", { name: "Reads of cached buckets" });
  await expect(reads.getByRole("row").nth(1)).toContainText("1.9 MiB");
  await expect(page.getByRole("img", { name: /^Time until backends answer: .*longest now .*, at most [1-9]/ })).toBeVisible();
  await expectAccessible(page);
  await screenshot(page, "load");
  const sizes = page.getByRole("region", { name: "Reads by size of the object" });
  await expect(sizes.getByRole("row").filter({ hasText: "128 KiB" })).toContainText("20");
});

test("a bucket of 100,000 keys is shown page by page", async ({ page }) => {
  test.setTimeout(600_000);
  tarn.run("bucket", "create", "many", "--durability=os");
  await tarn.fill("many", 100_000);
  await signIn(page, tarn);
  await page.goto(tarn.console + "#/bucket?name=many");
  for (const first of ["key-000000", "key-000200", "key-000400"]) {
    await expect(page.getByRole("rowheader").first()).toHaveText(first);
    await expect(page.getByRole("rowheader")).toHaveCount(200);
    await page.getByRole("link", { name: "Next page" }).click();
  }
  await page.getByRole("link", { name: "First page" }).click();
  await expect(page.getByRole("rowheader").first()).toHaveText("key-000000");
});

/** Uploads a file to the folder that the page shows. */
async function uploadText(page: Page, name: string, content: string): Promise<void> {
  await page.getByRole("button", { name: "Upload files" }).click();
  await page.getByLabel("Files").setInputFiles({ name, mimeType: "text/html", buffer: Buffer.from(content) });
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
}
