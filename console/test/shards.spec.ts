import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32, deflateRawSync, gzipSync } from "node:zlib";
import { expect, test, type Page } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { SIDE, npy, png, wav, writePictures } from "./pictures.ts";
import { screenshot } from "./screenshot.ts";
import { Tarn, signIn } from "./tarn.ts";

const PICTURES = 12_400;

const tarn = new Tarn();
const folder = mkdtempSync(join(tmpdir(), "tarn-pictures-"));

test.beforeAll(async () => {
  await tarn.start();
  tarn.run("bucket", "create", "data");
  writePictures(join(folder, "pictures"), PICTURES);
  execFileSync("tar", ["-cf", join(folder, "whole.tar"), "-C", join(folder, "pictures", "cat"), "00000.png", "00003.png"]);
  tarn.shard("pack", join(folder, "pictures"), "s3://data/pictures", "--label-from=dirname", "--max-count=5000", "-q");
});
test.afterAll(async () => {
  await tarn.remove();
  rmSync(folder, { recursive: true });
});

/** Opens a shard or data set from the folder of its bucket, as a visitor does. */
async function open(page: Page, prefix: string, name: string): Promise<void> {
  await signIn(page, tarn);
  await page.goto(tarn.console + "#/bucket?" + new URLSearchParams({ name: "data", prefix }));
  await page.getByRole("link", { name: "Samples of " + prefix + name, exact: true }).click();
}

function sample(page: Page, number: number) {
  return page.getByRole("article", { name: `Sample ${number}`, exact: true });
}

/** The picture was decoded, and has the width that was written. */
async function expectPicture(page: Page, number: number): Promise<void> {
  const shown = sample(page, number).getByRole("img");
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(SIDE);
}

/** The bytes that the page has received from S3 since this call. */
function received(page: Page): () => number {
  let bytes = 0;
  page.on("response", (response) => {
    if (response.url().includes("/s3?")) {
      bytes += Number(response.headers()["content-length"]);
    }
  });
  return () => bytes;
}

test("a data set of pictures is looked into, and sample 12,345 is found", async ({ page }) => {
  await open(page, "pictures/", "dataset.json");
  await expect(page.getByText("12,400 samples in 3 shards")).toBeVisible();
  await expectPicture(page, 0);
  await expect(sample(page, 0)).toContainText("cat/00000");
  await expect(sample(page, 0)).toContainText("0 (cat)");
  await expectAccessible(page);

  // The samples are in the order of their keys: all cats, whose numbers are multiples of 3, then all dogs.
  const dog = 12_345 - Math.ceil(PICTURES / 3);
  const picture = 3 * Math.floor(dog / 2) + 1 + (dog % 2);
  const bytes = received(page);
  await page.getByLabel("Sample", { exact: true }).fill("12345");
  await page.getByRole("button", { name: "Show" }).click();
  await expectPicture(page, 12345);
  await expect(sample(page, 12345)).toContainText("dog/" + picture);
  await expect(sample(page, 12345)).toContainText(`"caption":"picture ${picture}","markup":"<b>bold</b>"`);
  await expect(page.getByRole("heading", { name: "The shard pictures/shard-000002.tar" })).toBeVisible();
  const storedAtLeast = 2400 * 3 * 1024;
  expect(bytes()).toBeGreaterThan(100);
  expect(bytes()).toBeLessThan(storedAtLeast / 10);

  await screenshot(page, "shards");
  await page.getByRole("button", { name: "Random sample" }).click();
  await expect(page).not.toHaveURL(/sample=12345/);
  await expect(page.getByRole("article").first().getByRole("img")).toBeVisible();
});

