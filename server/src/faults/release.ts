import { execFileSync } from 'node:child_process'
import { mkdtemp, mkdir, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from '../process/config.ts'

const git = (...words: string[]): Buffer =>
  execFileSync('git', words, { cwd: projectRoot, maxBuffer: 1 << 30, stdio: 'pipe' })

const saysOf = (...words: string[]): string =>
  git(...words)
    .toString()
    .trim()

/** Whether this folder is a clone with the commits of before: no archive, and no shallow clone. */
function hasHistory(): boolean {
  try {
    if (saysOf('rev-parse', '--show-prefix') !== '') return false
    if (saysOf('rev-parse', '--is-shallow-repository') !== 'false') return false
    return Number(saysOf('rev-list', '--count', 'HEAD')) > 1
  } catch {
    return false
  }
}

/**
 * The commit before the one that added a file; null in a clone without history.
 * @throws Error if the history is there and does not have it, so that no test is left out unseen
 */
export function commitBefore(file: string): string | null {
  if (!hasHistory()) return null
  const added = saysOf('log', '--diff-filter=A', '--format=%H', '--', file).split('\n').at(-1)
  if (added === undefined || added === '') throw new Error(`no commit added ${file}`)
  return saysOf('rev-parse', `${added}^`)
}

/** Ends the name of a test that needs an earlier release. */
export const unlessWithout = (commit: string | null): string =>
  commit === null ? ' (left out: this clone has no history)' : ''

/**
 * Puts the program of a commit into a folder of its own, with the packages of this one.
 * @returns the folder, and how to remove it
 */
export async function checkOut(commit: string) {
  const folder = await mkdtemp(join(tmpdir(), 'tillside-release-'))
  const archive = git('archive', commit, 'server', 'contract', 'companies', 'package.json')
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  const [packages, own] = [join(projectRoot, 'node_modules'), join(folder, 'node_modules')]
  await mkdir(join(own, '@tillside'), { recursive: true })
  for (const name of await readdir(packages)) {
    if (name !== '@tillside') await symlink(join(packages, name), join(own, name))
  }
  for (const name of ['server', 'contract']) {
    await symlink(join(folder, name), join(own, '@tillside', name))
  }
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}
