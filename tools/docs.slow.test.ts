import { afterAll, beforeAll, test } from 'vitest'
import { blocksOf } from './docs/blocks.ts'
import { createMachine, type Machine } from './docs/machine.ts'
import { giveFile, openSession } from './docs/session.ts'

// The first command of README.md and the pages for programmers and for finance, as a
// person with a fresh clone follows them. The other pages are in docs.long.test.ts.

let machine: Machine
beforeAll(async () => {
  machine = await createMachine()
  // An example that the server refuses fails the test.
  giveFile(machine, 'home/.curlrc', 'fail-with-body\n')
})
afterAll(() => machine.remove())

test('npm start starts the product, and three pages work against it', async () => {
  const [start] = blocksOf('README.md')
  if (start === undefined) throw new Error('README.md has no blocks')
  // Filling four demo companies takes most of the time; docs.long.test.ts does it.
  const environment = { PORT: machine.here('8080'), DEMO: '0' }
  const session = openSession(machine, machine.clone('work/tillside'), environment)
  const printed = '…\nTillside is ready at http://127.0.0.1:8080\n…'
  const ready = { line: start.line, language: 'text', text: printed } as const
  const apply = { ...start, serves: false, text: 'npx tillside company apply companies/aurora' }
  try {
    await session.run({ ...start, result: ready })
    await session.run({ ...apply, result: null })
    for (const page of ['docs/integration.md', 'docs/webhooks.md', 'docs/books.md']) {
      const blocks = blocksOf(page).filter(({ notRun }) => notRun === null)
      for (const block of blocks) await session.run(block)
    }
  } finally {
    await session.close()
  }
}, 300_000)
