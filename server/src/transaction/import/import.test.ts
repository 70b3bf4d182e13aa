import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { gzipSync } from 'node:zlib'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../../database/database.ts'
import { projectRoot } from '../../process/config.ts'
import { importFile, outcomeOf, retailFile, retailMapping } from '../../testing/factories/import.ts'
import { contentsOf } from '../../testing/contents.ts'
import { type Shop, testShop } from '../../testing/factories/shop.ts'

const sale = '536365,85123A,HEART HOLDER,6,2010-12-01 08:26:00,2.55,17850.0,United Kingdom'

let s: Shop
beforeEach(async () => {
  s = await testShop()
})
afterEach(async () => {
  expect(await s.violations()).toEqual([])
  await s.close()
})

/** The id of an import that began so many milliseconds ago. */
function importOf(age: number): string {
  const time = (Date.now() - age).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}

describe('an import', () => {
  it('records every unusual row and counts each one once', async () => {
    const file = await retailFile([
      sale,
      // The rows of an invoice may be apart and have different times.
      '536366,22633,HAND WARMER,6,2010-12-01 08:28:00,1.85,17850.0,United Kingdom',
      '536365,71053,"LANTERN, ""WHITE""",6,2010-12-01 08:27:00,3.39,17850.0,United Kingdom',
      // Rows without a customer: damaged goods, a written-off debt, a gift without a name.
      '536589,21777,,-10,2010-12-01 16:50:00,0,,United Kingdom',
      'A563186,B,Adjust bad debt,1,2011-08-12 14:51:00,-11062.06,,United Kingdom',
      '536414,22139,,56,2010-12-01 11:52:00,0,,United Kingdom',
      'C536379,85123A,HEART HOLDER,-2,2010-12-02 09:41:00,2.55,17850.0,United Kingdom',
      'C536380,D,Discount,-1,2010-12-02 09:42:00,1.50,17850.0,United Kingdom',
      // A price of a thousandth of a pound.
      '550193,PADS,PADS,7,2011-04-15 09:27:00,0.001,13952.0,France',
    ])
    const { summary, rejected } = await importFile(s, file)
    expect(rejected).toEqual([])
    expect(summary).toEqual({
      rows: { read: 9, recorded: 9, unchanged: 0, changed: 0, rejected: 0 },
      invoices: { read: 8, created: 8, unchanged: 0, changed: 0, rejected: 0 },
      created: { sales: 5, returns: 3, withoutMember: 3, members: 2 },
    })
    expect(await s.receipts()).toMatchObject([
      { invoice_number: '536365', points_earned: 35, item_count: 2 },
      { invoice_number: '536366', points_earned: 11 },
      { invoice_number: '536414', points_earned: 0, member_id: null },
      { invoice_number: '536589', points_earned: 0, member_id: null },
      // The sale of 35.64 earned 35 points; goods of 5.10 are returned.
      { invoice_number: 'C536379', points_earned: -5 },
      { invoice_number: 'C536380', points_earned: -1 },
      { invoice_number: '550193', points_earned: 0 },
      { invoice_number: 'A563186', points_earned: 0, member_id: null },
    ])
    expect(await outcomeOf(s)).toMatchObject([
      { member_code: 'OR13952', balance: 0, spent: '0.01' },
      { member_code: 'OR17850', balance: 40, spent: '40.14' },
    ])
  })

  it('changes nothing when repeated, gzipped or not', async () => {
    const file = await retailFile([sale])
    await importFile(s, file)
    const before = await contentsOf(s)
    const zipped = `${file}.gz`
    await writeFile(zipped, gzipSync(await readFile(file)))
    const { summary } = await importFile(s, zipped)
    expect(summary.rows).toMatchObject({ read: 1, recorded: 0, unchanged: 1 })
    expect(await contentsOf(s)).toEqual(before)
  })

  it('refuses a changed invoice and records the new ones', async () => {
    await importFile(s, await retailFile([sale]))
    const changed = sale.replace('2.55', '2.56')
    const other = sale.replace('536365', '600000')
    const { summary, rejected } = await importFile(s, await retailFile([changed, other]))
    expect(summary.invoices).toMatchObject({ created: 1, changed: 1, rejected: 0 })
    expect(rejected).toEqual([
      {
        line: 2,
        invoiceNumber: '536365',
        reason: 'the invoice exists already, with different content',
      },
    ])
  })

  it('reports each unreadable row and records the others', async () => {
    const file = await retailFile([
      sale,
      ',A,A,1,2010-12-01 08:26:00,1,17850.0,UK',
      '1,A,A,1,01/12/2010,1,17850.0,UK',
      '1,A,A,1,2010-12-01 08:26:00,1,17850.0,UK',
      '2,A,A,many,2010-12-01 08:26:00,1,17850.0,UK',
      '3,A,A,1,2010-12-01 08:26:00,1,nobody,UK',
      '4,A,A,1,2010-12-01 08:26:00,1',
      '5,A,A,1,2010-02-30 08:26:00,1,17850.0,UK',
      '6,A,A,1e3,2010-12-01 08:26:00,1,17850.0,UK',
      '7,A,A,1,2010-12-01 08:26:00,1.12345,17850.0,UK',
      '8,A,A,1,2010-12-01 08:26:00,1,17850.0,UK',
      '8,A,A,1,2010-12-01 08:26:00,1,17851.0,UK',
      'C9,A,A,1,2010-12-01 08:26:00,1,17850.0,UK',
      '10,A,A,1,2010-12-01 08:26:00,99999999999,,UK',
      '10,A,A,99999,2010-12-01 08:26:00,99999999999,,UK',
      '11,A,bro"ken,1,2010-12-01 08:26:00,1,17850.0,UK',
    ])
    const { summary, rejected } = await importFile(s, file)
    expect(summary.rows).toEqual({
      read: 16,
      recorded: 1,
      unchanged: 0,
      changed: 0,
      rejected: 15,
    })
    expect(rejected.map(({ line }) => line).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 15 }, (_, n) => n + 3),
    )
    const reasons = Object.fromEntries(rejected.map((r) => [r.invoiceNumber, r.reason]))
    expect(reasons).toMatchObject({
      1: '"01/12/2010" is not a time of these formats',
      2: 'line 6: no quantity or price',
      3: expect.stringContaining('"nobody"'),
      4: 'has 6 cells where the header has 8',
      5: expect.stringContaining('2010-02-30'),
      6: 'line 10: no quantity or price',
      7: expect.stringContaining('items.0.price'),
      8: 'its rows name several customers',
      C9: expect.stringContaining('a return costs'),
      10: expect.stringContaining('totalAmount'),
    })
  })

  it('reads a different file format by another mapping', async () => {
    const file = await retailFile([])
    await writeFile(
      file,
      [
        '\ufeffNo;Day;Art;Text;Qty;Price;Card;Branch',
        '7;3.1.2026 9:05;X1;Tee;2;10.00;;2',
        '8;3.1.2026;X1;Tee;-1;10.00;;2',
      ].join('\n'),
    )
    const { summary } = await importFile(s, file, {
      delimiter: ';',
      dates: ['D.M.YYYY H:mm', 'D.M.YYYY'],
      source: 100000028,
      store: 'S{Branch}',
      columns: {
        invoiceNumber: 'No',
        date: 'Day',
        sku: 'Art',
        name: 'Text',
        quantity: 'Qty',
        price: 'Price',
      },
      returns: { negative: true },
      member: undefined,
    })
    expect(summary.created).toEqual({ sales: 1, returns: 1, withoutMember: 2, members: 0 })
  })

  it('names a missing column before it writes anything', async () => {
    const file = await retailFile([])
    await writeFile(file, 'InvoiceNo,StockCode\n1,A\n')
    await expect(importFile(s, file)).rejects.toThrow(
      'no column InvoiceDate, Description, Quantity, UnitPrice, CustomerID, Country',
    )
  })

  it('can be completed by running it again after it was killed', async () => {
    // Enough that the process is killed while it works.
    const size = 1000
    const rows = Array.from({ length: size }, (_, n) => {
      const day = String(1 + Math.floor(n / 100)).padStart(2, '0')
      const back = n % 7 === 6
      const [invoice, quantity] = back ? [`C${n}`, -1 - (n % 3)] : [String(n), 2 + (n % 5)]
      const [hour, minute] = [8 + (n % 10), n % 60].map((part) => String(part).padStart(2, '0'))
      const price = `${1 + (n % 4)}.99`
      const goods = `SKU${n % 9},Goods,${quantity}`
      const time = `2011-01-${day} ${hour}:${minute}:00`
      return `${invoice},${goods},${time},${price},${12_000 + (n % 50)},UK`
    })
    const file = await retailFile(rows)
    const command = [
      'transaction',
      'import',
      file,
      '--company',
      s.identifier,
      '--reason',
      'old till',
    ]
    const child = spawn(
      process.execPath,
      [join(projectRoot, 'tools/tillside.mjs'), ...command, '--mapping', retailMapping],
      { env: { PATH: process.env['PATH'], DATABASE_URL: inject('ownerUrl') }, stdio: 'ignore' },
    )
    const ended = once(child, 'exit')
    while ((await s.receipts()).length < 100 && child.exitCode === null) {
      await new Promise((wake) => setTimeout(wake, 20))
    }
    child.kill('SIGKILL')
    await ended
    const done = (await s.receipts()).length
    expect(done).toBeGreaterThanOrEqual(100)
    const { invoices } = (await importFile(s, file)).summary
    // PostgreSQL may still commit receipts that the process had sent before it was killed.
    const { unchanged } = invoices
    expect(unchanged).toBeGreaterThanOrEqual(done)
    expect(unchanged).toBeLessThan(size)
    expect(invoices).toMatchObject({ read: size, created: size - unchanged })

    const other = await testShop()
    await importFile(other, file)
    expect(await outcomeOf(s)).toEqual(await outcomeOf(other))
    await other.close()
  }, 120_000)

  it('deletes the rows of unfinished imports after a day, and no others', async () => {
    const day = 24 * 60 * 60 * 1000
    const [old, running] = [importOf(day + 60_000), importOf(day - 60_000)]
    const insert = [
      `insert into import_row (company_id, import_id, invoice_number, row_no, cells)
       values ($1, $2, 'R1', 1, '[1]'), ($1, $3, 'R1', 1, '[1]')`,
      `insert into import_invoice (company_id, import_id, lane, position, invoice_number)
       values ($1, $2, 0, 1, 'R1'), ($1, $3, 0, 1, 'R1')`,
    ].map((sql) => statement(sql, z.unknown()))
    await s.database.transaction(s.id, (tx) =>
      Promise.all(insert.map((one) => tx.run(one, [s.id, old, running]))),
    )
    await importFile(s, await retailFile([sale]))
    const left = ['import_row', 'import_invoice'].map((table) =>
      statement(
        `select import_id from ${table} where company_id = $1`,
        z.object({ import_id: z.string() }),
      ),
    )
    const found = await s.database.reading(s.id, (tx) =>
      Promise.all(left.map((one) => tx.all(one, [s.id]))),
    )
    expect(found).toEqual([[{ import_id: running }], [{ import_id: running }]])
  })
})
