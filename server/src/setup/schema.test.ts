import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../process/config.ts'
import { schemaFile, schemaText } from './schema.ts'

test('companies/company.schema.json matches the definition', () => {
  // To update: npx tillside company schema > companies/company.schema.json, then format it.
  expect(JSON.parse(readFileSync(schemaFile, 'utf8'))).toEqual(JSON.parse(schemaText()))
})

test('every company.yaml names the schema in its first line', () => {
  const companies = join(projectRoot, 'companies')
  const files = readdirSync(companies)
    .map((name) => join(companies, name, 'company.yaml'))
    .filter((file) => existsSync(file))
  expect(files.length).toBeGreaterThanOrEqual(4)
  for (const file of files) {
    const [first] = readFileSync(file, 'utf8').split('\n')
    expect(first).toBe('# yaml-language-server: $schema=../company.schema.json')
  }
})
