import { createHash } from 'node:crypto'
import { cp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { root } from '../../../tools/setup.mjs'

// A build takes 20 s of processor time. A short run therefore changes a copy of the build that it
// tests, in the way in which a new version differs: another text, other file names, and a service
// worker with their hashes. A full run makes a real build.

const Version = z.object({ version: z.string() })

/** The name that a file has in the next version. */
const next = (name: string) => name.replace(/.\.(js|css)$/, 'Next.$1')

/** Copies the present build to a folder, as the next version with another login title. */
export async function copyAsNext(folder: string, title: string): Promise<void> {
  await cp(join(root, 'portal/dist'), folder, { recursive: true })
  const client = join(folder, 'client')
  const assets = join(client, 'assets')
  const all = await readdir(folder, { recursive: true })
  // The compressed files have the content of this version.
  await Promise.all(all.filter((n) => n.endsWith('.br')).map((n) => rm(join(folder, n))))
  const names = (await readdir(assets)).filter((name) => /\.(?:js|css)$/.test(name))
  const before = await hashesOf(assets, names)
  const known = new Map(names.map((name) => [name, next(name)]))
  const anyName = new RegExp(names.map((name) => RegExp.escape(name)).join('|'), 'g')
  const { version } = Version.parse(
    JSON.parse(await readFile(join(client, 'version.json'), 'utf8')),
  )
  const nextVersion = createHash('sha256').update(version).digest('hex').slice(0, 16)
  for (const name of all.filter((one) => /\.(?:js|css|json)$/.test(one))) {
    await edit(join(folder, name), (text) =>
      text
        .replaceAll(anyName, (found) => known.get(found) ?? found)
        .replaceAll(version, nextVersion)
        .replaceAll(/(login\.title\\?":\[\\?")Log in(\\?"\])/g, `$1${title}$2`),
    )
  }
  // The server's part consists of ECMAScript modules.
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  for (const [name, renamed] of known) await rename(join(assets, name), join(assets, renamed))
  const after = await hashesOf(assets, [...known.values()])
  await edit(join(client, 'worker.js'), (text) =>
    names.reduce(
      (script, name) => script.replace(before.get(name) ?? '', after.get(next(name)) ?? ''),
      text,
    ),
  )
}

async function edit(file: string, change: (text: string) => string): Promise<void> {
  await writeFile(file, change(await readFile(file, 'utf8')))
}

/** The hash of each file, as the service worker compares it. */
async function hashesOf(folder: string, names: readonly string[]): Promise<Map<string, string>> {
  const hashes = names.map(async (name): Promise<[string, string]> => {
    const hash = createHash('sha256').update(await readFile(join(folder, name)))
    return [name, hash.digest('base64')]
  })
  return new Map(await Promise.all(hashes))
}