for (const compression of ["none", "gzip", "zstd"]) {
  test(`a shard compressed with ${compression} shows the same samples`, async ({ page }) => {
    const prefix = `by-${compression}/`;
    tarn.shard("pack", join(folder, "pictures", "cat"), "s3://data/" + prefix, "--compress=" + compression, "-q");
    await open(page, prefix, "shard-000000.tar" + { none: "", gzip: ".gz", zstd: ".zst" }[compression]);
    await expectPicture(page, 0);
    await page.getByLabel("Sample", { exact: true }).fill("4133");
    await page.getByRole("button", { name: "Show" }).click();
    await expectPicture(page, 4133);
    await expect(sample(page, 4133)).toContainText("picture 12399");
  });
}

test("a tar without index is walked by its headers, whatever is in it", async ({ page }) => {
  const files = join(folder, "mixed");
  const deep = "folder-".repeat(20);
  mkdirSync(join(files, deep), { recursive: true });
  writeFileSync(join(files, "a.png"), png(1));
  writeFileSync(join(files, "a.wav"), wav());
  writeFileSync(join(files, "a.npy"), npy());
  writeFileSync(join(files, "b.txt"), "<script>alert(1)</script>");
  writeFileSync(join(files, "b.png"), "no picture");
  writeFileSync(join(files, deep, "ünder (2).seg.PNG"), png(2));
  writeFileSync(join(files, "no-extension"), "");
  execFileSync("tar", ["--format=gnu", "--sort=name", "-cf", join(folder, "mixed.tar"), "-C", files, "."]);
  await tarn.put("data", "tars/mixed.tar", readFileSync(join(folder, "mixed.tar")));
  await open(page, "tars/", "mixed.tar");
  await expect(page.getByText("3 samples.")).toBeVisible();
  await expectPicture(page, 0);
  await expect(sample(page, 0).getByLabel("./a.wav", { exact: true })).toHaveJSProperty("tagName", "AUDIO");
  await expect.poll(() => sample(page, 0).locator("audio").evaluate((player: HTMLAudioElement) => player.duration)).toBeCloseTo(0.1);
  await expect(sample(page, 0)).toContainText("<f4 [2, 2]\n1 2.5 -3 0.125");
  await expect(sample(page, 1)).toContainText("<script>alert(1)</script>");
  await expect(sample(page, 1)).toContainText("cannot decode ./b.png");
  await expectPicture(page, 2);
  await expectAccessible(page);
  const saved = page.waitForEvent("download");
  await sample(page, 1).getByRole("button", { name: "Save ./b.txt" }).click();
  expect((await (await (await saved).createReadStream()).toArray()).join("")).toBe("<script>alert(1)</script>");

  const printed = tarn.shard("lint", "s3://data/tars/mixed.tar", "--json").trim().split("\n");
  const found = printed.map((line) => JSON.parse(line)).filter((line) => line.event === "finding");
  await page.getByRole("button", { name: "Look for problems" }).click();
  const problems = page.getByRole("region", { name: "Problems" });
  expect(found.length).toBeGreaterThan(3);
  for (const { kind, count } of found.filter((finding) => finding.kind !== "no-extension")) {
    await expect(problems.getByRole("row").filter({ has: page.getByRole("rowheader", { name: kind, exact: true }) }).getByRole("cell").first()).toHaveText(String(count));
  }
});

