import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { parse } from 'csv-parse'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { projectRoot } from '../process/config.ts'
import { statement } from '../database/database.ts'
import { importFile, outcomeOf } from '../testing/factories/import.ts'
import { testShop } from '../testing/factories/shop.ts'

const file = join(projectRoot, '../shared/data/online-retail.csv.gz')
const isHere = existsSync(file)
if (!isHere) console.warn(`SKIPPED: the Online Retail data set (541,909 rows) is not at ${file}`)

const readLines = statement(
  `select count(*)::int as lines, sum(i.total) as total
   from transaction_item i where company_id = $1`,
  z.object({ lines: z.int(), total: z.string() }),
)

describe.skipIf(!isHere)('the public data set', () => {
  it('is imported completely, and a second import changes nothing', async () => {
    const s = await testShop()
    const { summary, rejected } = await importFile(s, file)
    expect(rejected).toEqual([])
    expect(summary).toEqual({
      rows: { read: 541_909, recorded: 541_909, unchanged: 0, changed: 0, rejected: 0 },
      invoices: { read: 25_900, created: 25_900, unchanged: 0, changed: 0, rejected: 0 },
      created: { sales: 22_062, returns: 3838, withoutMember: 3710, members: 4372 },
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
    // Every customer's points equal those of the simple calculation below.
    expect(outcome.map((m) => [m.member_code, m.balance, m.points])).toEqual(
      outcome.map(({ member_code: code }) => {
        const balance = wanted.get(code)?.balance
        return [code, balance, balance]
      }),
    )
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

type Line = { sku: string; price: string; quantity: number; cents: number }
type Invoice = { number: string; customer: string; at: string; first: number; lines: Line[] }

/** Calculates each customer's receipts, net spend in cents, and points from the file itself. */
async function workOut() {
  const customers = Map.groupBy(
    (await readInvoices()).filter(({ customer }) => customer !== ''),
    ({ customer }) => `OR${customer.replace('.0', '')}`,
  )
  return new Map([...customers].map(([code, invoices]) => [code, lifeOf(invoices)]))
}

async function readInvoices(): Promise<Invoice[]> {
  const invoices = new Map<string, Invoice>()
  const rows = createReadStream(file)
    .pipe(createGunzip())
    .pipe(parse({ columns: true }))
  const Row = z.object({
    InvoiceNo: z.string(),
    InvoiceDate: z.string(),
    StockCode: z.string(),
    Quantity: z.string(),
    UnitPrice: z.string(),
    CustomerID: z.string(),
  })
  let first = 0
  for await (const cells of rows) {
    const { InvoiceNo: number, InvoiceDate: at, CustomerID: customer, ...row } = Row.parse(cells)
    const invoice = invoices.get(number) ?? { number, customer, at, first, lines: [] }
    // Prices are in thousandths, as whole numbers, so that float errors cannot change the rounding.
    const thousandths = Math.round(Number(row.UnitPrice) * 1000)
    const total = thousandths * Number(row.Quantity)
    invoice.at = at < invoice.at ? at : invoice.at
    invoice.lines.push({
      sku: row.StockCode.trim(),
      price: String(thousandths),
      quantity: Number(row.Quantity),
      cents: Math.sign(total) * Math.round(Math.abs(total) / 10),
    })
    invoices.set(number, invoice)
    first += 1
  }
  return [...invoices.values()]
}

/** A sale: `back` is the money returned so far, `left` the quantity not returned, by goods. */
type Sold = { cents: number; points: number; back: number; left: Map<string, number> }

/**
 * Calculates one customer's points with a balance alone, because no lot expires within the data. A
 * sale earns one point for each whole unit of money. Returned goods belong to the newest sale that
 * still has them, and take its points in proportion to its money. What the balance does not cover
 * is a debt.
 */
function lifeOf(invoices: readonly Invoice[]) {
  const sales: Sold[] = []
  const life = { receipts: 0, cents: 0, earned: 0, balance: 0 }
  const take = (points: number) => (life.balance -= points)
  for (const { number, lines } of invoices.toSorted(inTime)) {
    const net = lines.reduce((sum, line) => sum + line.cents, 0)
    const returns = number.startsWith('C') ? findSales(lines, sales) : []
    for (const { sale, cents: now } of returns) {
      const share = (money: number) => Math.floor((sale.points * money) / sale.cents)
      take(share(sale.back + now) - share(sale.back))
      sale.back += now
    }
    const known = returns.reduce((sum, { cents: now }) => sum + now, 0)
    if (net < 0) take(Math.floor(Math.max(0, -net - known) / 100))
    const points = Math.floor(Math.max(0, net) / 100)
    life.receipts += 1
    life.cents += net
    life.earned += points
    life.balance += points
    if (number.startsWith('C')) continue
    const left = new Map<string, number>()
    for (const { sku, price, quantity } of lines) {
      const goods = `${sku} ${price}`
      if (quantity > 0) left.set(goods, (left.get(goods) ?? 0) + quantity)
    }
    sales.push({ cents: net, points, back: 0, left })
  }
  return life
}

function inTime(a: Invoice, b: Invoice): number {
  return a.at === b.at ? a.first - b.first : a.at < b.at ? -1 : 1
}

/** Assigns the money of a return to sales, oldest sale first. */
function findSales(lines: readonly Line[], sales: readonly Sold[]) {
  const found = new Map<Sold, number>()
  for (const { sku, price, quantity, cents: amount } of lines) {
    const goods = `${sku} ${price}`
    let open = Math.max(0, -quantity)
    for (const sale of sales.toReversed()) {
      const count = Math.min(open, sale.left.get(goods) ?? 0)
      const worth = sale.cents - sale.back - (found.get(sale) ?? 0)
      if (count <= 0 || worth <= 0 || amount > 0) continue
      const money = Math.min(Math.floor((-amount * count) / -quantity), worth)
      sale.left.set(goods, (sale.left.get(goods) ?? 0) - count)
      found.set(sale, (found.get(sale) ?? 0) + money)
      open -= count
    }
  }
  return sales.flatMap((sale) => {
    const money = found.get(sale)
    return money === undefined ? [] : [{ sale, cents: money }]
  })
}

function cents(amount: string): number {
  return Math.round(Number(amount) * 100)
}
