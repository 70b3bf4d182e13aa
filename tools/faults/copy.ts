import { execFileSync, spawnSync } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { environment, root } from '../setup.mjs'
import type { Fault } from './fault.ts'

/** A copy of the working tree in which faults are tried. */
export type Copy = { folder: string; remove: () => Promise<void> }

/** Copies every file that git knows or would add, with the installed packages and a build. */
export async function makeCopy(): Promise<Copy> {
  const folder = await mkdtemp(join(tmpdir(), 'tillside-faults-'))
  // PostgreSQL runs as another user when the tests are run by root.
  await chmod(folder, 0o755)
  for (const file of filesOfTree()) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await cp(join(root, file), join(folder, file))
  }
  for (const modules of ['node_modules', 'portal/node_modules']) await linkModules(folder, modules)
  // Some tests ask git for the list of files.
  execFileSync('git', ['init', '--quiet'], { cwd: folder })
  const built = join(root, 'portal/dist')
  if (existsSync(built)) await cp(built, join(folder, 'portal/dist'), { recursive: true })
  build(folder)
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** The environment of programs in a copy. Compressing takes most of a build's time. */
export function environmentOfCopy(): Record<string, string | undefined> {
  return { ...environment(), COMPRESS: '0', FORCE_COLOR: '0' }
}

/** Builds the portal of the copy when it is older than its sources. */
export function build(folder: string): void {
  const arguments_ = [join(folder, 'tools/setup.mjs'), '--build']
  execFileSync(process.execPath, arguments_, {
    cwd: folder,
    env: environmentOfCopy(),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

/**
 * Puts one fault into the copy.
 * @returns how to take it out again
 * @throws Error when the code to replace does not occur exactly once
 */
export async function apply(folder: string, fault: Fault): Promise<() => Promise<void>> {
  const path = join(folder, fault.file)
  const before = await readFile(path, 'utf8')
  const parts = before.split(fault.find)
  if (parts.length !== 2) {
    throw new Error(`${fault.name}: its code occurs ${parts.length - 1} times in ${fault.file}`)
  }
  await writeFile(path, parts.join(fault.replace))
  return () => writeFile(path, before)
}

function filesOfTree(): string[] {
  const options = ['ls-files', '--cached', '--others', '--exclude-standard', '-z']
  const listed = execFileSync('git', options, { cwd: root, encoding: 'utf8' })
  return listed.split('\0').filter((file) => file !== '' && existsSync(join(root, file)))
}

/** Hard links cost nothing. The links inside `@tillside` are relative, so they lead to the copy. */
async function linkModules(folder: string, modules: string): Promise<void> {
  const from = join(root, modules)
  if (!existsSync(from)) return
  const to = join(folder, modules)
  const linked = spawnSync('cp', ['-al', from, to], { stdio: 'ignore' })
  if (linked.status !== 0) {
    await rm(to, { recursive: true, force: true })
    execFileSync('cp', ['-a', from, to])
  }
  // Programs write here, and a write would reach the original through its link.
  for (const cache of ['.vite', '.vite-temp', '.vitest-cache', '.cache']) {
    await rm(join(to, cache), { recursive: true, force: true })
  }
}
