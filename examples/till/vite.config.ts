import { defineConfig } from 'vite'

// The page alone. `src/server` serves it and keeps the API key.
export default defineConfig({
  root: import.meta.dirname,
  // Not emptied: another till may serve from it, and the names of the files have their hash.
  build: { outDir: 'dist', emptyOutDir: false },
})
