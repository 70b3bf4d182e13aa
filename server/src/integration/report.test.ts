import { integrationBase } from '@tillside/contract/integration/endpoint'
import { readPointReport } from '@tillside/contract/integration/points'
import * as pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { testKey } from '../testing/factories/key.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'
import { twoServers } from '../testing/servers/two.ts'

let s: Shop
let other: Shop
let owner: pg.Client
let addresses: [string, string]
const range = 'from=2026-03-01&to=2026-03-31'
const sound = { status: 200, body: { difference: { accounts: 0, lots: 0 } } }

beforeAll(async () => {
  ;[s, other] = [await testShop(), await testShop()]
  owner = new pg.Client({ connectionString: inject('ownerUrl') })
  await owner.connect()
  await owner.query(`select set_config('app.company_id', $1, false)`, [s.id])
  addresses = await twoServers()
})
afterAll(async () => {
  await owner.end()
  await Promise.all([s.close(), other.close()])
})

async function ask(n: number, key: string) {
  const response = await fetch(
    `${addresses[n]}${integrationBase}${readPointReport.path}?${range}`,
    { headers: { authorization: `Bearer ${key}` } },
  )
  const { status, headers } = response
  return { status, body: await response.json(), retryAfter: headers.get('retry-after') }
}
const turns = async () => (await owner.query('select from point_report')).rowCount

it('is made once at a time in all processes, and another request is asked to repeat', async () => {
  const [{ key }, { key: foreign }] = await Promise.all([testKey(s), testKey(other)])
  // A report reads this table, so it waits.
  await owner.query('begin; lock table point_forgiven in access exclusive mode')
  const first = ask(0, key)
  await expect.poll(turns).toBe(1)
  const body = { code: 'unavailable', data: { unchanged: true } }
  const refused = { status: 503, body, retryAfter: expect.any(String) }
  // Together, because the first one waits for the lock for two seconds at most.
  for (const answer of await Promise.all([0, 1, 0, 1].map((n) => ask(n, key)))) {
    expect(answer).toMatchObject(refused)
  }
  const elsewhere = ask(1, foreign)
  await owner.query('commit')
  expect(await Promise.all([first, elsewhere])).toMatchObject([sound, sound])
  expect(await turns()).toBe(0)
  expect(await ask(1, key)).toMatchObject(sound)
})

it('is made again when a process was killed while it made one', async () => {
  const { key } = await testKey(s)
  const leave = (minutes: number) =>
    owner.query(
      `insert into point_report values ($1, gen_random_uuid(), now() - make_interval(mins => $2))
       on conflict (company_id) do update set begun_at = excluded.begun_at`,
      [s.id, minutes],
    )
  await leave(5)
  expect(await ask(0, key)).toMatchObject({ status: 503 })
  await leave(7)
  expect(await ask(1, key)).toMatchObject(sound)
  expect(await turns()).toBe(0)
})
