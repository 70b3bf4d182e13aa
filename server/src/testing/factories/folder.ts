import { randomBytes } from 'node:crypto'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectRoot } from '../../process/config.ts'

/**
 * Copies a demo company's folder below `home`, with a new identifier.
 * @param edit changes its company.yaml
 */
export async function companyFolder(
  home: string,
  edit: (yaml: string) => string = (yaml) => yaml,
  from = 'aurora',
) {
  const identifier = `copy-${randomBytes(5).toString('hex')}`
  const folder = join(home, identifier)
  await cp(join(projectRoot, 'companies', from), folder, { recursive: true })
  const rewrite = async (change: (yaml: string) => string) => {
    const file = join(folder, 'company.yaml')
    await writeFile(file, change(await readFile(file, 'utf8')))
  }
  await rewrite((yaml) => edit(yaml.replace(`identifier: ${from}`, `identifier: ${identifier}`)))
  return { identifier, folder, rewrite }
}
