import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'vite'

const root = join(import.meta.dirname, '../../..')

/**
 * Serves a page with React only, built and compressed as the portal is: the lower bound for a
 * portal in React.
 */
export async function emptyReactPage(): Promise<{ url: string; close(): Promise<void> }> {
  // Inside the project, so that the build finds react; removed at the end.
  const folder = await mkdtemp(join(root, 'bench/.empty-'))
  await writeFile(
    join(folder, 'index.html'),
    '<!doctype html><html lang="en"><title>Empty</title>' +
      '<meta name="viewport" content="width=device-width"><div id="root"></div>' +
      '<script type="module" src="/main.js"></script>',
  )
  await writeFile(
    join(folder, 'main.js'),
    `import { createElement } from 'react'\nimport { createRoot } from 'react-dom/client'\n` +
      `createRoot(document.getElementById('root')).render(createElement('h1', null, 'Log in'))\n`,
  )
  const outDir = await mkdtemp(join(tmpdir(), 'tillside-empty-'))
  await build({ root: folder, logLevel: 'error', build: { outDir, emptyOutDir: true } })
  const server = createServer((request, response) => {
    const path = request.url === '/' ? '/index.html' : (request.url ?? '/')
    const type = path.endsWith('.js') ? 'text/javascript' : 'text/html'
    readFile(join(outDir, path)).then(
      (body) =>
        response
          .writeHead(200, {
            'content-type': type,
            'content-encoding': 'br',
            // As for the portal: files with a hash in their name are cached, the page is requested
            // each time.
            'cache-control': path.endsWith('.html') ? 'no-cache' : 'public, max-age=31536000',
          })
          .end(brotliCompressSync(body)),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const at = server.address()
  if (at === null || typeof at === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${at.port}/`,
    async close() {
      server.close()
      await rm(folder, { recursive: true, force: true })
      await rm(outDir, { recursive: true, force: true })
    },
  }
}
