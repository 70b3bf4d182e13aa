import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { itemReasons } from '@tillside/contract/integration/batch'
import { scopes } from '@tillside/contract/integration/endpoint'
import { movementTypes } from '@tillside/contract/integration/points'
import { expect, test } from 'vitest'
import { projectRoot } from '../process/config.ts'

// tools/docs.slow.test.ts sends the page's examples.
const page = readFileSync(join(projectRoot, 'docs/integration.md'), 'utf8')

test('docs/integration.md names every scope, reason and movement', () => {
  const words = [...scopes, ...itemReasons, ...movementTypes]
  expect(words.filter((word) => !page.includes(`\`${word}\``))).toEqual([])
})