test("what is no shard, is damaged or has gone is named", async ({ page }) => {
  const whole = readFileSync(join(folder, "whole.tar"));
  const other = Buffer.from(whole);
  other[100] = 0x39;
  const cases: [string, Uint8Array<ArrayBuffer> | undefined, string][] = [
    ["cut.tar", whole.subarray(0, 2000), "The archive is cut short"],
    ["other.tar", other, "There is no tar header at byte 0"],
    ["empty.tar", Buffer.alloc(0), "The archive is cut short at byte 0"],
    ["text.json", Buffer.from("no JSON"), "text.json is no JSON"],
    ["other.json", Buffer.from("{}"), "is neither a shard"],
    ["packed.tar.gz", gzipSync(whole), "is compressed with gzip and has no index"],
    ["negative.tar", tarHeader("a.txt", "-0000000777", "0"), "neither octal digits nor a positive number"],
    ["endless.tar", tarHeader("a.txt", "-0000001000", "x"), "neither octal digits nor a positive number"],
    ["pax.tar", Buffer.concat([tarHeader("p", "00000000013", "x"), block("11 size=-1\n"), whole]), "The PAX size before byte 1024"],
    ["long.tar", Buffer.concat([tarHeader("l", "00000020000", "L"), Buffer.alloc(8192, "/")]), "has 8192 characters"],
    ["null.json", Buffer.from("null"), "is neither a shard"],
    ["incomplete.json", Buffer.from('{"format":"tarn-dataset","version":2,"required":[]}'), "is no complete manifest"],
    ["never-there.tar", undefined, "Bucket data has no object broken/never-there.tar"],
  ];
  await signIn(page, tarn);
  for (const [name, content, message] of cases) {
    const key = "broken/" + name;
    if (content !== undefined) {
      await tarn.put("data", key, new Uint8Array(content));
    }
    await page.goto(tarn.console + "#/shards?" + new URLSearchParams({ bucket: "data", key }));
    await expect(page.getByRole("alert")).toContainText(message);
  }
  const npyWithAType = npy().toString("latin1").replace("'<f4'", "'<constructor'");
  writeFileSync(join(folder, "odd.npy"), Buffer.from(npyWithAType, "latin1"));
  execFileSync("tar", ["-cf", join(folder, "odd.tar"), "-C", folder, "odd.npy"]);
  await tarn.put("data", "broken/odd.tar", new Uint8Array(readFileSync(join(folder, "odd.tar"))));
  await page.goto(tarn.console + "#/shards?" + new URLSearchParams({ bucket: "data", key: "broken/odd.tar" }));
  await expect(sample(page, 0)).toContainText("<constructor [2, 2]");

  await tarn.put("data", "broken/stale.tar", new Uint8Array(whole));
  tarn.shard("index", "s3://data/broken/stale.tar", "-q");
  await tarn.put("data", "broken/stale.tar", new Uint8Array(Buffer.concat([whole, Buffer.alloc(10240)])));
  await page.goto(tarn.console + "#/shards?" + new URLSearchParams({ bucket: "data", key: "broken/stale.tar" }));
  await expect(page.getByRole("alert")).toContainText("The index is of another shard");
  await tarn.put("data", "broken/stale.tar", new Uint8Array(whole));
  await page.getByRole("button", { name: "Open" }).click();
  await expectPicture(page, 0);
});

test("an object that is replaced and an index that is damaged are named", async ({ page }) => {
  const folderOfCats = "changing/";
  tarn.shard("pack", join(folder, "pictures", "cat"), "s3://data/" + folderOfCats, "-q");
  await open(page, folderOfCats, "shard-000000.tar");
  await expectPicture(page, 0);
  await tarn.put("data", folderOfCats + "shard-000000.tar", new Uint8Array(readFileSync(join(folder, "whole.tar"))));
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page.getByRole("alert").first()).toContainText("shard-000000.tar was replaced since it was opened");

  const index = await tarn.read("data", folderOfCats + "shard-000000.tar.tarnidx");
  for (const at of [64, index.length - 40_000 * 3]) {
    const damaged = new Uint8Array(index);
    damaged[at] = damaged[at]! ^ 1;
    await tarn.put("data", folderOfCats + "shard-000000.tar.tarnidx", damaged);
    await page.getByRole("button", { name: "Open" }).click();
    await expect(page.getByRole("alert")).toContainText("shard-000000.tar.tarnidx is damaged: the checksum of");
  }
});

