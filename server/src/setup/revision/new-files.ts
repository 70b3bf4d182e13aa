import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Writes new files into a folder, and creates the folder if it does not exist. A failure, such as a
 * full disk, leaves none of the files and no new folder.
 * @throws Error when one of the files exists already, which is never overwritten
 */
export async function writeNewFiles(
  folder: string,
  contents: Readonly<Record<string, string>>,
): Promise<void> {
  const made = await mkdir(folder, { recursive: true })
  const written: string[] = []
  try {
    for (const [name, content] of Object.entries(contents)) {
      const path = join(folder, name)
      const file = await open(path, 'wx')
      written.push(path)
      try {
        await file.writeFile(content)
        // Some file systems report a full disk only here.
        await file.sync()
      } finally {
        await file.close()
      }
    }
  } catch (error) {
    for (const path of written) await rm(path, { force: true })
    if (made !== undefined) await rm(made, { recursive: true, force: true })
    throw error
  }
}
