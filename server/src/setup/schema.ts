import { join } from 'node:path'
import * as z from 'zod/mini'
import { Definition } from '../company/definition.ts'
import { projectRoot } from '../process/config.ts'

/** The schema file for editors; the first line of each company.yaml refers to it. */
export const schemaFile = join(projectRoot, 'companies/company.schema.json')

/** The JSON Schema of company.yaml, in the draft that the YAML language server supports best. */
export function schemaText(): string {
  const schema = z.toJSONSchema(Definition, { io: 'input', target: 'draft-7' })
  return `${JSON.stringify({ title: 'A company of Tillside', ...schema }, null, 2)}\n`
}
