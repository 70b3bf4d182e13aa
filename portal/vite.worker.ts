import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type Plugin } from 'vite'

/**
 * The files that the service worker stores. The camera's decoder is large and rarely needed, so it
 * is left out.
 */
const kept = /\.(?:js|css|svg|woff2)$/

/**
 * Writes the service worker with the names and hashes of the program's files, and `version.json`.
 * The version changes with each of the files.
 */
export function programWorker(): Plugin {
  return {
    name: 'tillside-program-worker',
    async writeBundle({ dir }) {
      if (dir === undefined) return
      const names = (await readdir(join(dir, 'assets'))).filter((name) => kept.test(name)).sort()
      const files: Record<string, string> = {}
      for (const name of names) {
        const hash = createHash('sha256').update(await readFile(join(dir, 'assets', name)))
        files[`/assets/${name}`] = `sha256-${hash.digest('base64')}`
      }
      const version = createHash('sha256').update(names.join()).digest('hex').slice(0, 16)
      await writeFile(join(dir, 'version.json'), JSON.stringify({ version }))
      await buildWorker(dir, files, version)
    },
  }
}

async function buildWorker(
  outDir: string,
  files: Record<string, string>,
  version: string,
): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    define: { PROGRAM_FILES: JSON.stringify(files), PROGRAM_VERSION: JSON.stringify(version) },
    build: {
      outDir,
      emptyOutDir: false,
      rolldownOptions: {
        input: 'src/worker.ts',
        output: { entryFileNames: 'worker.js', format: 'iife' },
      },
    },
  })
}
