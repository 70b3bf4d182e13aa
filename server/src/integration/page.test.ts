import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { itemReasons, movementTypes, scopes, webhookEvents } from '@tillside/contract/integration'
import { expect, test } from 'vitest'
import { projectRoot } from '../process/config.ts'

// tools/docs.slow.test.ts sends the page's examples.
const page = readFileSync(join(projectRoot, 'docs/integration.md'), 'utf8')

test('docs/integration.md names every scope, reason, movement and event', () => {
  const words = [...scopes, ...itemReasons, ...movementTypes, ...webhookEvents]
  expect(words.filter((word) => !page.includes(`\`${word}\``))).toEqual([])
})