test("a compressed part that is longer than its index says is named", async ({ page }) => {
  const prefix = "longer/";
  const key = prefix + "shard-000000.tar.gz";
  const files = join(folder, "few");
  mkdirSync(files);
  writeFileSync(join(files, "a.txt"), randomBytes(40_000).toString("hex"));
  tarn.shard("pack", files, "s3://data/" + prefix, "--compress=gzip", "-q");
  const { length } = await tarn.read("data", key);
  await tarn.put("data", key, gzipOfLength(Buffer.alloc(1_000_000), length));
  await open(page, prefix, "shard-000000.tar.gz");
  await expect(page.getByRole("alert").first()).toContainText("A part of the shard has more bytes uncompressed than the ");
});

/** The content as one gzip member of that many bytes: its comment fills what the content leaves. */
function gzipOfLength(content: Buffer, length: number): Uint8Array<ArrayBuffer> {
  const deflated = deflateRawSync(content);
  const end = Buffer.alloc(8);
  end.writeUInt32LE(crc32(content), 0);
  end.writeUInt32LE(content.length, 4);
  const head = Buffer.from([0x1f, 0x8b, 8, 0x10, 0, 0, 0, 0, 0, 0xff]);
  const comment = Buffer.alloc(length - head.length - 1 - deflated.length - end.length, "-");
  return new Uint8Array(Buffer.concat([head, comment, Buffer.alloc(1), deflated, end]));
}

test("classes have their names by their numbers, and a wrong count of the manifest is named", async ({ page }) => {
  for (const name of ["1", "2", "10"]) {
    mkdirSync(join(folder, "numbered", name), { recursive: true });
    writeFileSync(join(folder, "numbered", name, `picture-${name}.png`), png(3));
  }
  tarn.shard("pack", join(folder, "numbered"), "s3://data/numbered", "--label-from=dirname", "-q");
  await open(page, "numbered/", "dataset.json");
  await expect(sample(page, 0)).toContainText("0 (1)");
  await expect(sample(page, 1)).toContainText("1 (10)");
  await expect(sample(page, 2)).toContainText("2 (2)");

  const read = Buffer.from(await tarn.read("data", "numbered/dataset.json")).toString();
  await tarn.put("data", "numbered/wrong/dataset.json", new Uint8Array(Buffer.from(read.replaceAll('"name" : "', '"name" : "../').replaceAll('"samples" : 3', '"samples" : 4'))));
  await page.goto(tarn.console + "#/shards?" + new URLSearchParams({ bucket: "data", key: "numbered/wrong/" }));
  await expect(page.getByRole("alert")).toContainText("no object numbered/wrong/../");
  await tarn.put("data", "numbered/dataset.json", new Uint8Array(Buffer.from(read.replaceAll('"samples" : 3', '"samples" : 4'))));
  await page.goto(tarn.console + "#/shards?" + new URLSearchParams({ bucket: "data", key: "numbered/" }));
  await expect(page.getByRole("alert")).toContainText("has 3 samples, and 4 by the manifest");
});

test("a user who may read objects and list none sees the samples", async ({ page }) => {
  tarn.run("user", "create", "looker");
  const key = JSON.parse(tarn.run("key", "create", "looker", "--json"));
  await tarn.put("data", "shown/whole.tar", new Uint8Array(readFileSync(join(folder, "whole.tar"))));
  await tarn.allowReads("data", "shown/*");
  await signIn(page, tarn, { accessKey: key.id, secretKey: key.secret });
  await page.goto(tarn.console + "#/shards?" + new URLSearchParams({ bucket: "data", key: "shown/whole.tar" }));
  await expectPicture(page, 0);
});

/** The header of a tar's member whose size is this text. */
function tarHeader(name: string, size: string, type: string): Buffer<ArrayBuffer> {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write(size, 124);
  header.write(type, 156);
  header.write("        ", 148);
  header.write(header.reduce((sum, byte) => sum + byte, 0).toString(8).padStart(6, "0") + "\0 ", 148);
  return header;
}

function block(content: string): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(512);
  bytes.write(content);
  return bytes;
}
