import { postPoints, readPointReport } from '@tillside/contract/integration/points'
import { postTransactions } from '@tillside/contract/integration/transactions'
import * as pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { tillside } from '../../testing/command.ts'
import { callWithKey, sendItems, testKey } from '../../testing/factories/key.ts'
import { testMember } from '../../testing/factories/member.ts'
import { nameOf, receipt } from '../../testing/factories/receipt.ts'
import { pointRules } from '../../testing/factories/spending.ts'
import { type Shop, testShop } from '../../testing/factories/shop.ts'

const exchange = { minimum: 1, maximum: 5000, increment: 1, pointValue: '0.015', maxShare: null }

const at = (day: string) => `2026-${day}T04:00:00Z`

describe('the report of the books', () => {
  let s: Shop
  let key: string
  const ask = async (input: Record<string, string>, k = key) =>
    callWithKey(s, readPointReport, input, k)
  const reportOf = async (input: Record<string, string>) =>
    readPointReport.data.parse((await ask(input)).data)

  beforeAll(async () => {
    s = await testShop({
      points: {
        ...pointRules,
        expiry: { kind: 'months', months: 12 },
        refund: 'clamp',
        exchange,
        expectedRedemption: '0.8',
      },
    })
    key = (await testKey(s)).key
    const { memberCode } = await testMember(s)
    const sale = receipt([['TEA', '100.00', 3]], { memberCode, occurredAt: at('02-10') })
    const web = receipt([['TEA', '40.00', 1]], {
      memberCode,
      storeCode: null,
      occurredAt: '2026-03-31T15:59:59Z',
    })
    const later = receipt([['TEA', '7.00', 1]], { memberCode, occurredAt: '2026-03-31T16:00:00Z' })
    const back = receipt([['TEA', '100.00', -1]], {
      memberCode,
      occurredAt: at('03-01'),
      original: nameOf(sale),
    })
    const sent = await sendItems(s, postTransactions, [sale, web, later, back], key)
    expect(sent.created).toBe(4)
  })
  afterAll(async () => {
    expect(await s.violations()).toEqual([])
    await s.close()
  })

  it('adds up to the closing balance, by the days of the company', async () => {
    const report = await reportOf({ from: '2026-03-01', to: '2026-03-31' })
    const { total, outstanding, inDebt, difference } = report
    expect(total.opening).toEqual({ points: 300, worth: '4.50', expected: '3.60' })
    expect(total.types).toHaveLength(16)
    expect(total.types.filter(({ points }) => points !== 0)).toMatchObject([
      { type: 'earned', entries: 1, points: 40, worth: '0.60', expected: '0.48' },
      { type: 'returned', entries: 1, points: -100, worth: '-1.50', expected: '-1.20' },
    ])
    expect(total.lines).toMatchObject({
      issued: { points: 40 },
      takenBack: { points: -100 },
      redeemed: { points: 0 },
      expired: { points: 0 },
    })
    expect(total.closing.points).toBe(240)
    expect(outstanding).toEqual([
      { month: '2027-02', points: 200, worth: '3.00', expected: '2.40' },
      { month: '2027-03', points: 40, worth: '0.60', expected: '0.48' },
    ])
    expect(inDebt.points).toBe(0)
    expect(difference).toEqual({ accounts: 0, lots: 0 })
  })

  it('has a row for each month, and one for each store', async () => {
    const range = { from: '2026-02-01', to: '2026-04-15' }
    const months = await reportOf({ ...range, by: 'month' })
    expect(
      months.rows.map(({ key: month, opening, closing }) => [
        month,
        opening.points,
        closing.points,
      ]),
    ).toEqual([
      ['2026-02', 0, 300],
      ['2026-03', 300, 240],
      ['2026-04', 240, 247],
    ])
    const stores = await reportOf({ ...range, by: 'store' })
    expect(
      stores.rows.map(({ key: store, lines }) => [
        store,
        lines.issued.points,
        lines.takenBack.points,
      ]),
    ).toEqual([
      ['S1', 307, -100],
      [null, 40, 0],
    ])
  })

  it('shows what a return forgave, which is not a part of the sum', async () => {
    const { memberCode } = await testMember(s)
    const sale = receipt([['TEA', '90.00', 1]], { memberCode, occurredAt: at('05-02') })
    const back = receipt([['TEA', '90.00', -1]], {
      memberCode,
      storeCode: 'S2',
      occurredAt: at('05-20'),
      original: nameOf(sale),
    })
    await sendItems(s, postTransactions, [sale], key)
    const reason = 'a mistake'
    await sendItems(
      s,
      postPoints,
      [{ operationId: 'D1', memberCode, type: 'specialDeduct', points: 30, reason }],
      key,
    )
    await sendItems(s, postTransactions, [back], key)
    const { rows, total } = await reportOf({ from: '2026-05-01', to: '2026-05-31', by: 'store' })
    expect(total.forgiven).toEqual({ points: 30, worth: '0.45', expected: '0.36' })
    expect(rows.map(({ key: store, forgiven }) => [store, forgiven.points])).toEqual([
      ['S1', 0],
      ['S2', 30],
      [null, 0],
    ])
    expect(total.lines.takenBack.points).toBe(-60)
  })

  it('refuses a period that makes no sense, by name', async () => {
    const refused: [Record<string, string>, string, string][] = [
      [{ from: '1969-12-31', to: '2026-01-01' }, 'from', 'tooSmall'],
      [{ from: '2026-03-02', to: '2026-03-01' }, 'to', 'tooSmall'],
      [{ from: '2026-03-02', to: '9998-12-31' }, 'to', 'future'],
      [{ from: '2001-01-01', to: '2026-01-01' }, 'to', 'tooLarge'],
      [{ from: '2026-02-30', to: '2026-03-01' }, 'from', 'format'],
      [{ to: '2026-03-01' }, 'from', 'required'],
      [{ from: '2026-03-01', to: '2026-03-01', by: 'member' }, 'by', 'notAllowed'],
    ]
    for (const [input, path, reason] of refused) {
      const problem = { status: 422, errors: [expect.objectContaining({ path, code: reason })] }
      expect(await ask(input)).toMatchObject({ code: 'invalid', problem })
    }
  })

  it('is for keys of every store with the scope reports:read', async () => {
    const range = { from: '2026-03-01', to: '2026-03-31' }
    const [limited, other] = await Promise.all([
      testKey(s, { stores: ['S1'] }),
      testKey(s, { scopes: ['points:write'] }),
    ])
    expect(await ask(range, limited.key)).toMatchObject({ code: 'noPermission' })
    expect(await ask(range, other.key)).toMatchObject({ code: 'noPermission' })
  })

  it('is printed by the command line as text, as JSON and for spreadsheets', async () => {
    const range = ['--from', '2026-03-01', '--to', '2026-03-31']
    const run = (...more: string[]) =>
      tillside('points', 'report', '--company', s.identifier, ...range, ...more)
    const text = await run('--by', 'month')
    expect(text).toMatchObject({ code: 0, stderr: '' })
    expect(text.stdout).toContain('a point is worth 0.015, 0.8 expected\n')
    expect(text.stdout).toMatch(/^Opening +300 +4\.50 +3\.60$/m)
    expect(text.stdout).toMatch(/^ {2}returned +1 +-100 +-1\.50 +-1\.20$/m)
    expect(text.stdout).toMatch(/^2026-03 +300 +40 +-100 +0 +0 +240 +0$/m)
    expect(text.stdout).toMatch(/^Difference from the accounts: 0; from the lots: 0$/m)
    const json = await run('--json')
    expect(JSON.parse(json.stdout)).toEqual(
      await reportOf({ from: '2026-03-01', to: '2026-03-31' }),
    )
    const csv = (await run('--csv', '--by', 'store')).stdout.split('\n')
    expect(csv).toContain('total,,earned,1,40,0.60,0.48')
    expect(csv).toContain('store,S1,returned,1,-100,-1.50,-1.20')
    expect(csv).toContain('outstanding,2027-02,,,200,3.00,2.40')
    expect(csv).toContain('difference,,accounts,,0,,')
    const refused: [string, string, RegExp][] = [
      ['2026-13-01', '2026-03-01', /^--from must be a day such as 2026-10-01\n$/],
      ['2026-03-02', '2026-03-01', /^--to 2026-03-01 is before --from 2026-03-02\n$/],
      ['1500-01-01', '2026-03-01', /^--from 1500-01-01 is before 1970\n$/],
      ['2026-01-01', '9998-12-31', /^--to 9998-12-31 is after today, /],
      ['1999-01-01', '2026-03-01', /is more than ten years\n$/],
    ]
    for (const [from, to, stderr] of refused) {
      const words = ['--company', s.identifier, '--from', from, '--to', to]
      expect(await tillside('points', 'report', ...words)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(stderr),
      })
    }
  })
})

