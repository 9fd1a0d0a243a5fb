import { defineConfig } from "@playwright/test";

// Debian's Chromium asks hosts of Google for updates; these options stop it. The sandbox does not work as root.
const quiet = ["--no-sandbox", "--disable-quic", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

export default defineConfig({
  testDir: "test",
  workers: 1,
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: "list",
  use: {
    launchOptions: { executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium", args: quiet },
    viewport: { width: 1600, height: 1000 },
    trace: "retain-on-failure",
  },
});
