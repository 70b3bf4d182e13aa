import { afterAll, beforeAll, expect, test } from 'vitest'
import { blocksOf } from './docs/blocks.ts'
import { createMachine, type Machine } from './docs/machine.ts'
import { openSession } from './docs/session.ts'

// The first command of README.md and the page for programmers of tills, as a person with a fresh
// clone follows them. The other pages are in docs.long.test.ts.

let machine: Machine
beforeAll(async () => {
  machine = await createMachine()
})
afterAll(() => machine.remove())

// As a receiver of webhooks has them.
const signedMessage = {
  TIMESTAMP: '1793635445',
  BODY: '{}',
  WEBHOOK_SECRET_CRM: 'a-secret-of-16-chars',
}

test('README.md starts the product, and docs/integration.md works against it', async () => {
  const [start, ...others] = blocksOf('README.md')
  const session = openSession(machine, machine.clone('work/tillside'), {
    PORT: machine.here('8080'),
    ...signedMessage,
  })
  try {
    if (start === undefined) throw new Error('no blocks')
    await session.run(start)
    expect(others.length).toBeGreaterThan(0)
    for (const block of blocksOf('docs/integration.md')) await session.run(block)
  } finally {
    await session.close()
  }
}, 300_000)