it('notices a lot that holds too much, also while another one holds too little', async () => {
  const s = await testShop({ points: { ...pointRules, expiry: { kind: 'months', months: 12 } } })
  const { key } = await testKey(s)
  const { memberCode } = await testMember(s)
  const days = ['02-10', '03-10', '04-10']
  const sales = days.map((day) =>
    receipt([['TEA', '50.00', 1]], { memberCode, occurredAt: at(day) }),
  )
  await sendItems(s, postTransactions, sales, key)
  const operation = { operationId: 'D1', memberCode, reason: 'a mistake' }
  await sendItems(s, postPoints, [{ ...operation, type: 'specialDeduct', points: 60 }], key)
  const owner = new pg.Client({ connectionString: inject('ownerUrl') })
  await owner.connect()
  await owner.query(`select set_config('app.company_id', $1, false)`, [s.id])
  const add = (month: string, points: number) =>
    owner.query(
      `update point_lot set remaining = remaining + $3
       where company_id = $1 and extract(month from expires_on) = $2::int`,
      [s.id, month, points],
    )
  const differences = async () => {
    const found: number[] = []
    for (const day of days) {
      const input = { from: '2026-01-01', to: `2026-${day}` }
      const { data } = await callWithKey(s, readPointReport, input, key)
      found.push(readPointReport.data.parse(data).difference.lots)
    }
    return found
  }
  expect(await differences()).toEqual([0, 0, 0])
  await add('03', 5)
  expect(await differences()).toEqual([5, 5, 5])
  await add('04', -5)
  // Their sum is right, also on the first two days, when one of them or both were not there.
  expect(await differences()).toEqual([10, 10, 10])
  const words = ['points', 'report', '--company', s.identifier]
  const range = ['--from', '2026-01-01', '--to', '2026-04-30']
  expect(await tillside(...words, ...range)).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^Difference from the accounts: 0; from the lots: 10$/m),
  })
  await Promise.all([add('03', -5), add('04', 5)])
  expect(await differences()).toEqual([0, 0, 0])
  await owner.end()
  await s.close()
})
