import { getOneCustomer } from '@tillside/contract/member'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { distribute } from '../../cluster/distribute.ts'
import { statement } from '../../database/database.ts'
import { migrate } from '../../database/migrate.ts'
import { makeDatabase } from '../../testing/cluster/database.ts'
import { call } from '../../testing/factories/company.ts'
import { testMember } from '../../testing/factories/member.ts'
import { Clerks } from '../clerks.ts'
import { allWell, faultShop, seed, settle } from '../counter.ts'
import { Watch } from '../watch.ts'

// The first distribution of a database, while its servers are at work.

const readPrepared = statement(
  'select statement as text from pg_prepared_statements',
  z.object({ text: z.string() }),
)

test(`servers go on while their database becomes a cluster (seed ${seed})`, async () => {
  const url = await makeDatabase()
  const at = await faultShop(2, { url: await migrate(url), environment: { DATABASE_URL: url } })
  onTestFinished(() => at.close())
  const { counter, fleet, shop } = at
  const clerks = new Clerks(counter, () => fleet.addresses())
  void clerks.work(4, seed)
  // This process has connections that wait meanwhile.
  const { token, people } = counter
  const found = () => call(shop, getOneCustomer, { code: people[0]?.memberCode }, { token })
  const several = () => Promise.all([found(), found(), found()])
  await several()
  const watch = new Watch(fleet.addresses()[0] ?? '', counter, 50)
  await watch.works()
  const begun = performance.now()
  // A connection that is opened meanwhile does not know the cluster yet.
  const early: Promise<unknown>[] = []
  await distribute(url, {}, () => void early.push(testMember(shop).catch(() => null)))
  await Promise.all(early)
  const distributed = performance.now()
  expect((await several()).map(({ code }) => code)).toEqual([0, 0, 0])
  await watch.works()
  await watch.stop()
  // A look-up fails while its connection ends, and finds the member otherwise.
  const { statuses, slowestMs } = watch.between(begun, distributed)
  expect(statuses.filter((status) => ![200, 503].includes(status))).toEqual([])
  // Changes now commit in two phases, on each connection.
  const prepared = () => shop.database.transaction(shop.id, (tx) => tx.all(readPrepared, []))
  for (const texts of await Promise.all([prepared(), prepared(), prepared(), prepared()])) {
    expect(texts.map(({ text }) => text)).toContain('delete from two_phases')
  }
  const { figures, findings } = await settle(at, clerks)
  const seconds = ((distributed - begun) / 1000).toFixed(1)
  console.info(`${seconds} s, the slowest look-up ${slowestMs} ms (seed ${seed}): ${figures}`)
  expect(findings).toEqual(allWell)
}, 600_000)
