import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const line = /^revision:.*$/m
const explanation = '# kept by company export and apply; do not change'

/** The line of company.yaml with the revision that the folder has the content of. */
export function revisionLine(revision: number): string {
  return `revision: ${revision} ${explanation}`
}

/**
 * Writes the revision into a folder's company.yaml and keeps everything else.
 * @returns false when the file cannot be written
 */
export async function stampRevision(folder: string, revision: number): Promise<boolean> {
  const file = join(folder, 'company.yaml')
  const text = await readFile(file, 'utf8')
  const stamped = line.test(text)
    ? text.replace(line, revisionLine(revision))
    : text.replace(/^identifier:.*$/m, (found) => `${found}\n${revisionLine(revision)}`)
  if (stamped === text) return line.test(text)
  const fresh = `${file}.new`
  try {
    // A rename replaces the file at once, so that a crash leaves the old or the new one.
    await writeFile(fresh, stamped)
    await rename(fresh, file)
    return true
  } catch {
    await rm(fresh, { force: true }).catch(() => {})
    return false
  }
}
