import { beforeEach, expect, test } from 'vitest'
import { openHistory } from './history.ts'

const secretOf = (byte: number) => btoa(String.fromCharCode(...new Uint8Array(32).fill(byte)))
const hour = 3_600_000
const noon = Date.UTC(2026, 10, 20, 12)

const kept = new Map<string, string>()
let now = noon
const storage = {
  getItem: (name: string) => kept.get(name) ?? null,
  setItem: (name: string, value: string) => void kept.set(name, value),
  removeItem: (name: string) => void kept.delete(name),
}
const name = 'tillside:harbour:search-history'
const open = (account: number, at = name) =>
  openHistory(secretOf(account), {
    storage,
    name: at,
    dayOf: (time) => new Date(time).toISOString().slice(0, 10),
    now: () => now,
  })
const codes = async (account: number) =>
  (await (await open(account)).entries()).map(({ key }) => ('code' in key ? key.code : key))

beforeEach(() => {
  kept.clear()
  now = noon
})

test('returns searches newest first, without duplicates', async () => {
  const history = await open(1)
  for (const code of ['A', 'B', 'C', 'A']) {
    await history.add({ code })
    now += 1000
  }
  expect(await codes(1)).toEqual(['A', 'C', 'B'])
  expect((await history.entries())[0]?.time).toBe(noon + 3000)
})

test('returns every kind of look-up unchanged', async () => {
  const lookUps = [
    { cardNumber: '6200000030001' },
    { countryCode: '852', mobile: '51234567' },
    { uniCustomerNo: 'UHAR10001' },
    { email: '美玲@例子.hk' },
  ]
  const history = await open(1)
  for (const one of lookUps) await history.add(one)
  expect((await (await open(1)).entries()).map(({ key }) => key)).toEqual(lookUps.toReversed())
})

test('cannot be read on the device or by another account', async () => {
  await (await open(1)).add({ countryCode: '852', mobile: '51234567' })
  const text = [...kept.values()].join()
  for (const plain of ['51234567', '852', secretOf(1), 'mobile']) expect(text).not.toContain(plain)
  expect(await codes(2)).toEqual([])
  // Another clerk's access has not deleted the entries.
  expect(await codes(1)).toHaveLength(1)
})

test('equal entries are encrypted differently each time', async () => {
  const history = await open(1)
  await history.add({ code: 'A' })
  const before = kept.get(name)
  now += 1
  await history.add({ code: 'A' })
  expect(kept.get(name)).not.toBe(before)
})

test('keeps at most 100 entries and 3 users', async () => {
  const history = await open(1)
  for (let n = 0; n < 105; n++) await history.add({ code: `C${n}` })
  const found = await codes(1)
  expect([found.length, found[0], found.at(-1)]).toEqual([100, 'C104', 'C5'])
  for (const account of [2, 3, 1, 4]) await (await open(account)).add({ code: 'X' })
  expect(await codes(2)).toEqual([])
  expect(await codes(3)).toEqual(['X'])
  expect((await codes(1))[0]).toBe('X')
  expect(await codes(4)).toEqual(['X'])
})

test('the next day all entries are deleted, for every account', async () => {
  await (await open(1)).add({ code: 'A' })
  now = Date.UTC(2026, 10, 20, 23, 59, 59)
  expect(await codes(1)).toEqual(['A'])
  now += 1000
  expect(await codes(2)).toEqual([])
  expect(kept.size).toBe(0)
})

test('yesterday’s entry is not kept together with today’s', async () => {
  now = noon - 13 * hour
  const history = await open(1)
  await history.add({ code: 'OLD' })
  now = noon
  await history.add({ code: 'NEW' })
  expect(await codes(1)).toEqual(['NEW'])
})

test('data of another version or format is deleted', async () => {
  await (await open(1)).add({ code: 'A' })
  const good = kept.get(name) ?? ''
  for (const bad of [good.replace('1.0.1', '1.0.0'), '{"version":"1.0.1"}', 'x', '', '[]']) {
    kept.set(name, bad)
    expect(await codes(1)).toEqual([])
    expect(kept.get(name)).toBeUndefined()
  }
})

const touched: [string, (text: string) => string][] = [
  ['its text', (t) => t.replace(/"data":"(.)/, (_, one) => `"data":"${one === 'A' ? 'B' : 'A'}`)],
  ['its beginning', (t) => t.replace(/"iv":"(.)/, (_, one) => `"iv":"${one === 'A' ? 'B' : 'A'}`)],
  ['what is no base64', (t) => t.replace(/"data":"[^"]+/, '"data":"?')],
]
test.each(touched)('data with a changed %s is deleted silently', async (_what, change) => {
  await (await open(2)).add({ code: 'OTHER' })
  const history = await open(1)
  await history.add({ code: 'A' })
  kept.set(name, change(kept.get(name) ?? ''))
  expect(await history.entries()).toEqual([])
  await history.add({ code: 'B' })
  expect(await codes(1)).toEqual(['B'])
  expect(await codes(2)).toEqual(['OTHER'])
})

test('data of another company or day cannot replace it', async () => {
  await (await open(1)).add({ code: 'A' })
  const good = kept.get(name) ?? ''
  kept.set('tillside:lotus:search-history', good)
  expect(await (await open(1, 'tillside:lotus:search-history')).entries()).toEqual([])
  now += 24 * hour
  kept.set(name, good.replace('2026-11-20', '2026-11-21'))
  expect(await codes(1)).toEqual([])
})

test('clearing deletes only one’s own entries', async () => {
  await (await open(2)).add({ code: 'OTHER' })
  const history = await open(1)
  await history.add({ code: 'A' })
  history.clear()
  expect(await codes(1)).toEqual([])
  expect(await codes(2)).toEqual(['OTHER'])
})
