import { defineConfig } from "vite";

export default defineConfig({
  base: "./",
  build: { outDir: "dist/console", emptyOutDir: true, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
});
