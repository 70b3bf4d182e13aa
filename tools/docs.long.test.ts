import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startEmbedded } from '../server/src/embedded/embedded.ts'
import { readConfig } from '../server/src/process/config.ts'
import { debianProgram } from '../server/src/testing/servers/debian.ts'
import { type Block, blocksOf } from './docs/blocks.ts'
import { createMachine, type Machine } from './docs/machine.ts'
import { giveFile, openSession } from './docs/session.ts'

// Every command block of the pages, from top to bottom, as a person with a fresh clone follows
// them. docs.slow.test.ts runs docs/integration.md,
// docs/webhooks.md and docs/books.md.

let machine: Machine
beforeAll(async () => {
  debianProgram('/usr/bin/psql', 'postgresql-client')
  machine = await createMachine()
})
afterAll(() => machine.remove())

const limitMs = 600_000

/** Files that a reader has from an earlier system. */
const memberFile =
  'MemberNo,CardNo,FirstName,LastName,Gender,Birthday,Mobile,Email,Country,City,Address,' +
  'JoinDate,Store,OptIn,Terms\n' +
  'OLD1,70001,Ada,Miller,F,1990-02-28,+12015550188,ada@example.com,US,New York,,' +
  '2024-05-01,NY001,Y,2024\n'
const salesFile =
  'InvoiceNo,StockCode,Description,Quantity,InvoiceDate,UnitPrice,CustomerID,Country\n' +
  '536365,85123A,HOLDER,6,2010-12-01 08:26:00,2.55,17850.0,United Kingdom\n'
const staffFile = 'account,firstName,lastName,store,group\nben,Ben,Lee,NY001,viewer\n'

test(
  'README.md, from the first command to the last',
  async () => {
    const clone = machine.clone('work/tillside')
    giveFile(machine, 'work/tillside/members.csv.gz', gzipSync(memberFile))
    giveFile(machine, 'work/tillside/sales.csv.gz', gzipSync(salesFile))
    giveFile(machine, 'work/tillside/codes.csv', 'code,memberCode\nPAPER1,AUR10001\n')
    const session = openSession(machine, clone, { PORT: machine.here('8080') })
    try {
      for (const block of runnable('README.md')) await session.run(block)
    } finally {
      await session.close()
    }
  },
  limitMs,
)

test('docs/messages.md names settings that the program accepts', () => {
  const text = runnable('docs/messages.md')[0]?.text ?? ''
  const values = [...text.matchAll(/^(\w+)='?(.*?)'?$/gm)].map(([, name, value]) => [name, value])
  expect(readConfig(Object.fromEntries(values)).sms).not.toBeNull()
})

test(
  'docs/operations.md: a shop, from the installation to a restore',
  async () => {
    const home = join(machine.folder, 'home')
    giveFile(machine, 'var/tmp/staff.csv', staffFile)
    giveFile(machine, 'var/tmp/members.csv', memberFile.replace('OLD1', 'AUR10001'))
    const session = openSession(machine, home, {})
    try {
      for (const block of runnable('docs/operations.md')) if (!block.chain) await session.run(block)
    } finally {
      await session.close()
    }
  },
  limitMs,
)

test(
  'docs/operations.md: a chain with a PostgreSQL of its own',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tillside-docs-chain-'))
    const postgres = await startEmbedded(folder, true)
    const session = openSession(machine, join(machine.folder, 'opt/tillside/current'), {})
    try {
      giveFile(machine, 'etc/tillside/environment', `DATABASE_URL='${postgres.url}'\n`)
      for (const block of runnable('docs/operations.md')) if (block.chain) await session.run(block)
    } finally {
      await session.close()
      await postgres.destroy()
      rmSync(folder, { recursive: true, force: true })
    }
  },
  limitMs,
)

function runnable(page: string): Block[] {
  return blocksOf(page).filter(({ notRun }) => notRun === null)
}
