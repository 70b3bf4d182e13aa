import { postPoints, readPointReport } from '@tillside/contract/integration/points'
import { postTransactions } from '@tillside/contract/integration/transactions'
import { expect, it, onTestFinished } from 'vitest'
import { callWithKey, sendItems, testKey } from '../../testing/factories/key.ts'
import { testMember } from '../../testing/factories/member.ts'
import { nameOf, receipt } from '../../testing/factories/receipt.ts'
import { pointRules } from '../../testing/factories/spending.ts'
import { testShop } from '../../testing/factories/shop.ts'

it('a late receipt of an earlier day lowers the debt of that day, even below zero', async () => {
  const s = await testShop({ points: { ...pointRules, refundPolicy: 'debt' } })
  onTestFinished(() => s.close())
  const { key } = await testKey(s)
  const { memberCode } = await testMember(s)
  const at = (day: string) => ({ memberCode, occurredAt: `2026-${day}T04:00:00Z` })
  const sale = receipt([['TEA', '100.00', 1]], at('02-10'))
  const back = receipt([['TEA', '100.00', -1]], { ...at('03-05'), original: nameOf(sale) })
  await sendItems(s, postTransactions, [sale], key)
  const reason = 'a mistake'
  const taken = {
    operationId: 'D1',
    memberCode,
    type: 'specialDeduct' as const,
    points: 100,
    reason,
  }
  await sendItems(s, postPoints, [taken], key)
  await sendItems(s, postTransactions, [back], key)
  await sendItems(s, postTransactions, [receipt([['TEA', '70.00', 1]], at('02-20'))], key)
  const input = { from: '2026-02-01', to: '2026-02-28' }
  const { data } = await callWithKey(s, readPointReport, input, key)
  const report = readPointReport.data.parse(data)
  expect(report.outstanding).toMatchObject([{ points: 100 }])
  expect(report.inDebt.points).toBe(-70)
  expect(report.total.closing.points).toBe(170)
  expect(report.difference).toEqual({ accounts: 0, lots: 0 })
  expect(await s.violations()).toEqual([])
})
