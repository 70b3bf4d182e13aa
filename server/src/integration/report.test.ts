import type { Database } from '../database/database.ts'
import { findCompany } from '../company/find.ts'
import { HttpRefusal, refuse } from '../text/fail.ts'
import { testShop } from '../testing/factories/shop.ts'
import { expect, it, onTestFinished } from 'vitest'
import { reportToKey } from './report.ts'

it('makes one report of a company at a time, and asks to repeat another one', async () => {
  const s = await testShop()
  onTestFinished(() => s.close())
  const found = await findCompany(s.database, s.identifier)
  if (found === null) throw new Error('no company')
  const other = await testShop()
  onTestFinished(() => other.close())
  const otherFound = await findCompany(other.database, other.identifier)
  if (otherFound === null) throw new Error('no company')
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const slow: Database = {
    ...s.database,
    async reading(id, work) {
      await gate
      return s.database.reading(id, work)
    },
  }
  const ask = async (company: typeof found, database: Database) =>
    reportToKey(
      {
        database,
        company: { ...company, identifier: s.identifier, stores: new Set(['S1']) },
        key: { id: s.id, scopes: new Set(['reports:read']), stores: null },
        now: '2026-03-31T04:00:00Z',
        today: '2026-03-31',
        language: 'en-US',
        requestId: 'one',
        fail: refuse,
        report: () => {},
      },
      { from: '2026-03-01', to: '2026-03-31', by: 'type' },
    )
  const first = ask(found, slow)
  await expect(ask(found, s.database)).rejects.toThrow(new HttpRefusal('unavailable', true))
  expect((await ask(otherFound, other.database)).difference).toEqual({ accounts: 0, lots: 0 })
  open()
  expect((await first).difference).toEqual({ accounts: 0, lots: 0 })
  expect((await ask(found, s.database)).difference).toEqual({ accounts: 0, lots: 0 })
})
