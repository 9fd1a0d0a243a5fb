import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, type Page } from "@playwright/test";
import { Signer, objectPath, type Signed } from "../src/signing.ts";

/** The launcher of the checkout. */
export const PROGRAM = resolve(import.meta.dirname, "../../bin/tarn");

/** The sharder of the checkout. */
const SHARDER = resolve(import.meta.dirname, "../../bin/sharder");

/** The key pair of the first admin. */
export const ADMIN = { accessKey: "admin", secretKey: "the-secret-of-the-tests" };

/** A server of a test, on free ports, that keeps its port and its data when it starts again. */
export class Tarn {
  private process: ChildProcess | undefined;
  /** Its data and other files of the test. */
  readonly folder = mkdtempSync(join(tmpdir(), "tarn-console-"));
  private adminPort = "0";
  /** The address for S3 clients. */
  s3 = "";

  /** The address of the console. */
  get console(): string {
    return `http://127.0.0.1:${this.adminPort}/`;
  }

  /** Starts the server and waits until it is ready. */
  async start(): Promise<void> {
    const data = join(this.folder, "data");
    const started = spawn(
      PROGRAM,
      ["serve", "--data", data, "--listen", "127.0.0.1:0", "--admin-listen", `127.0.0.1:${this.adminPort}`],
      {
        env: { ...process.env, TARN_ACCESS_KEY: ADMIN.accessKey, TARN_SECRET_KEY: ADMIN.secretKey },
        stdio: ["ignore", "ignore", "inherit"],
      },
    );
    this.process = started;
    const ready = join(data, "ready");
    await expect
      .poll(() => started.exitCode !== null || existsSync(ready), { message: "the server is ready", timeout: 300_000 })
      .toBe(true);
    const line = readFileSync(ready, "utf8");
    this.s3 = /s3=(\S+)/.exec(line)![1]!;
    this.adminPort = /admin=http:\/\/127\.0\.0\.1:(\d+)/.exec(line)![1]!;
  }

  /** Ends the server; its data stay. */
  async stop(): Promise<void> {
    const running = this.process;
    if (running !== undefined && running.exitCode === null) {
      const ended = new Promise((done) => running.once("exit", done));
      running.kill("SIGTERM");
      await ended;
    }
  }

  /** Ends the server and removes its data. */
  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Writes an object. */
  async put(bucket: string, key: string, body: Uint8Array<ArrayBuffer>): Promise<void> {
    const signer = await this.signer();
    await this.send(await signer.sign({ method: "PUT", path: objectPath(bucket, key), body }), body);
  }

  /** Lets everybody read the objects of a bucket that match the pattern, and list none. */
  async allowReads(bucket: string, pattern: string): Promise<void> {
    const statement = { Effect: "Allow", Principal: "*", Action: "s3:GetObject", Resource: `arn:aws:s3:::${bucket}/${pattern}` };
    const body = new TextEncoder().encode(JSON.stringify({ Version: "2012-10-17", Statement: [statement] }));
    const request = { method: "PUT", path: "/" + bucket, query: [["policy", ""]] as [string, string][], body };
    await this.send(await (await this.signer()).sign(request), body);
  }

  /** Reads an object to its end. */
  async read(bucket: string, key: string): Promise<Uint8Array> {
    const signed = await (await this.signer()).sign({ method: "GET", path: objectPath(bucket, key) });
    const response = await fetch(this.s3 + signed.target, { headers: signed.headers });
    return new Uint8Array(await response.arrayBuffer());
  }

  private signer(): Promise<Signer> {
    return Signer.of(ADMIN.accessKey, ADMIN.secretKey, new URL(this.s3).host);
  }

  private async send(signed: Signed, body: Uint8Array<ArrayBuffer>): Promise<void> {
    const response = await fetch(this.s3 + signed.target, { method: "PUT", headers: signed.headers, body });
    const answer = await response.text();
    if (!response.ok) {
      throw new Error(answer);
    }
  }

  /** Writes so many small objects, key-000000 and so on. */
  async fill(bucket: string, count: number): Promise<void> {
    const signer = await this.signer();
    let next = 0;
    const writer = async () => {
      for (let number = next++; number < count; number = next++) {
        const key = "key-" + String(number).padStart(6, "0");
        const body = new TextEncoder().encode(key);
        await this.send(await signer.sign({ method: "PUT", path: objectPath(bucket, key), body }), body);
      }
    };
    await Promise.all(Array.from({ length: 32 }, writer));
  }

  /** Runs the sharder against this server. What it prints on standard output. */
  shard(...command: string[]): string {
    const { accessKey, secretKey } = ADMIN;
    return execFileSync(SHARDER, [...command, "--endpoint-url", this.s3], {
      encoding: "utf8",
      env: { ...process.env, AWS_ACCESS_KEY_ID: accessKey, AWS_SECRET_ACCESS_KEY: secretKey, AWS_REGION: "us-east-1" },
    });
  }

  /** Runs a command of bin/tarn as the admin. */
  run(...command: string[]): string {
    return execFileSync(PROGRAM, [...command, "--admin-url", this.console], {
      encoding: "utf8",
      env: { ...process.env, TARN_ACCESS_KEY: ADMIN.accessKey, TARN_SECRET_KEY: ADMIN.secretKey },
    });
  }
}

/** Signs in at the console, as a new visitor. */
export async function signIn(page: Page, tarn: Tarn, keys = ADMIN): Promise<void> {
  await page.goto("about:blank");
  await page.goto(tarn.console);
  await enterKeys(page, keys);
}

/** Signs in at the page that is open. */
export async function enterKeys(page: Page, keys: typeof ADMIN): Promise<void> {
  await page.getByLabel("Access key").fill(keys.accessKey);
  await page.getByLabel("Secret key").fill(keys.secretKey);
  await page.getByRole("button", { name: "Sign in" }).click();
}
