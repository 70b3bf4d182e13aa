import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { parse } from 'csv-parse'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { projectRoot } from '../kit/config.ts'
import { statement } from '../kit/database.ts'
import { importFile, outcomeOf } from '../testing/import.ts'
import { testShop } from '../testing/shop.ts'

const file = join(projectRoot, '../shared/data/online-retail.csv.gz')
const isHere = existsSync(file)
if (!isHere) console.warn(`SKIPPED: the public data set is not at ${file}`)

const readLines = statement(
  `select count(*)::int as lines, sum(i.total) as total
   from transaction_item i where company_id = $1`,
  z.object({ lines: z.int(), total: z.string() }),
)

describe.skipIf(!isHere)('the public data set', () => {
  it('loads whole, every row accounted for, and changes nothing the second time', async () => {
    const s = await testShop()
    const { summary, rejected } = await importFile(s, file)
    expect(rejected).toEqual([])
    expect(summary).toEqual({
      rows: { read: 541_909, recorded: 541_909, unchanged: 0, changed: 0, rejected: 0 },
      invoices: { read: 25_900, created: 25_900, unchanged: 0, changed: 0, rejected: 0 },
      created: { sales: 22_064, returns: 3836, withoutMember: 3710, members: 4372 },
    })
    const outcome = await outcomeOf(s)
    const wanted = await workOut()
    expect(outcome).toHaveLength(wanted.size)
    expect(outcome.map((m) => [m.member_code, m.receipts, cents(m.spent)])).toEqual(
      outcome.map(({ member_code: code }) => {
        const member = wanted.get(code)
        return [code, member?.receipts, member?.cents]
      }),
    )
    for (const member of outcome) {
      const earned = wanted.get(member.member_code)?.earned ?? -1
      expect(member.balance).toBe(member.points)
      expect(member.balance).toBeGreaterThanOrEqual(0)
      expect(member.balance).toBeLessThanOrEqual(earned)
    }
    const lines = await s.database.transaction(s.id, (tx) => tx.one(readLines, [s.id]))
    expect(lines.lines).toBe(541_909)
    expect(await s.violations()).toEqual([])

    const again = await importFile(s, file)
    expect(again.summary.rows).toMatchObject({ recorded: 0, unchanged: 541_909, rejected: 0 })
    expect(again.summary.created).toMatchObject({ sales: 0, returns: 0, members: 0 })
    expect(await outcomeOf(s)).toEqual(outcome)
    await s.close()
  }, 600_000)
})

/** Each customer's receipts, net spend in cents and points of all sales, from the file itself. */
async function workOut() {
  const invoices = new Map<string, { customer: string; cents: number }>()
  const rows = createReadStream(file)
    .pipe(createGunzip())
    .pipe(parse({ columns: true }))
  const Row = z.object({
    InvoiceNo: z.string(),
    Quantity: z.string(),
    UnitPrice: z.string(),
    CustomerID: z.string(),
  })
  for await (const told of rows) {
    const row = Row.parse(told)
    const invoice = invoices.get(row.InvoiceNo) ?? { customer: row.CustomerID, cents: 0 }
    // Thousandths are whole numbers here, so that rounding is of halves and not of float dust.
    const thousandths = Math.round(Number(row.UnitPrice) * 1000) * Number(row.Quantity)
    invoice.cents += Math.sign(thousandths) * Math.round(Math.abs(thousandths) / 10)
    invoices.set(row.InvoiceNo, invoice)
  }
  const members = new Map<string, { receipts: number; cents: number; earned: number }>()
  for (const { customer, cents: amount } of invoices.values()) {
    if (customer === '') continue
    const code = `OR${customer.replace('.0', '')}`
    const member = members.get(code) ?? { receipts: 0, cents: 0, earned: 0 }
    member.receipts += 1
    member.cents += amount
    member.earned += Math.max(0, Math.floor(amount / 100))
    members.set(code, member)
  }
  return members
}

function cents(amount: string): number {
  return Math.round(Number(amount) * 100)
}
