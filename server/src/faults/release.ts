import { execFileSync } from 'node:child_process'
import { mkdtemp, mkdir, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from '../process/config.ts'

const git = (...words: string[]): Buffer =>
  execFileSync('git', words, { cwd: projectRoot, maxBuffer: 1 << 30 })

/** The commit before the one that added a file; null where the history does not have it. */
export function commitBefore(file: string): string | null {
  try {
    const added = git('log', '--diff-filter=A', '--format=%H', '--', file).toString().trim()
    return added === '' ? null : git('rev-parse', `${added}^`).toString().trim()
  } catch {
    return null
  }
}

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
