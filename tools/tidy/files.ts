import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'

// The repository's files, as the checks of this folder read them.

const root = join(import.meta.dirname, '../..')
const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})

/** Every file that is committed or new and not ignored, by its path from the root. */
export const files = listed
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(root, file)))
export const source = files.filter((file) =>
  /^(contract|client|server|portal|e2e|bench|examples|tools)\/.*(?<!\.d)\.(ts|tsx|mjs)$/.test(file),
)

export function read(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

/** The import lines: a file imports its own folder and names to its left. */
export const lines = {
  server: (
    'values text process embedded database cluster outbox http company staff verification member ' +
    'allowance tier points register coupon spending transaction merge activity integration ' +
    'dossier setup practice jobs metrics portal app demo main cli testing faults'
  ).split(' '),
  portal: (
    'ui kit camera paths ahead company staff watch slip tier points coupon transaction member ' +
    'search form display consent register profile home shift practice shell manual routes ' +
    'first-page main gallery-texts gallery'
  ).split(' '),
}

/** The name in the import line of a file below `src`: its first folder, or its own name. */
export function featureOf(file: string): string {
  const path = file.replace(/^\w+\/src\//, '')
  if (path.includes('/')) return path.split('/')[0] ?? ''
  return basename(path).replace(/(\.test)?\.(ts|tsx|css|html)$/, '')
}

/** The imports of the files below `folder`, types included. */
export function specifiers(folder: string): { file: string; specifier: string }[] {
  return source
    .filter((file) => file.startsWith(folder))
    .flatMap((file) =>
      [...read(file).matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => ({
        file,
        specifier: match[1] ?? '',
      })),
    )
}

/** The file that a specifier means; null outside the repository's TypeScript. */
export function targetOf(file: string, specifier: string): string | null {
  if (specifier.startsWith('.')) {
    const target = normalize(join(dirname(file), specifier))
    return /\.tsx?$/.test(target) ? target : null
  }
  const [, workspace, path] = /^@tillside\/(\w+)\/(.+)$/.exec(specifier) ?? []
  return workspace === undefined ? null : `${workspace}/src/${path}.ts`
}
