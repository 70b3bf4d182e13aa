import { readPointReport } from '@tillside/contract/integration/points'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '../../process/config.ts'
import { importFile } from '../../testing/factories/import.ts'
import { callWithKey, testKey } from '../../testing/factories/key.ts'
import { testShop } from '../../testing/factories/shop.ts'
import { closeMonth } from './months.ts'
import { endOf, figuresOf, readSums, sumsOf } from '../../testing/property/book-sums.ts'

const file = join(projectRoot, '../shared/data/online-retail.csv.gz')
const isHere = existsSync(file)
if (!isHere) console.warn(`SKIPPED: the Online Retail data set (541,909 rows) is not at ${file}`)

describe.skipIf(!isHere)('the books of the public data set', () => {
  it('tie to the ledger in each of its months', async () => {
    const s = await testShop({ timeZone: 'Europe/London' })
    await importFile(s, file)
    const { key } = await testKey(s)
    const range = { from: '2010-12-01', to: '2011-12-31', by: 'month' }
    const answer = await callWithKey(s, readPointReport, range, key)
    const report = readPointReport.data.parse(answer.data)
    const sums = await readSums(s, 'Europe/London')
    expect(report.difference).toEqual({ accounts: 0, lots: 0 })
    expect(report.rows).toHaveLength(13)
    expect(report.total.types[0]?.entries).toBeGreaterThan(15_000)
    for (const row of report.rows) {
      const first = `${row.key}-01`
      expect(figuresOf(row)).toEqual(sumsOf(sums, first, endOf(first).last))
    }
    for (const { key: month, opening, closing } of report.rows) {
      const closed = await closeMonth(s.database, s, month ?? '')
      expect(closed).toMatchObject({ opening: opening.points, closing: closing.points })
    }
    const began = performance.now()
    expect(await s.violations()).toEqual([])
    console.info(`doctor with 13 closed months: ${Math.round(performance.now() - began)} ms`)
    await s.close()
  }, 600_000)
})
