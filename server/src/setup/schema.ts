import { join } from 'node:path'
import * as z from 'zod/mini'
import { Definition } from '../company/definition.ts'
import { projectRoot } from '../process/config.ts'

/** Where editors look for it; each company.yaml names it in its first line. */
export const schemaFile = join(projectRoot, 'companies/company.schema.json')

/** The JSON Schema of company.yaml, in the draft that the YAML language server knows best. */
export function schemaText(): string {
  const schema = z.toJSONSchema(Definition, { io: 'input', target: 'draft-7' })
  return `${JSON.stringify({ title: 'A company of Tillside', ...schema }, null, 2)}\n`
}
