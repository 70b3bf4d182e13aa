import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { findCompany, findCompanyId } from '../company/find.ts'
import { type Database, openDatabase, statement } from '../database/database.ts'
import { companyFolder } from '../testing/factories/folder.ts'
import { receipt } from '../testing/factories/receipt.ts'
import { record } from '../transaction/record.ts'
import { applyCompany } from './apply.ts'
import { describe as inWords } from './difference.ts'
import { exportCompany } from './export.ts'
import { readFolder } from './folder.ts'

const readStopped = statement(
  `select 'tier' as noun, tier_code as key, stopped from tier where company_id = $1
   union all select 'gift', gift_id, stopped from gift where company_id = $1
   union all select 'coupon', coupon_id, stopped from coupon_definition where company_id = $1
   union all select 'store', store_code, not active from store where company_id = $1`,
  z.object({ noun: z.string(), key: z.string(), stopped: z.boolean() }),
)
const readGroup = statement(
  'select permissions, version from staff_group where company_id = $1 and group_code = $2',
  z.object({ permissions: z.array(z.string()), version: z.int() }),
)
const countAudit = statement(
  `select count(*)::int as rows from audit where company_id = $1 and action like 'company.%'`,
  z.object({ rows: z.int() }),
)
const giveOut = statement(
  'update stock set issued = 10 where company_id = $1 and item_id = $2',
  z.unknown(),
)

let database: Database
let home: string
beforeAll(async () => {
  database = openDatabase(inject('databaseUrl'))
  home = await mkdtemp(join(tmpdir(), 'tillside-folder-'))
})
afterAll(async () => {
  await database.close()
  await rm(home, { recursive: true })
})

/** Removes the list item that begins with this line. */
function without(yaml: string, first: string): string {
  const at = yaml.indexOf(`  - ${first}\n`)
  const next = /\n(?= {0,2}\S)/.exec(yaml.slice(at + 4))
  return yaml.slice(0, at) + yaml.slice(at + 4 + (next?.index ?? 0) + 1)
}

describe('apply', () => {
  test('creates a company, and changes nothing the second time', async () => {
    const { folder, identifier } = await companyFolder(home)
    const source = await readFolder(folder)
    const first = await applyCompany(database, source)
    expect(first).toMatchObject({ identifier, created: true, revision: 1 })
    const second = await applyCompany(database, source)
    expect(second).toMatchObject({ identifier, created: false, revision: 1, changes: [] })
    const found = await findCompany(database, identifier)
    expect(found).toMatchObject({ revision: 1, timeZone: 'America/New_York', logo: source.logo })
    const audit = await database.transaction(found?.id ?? '', (tx) =>
      tx.one(countAudit, [found?.id]),
    )
    expect(audit.rows).toBe(first.changes.length)
  })

  test('only shows the changes with dryRun, for new and existing companies', async () => {
    const { folder, identifier, rewrite } = await companyFolder(home)
    const shown = await applyCompany(database, await readFolder(folder), { dryRun: true })
    expect(shown.changes.map(inWords)).toContain('add tier gold')
    expect(await findCompanyId(database, identifier)).toBeNull()
    await applyCompany(database, await readFolder(folder))
    await rewrite((yaml) => yaml.replace('#00704a', '#123456'))
    const again = await applyCompany(database, await readFolder(folder), { dryRun: true })
    expect(again.changes.map(inWords)).toEqual([
      `change company ${identifier}: color "#00704a" → "#123456"`,
    ])
    expect((await findCompany(database, identifier))?.settings.color).toBe('#00704a')
  })

  test('writes the changes, and increments the revision and group versions', async () => {
    const { folder, identifier, rewrite } = await companyFolder(home)
    await applyCompany(database, await readFolder(folder))
    await rewrite((yaml) =>
      yaml
        .replace(/threshold: ['"]1200['"]/, "threshold: '1300.5'")
        .replace(
          'permissions: [homeMembertier, coupon, couponView,',
          'permissions: [coupon, couponView,',
        ),
    )
    const { revision, changes } = await applyCompany(database, await readFolder(folder))
    expect(revision).toBe(2)
    expect(changes.map(inWords)).toEqual([
      expect.stringMatching(/^change group viewer: permissions /),
      'change tier gold: threshold "1200.00" → "1300.50"',
    ])
    const id = (await findCompanyId(database, identifier)) ?? ''
    const [viewer, full] = await database.transaction(id, (tx) =>
      Promise.all([tx.one(readGroup, [id, 'viewer']), tx.one(readGroup, [id, 'full'])]),
    )
    expect([viewer.version, full.version]).toEqual([2, 1])
  })

  test('stops rows missing in the folder, and starts them again', async () => {
    const { folder, identifier, rewrite } = await companyFolder(home)
    // A promotion for a missing store would be refused.
    await rewrite((yaml) => yaml.replace('stores: [NY003]', 'stores: [NY002]'))
    const whole = await readFile(join(folder, 'company.yaml'), 'utf8')
    await applyCompany(database, await readFolder(folder))
    const gone = ['code: diamond', 'id: G-BEANS', 'id: SATURDAY', 'code: NY003', 'code: viewer']
    await rewrite((yaml) => gone.reduce(without, yaml))
    const { changes } = await applyCompany(database, await readFolder(folder))
    expect(changes.map(({ action, noun, key }) => `${action} ${noun} ${key}`)).toEqual([
      'stop store NY003',
      'stop group viewer',
      'stop tier diamond',
      'stop gift G-BEANS',
      'stop coupon SATURDAY',
    ])
    const id = (await findCompanyId(database, identifier)) ?? ''
    const rows = await database.transaction(id, (tx) => tx.all(readStopped, [id]))
    const stopped = rows.filter((row) => row.stopped).map((row) => row.key)
    expect(stopped.sort()).toEqual(['G-BEANS', 'NY003', 'NY009', 'SATURDAY', 'diamond'])
    const viewer = await database.transaction(id, (tx) => tx.one(readGroup, [id, 'viewer']))
    expect(viewer).toEqual({ permissions: [], version: 2 })
    expect((await applyCompany(database, await readFolder(folder))).changes).toEqual([])
    await rewrite(() => whole)
    await applyCompany(database, await readFolder(folder))
    const back = await database.transaction(id, (tx) => tx.all(readStopped, [id]))
    expect(back.filter((row) => row.stopped).map((row) => row.key)).toEqual(['NY009'])
  })

  test("gives a stopped tier's level to another, and lets tiers swap levels", async () => {
    const { folder, rewrite } = await companyFolder(home)
    await applyCompany(database, await readFolder(folder))
    await rewrite((yaml) =>
      yaml
        .replace('code: green', 'code: swap')
        .replace('code: gold', 'code: green')
        .replace('code: swap', 'code: gold'),
    )
    const { changes } = await applyCompany(database, await readFolder(folder))
    expect(changes.map((change) => change.key).sort()).toEqual(['gold', 'green'])
    await rewrite((yaml) => yaml.replace('code: diamond', 'code: platinum'))
    const next = await applyCompany(database, await readFolder(folder))
    expect(next.changes.map(({ action, key }) => `${action} ${key}`)).toEqual([
      'add platinum',
      'stop diamond',
    ])
  })

  test('refuses a stock below the number issued, and changes nothing', async () => {
    const { folder, identifier, rewrite } = await companyFolder(home)
    await applyCompany(database, await readFolder(folder))
    const id = (await findCompanyId(database, identifier)) ?? ''
    await database.transaction(id, (tx) => tx.run(giveOut, [id, 'TOTE']))
    await rewrite((yaml) => yaml.replace('stock: 150', 'stock: 9').replace('#00704a', '#123456'))
    await expect(applyCompany(database, await readFolder(folder))).rejects.toThrow(
      'the stock of coupon TOTE is 9, but 10 are already issued',
    )
    expect((await findCompany(database, identifier))?.settings.color).toBe('#00704a')
  })

  test('waits for orders that have begun before it lowers a stock', async () => {
    const { folder, identifier, rewrite } = await companyFolder(home)
    await applyCompany(database, await readFolder(folder))
    const id = (await findCompanyId(database, identifier)) ?? ''
    await rewrite((yaml) => yaml.replace('stock: 150', 'stock: 9'))
    const source = await readFolder(folder)
    let applied: Promise<unknown> | undefined
    await database.transaction(id, async (tx) => {
      await tx.run(giveOut, [id, 'TOTE'])
      applied = applyCompany(database, source).catch((error: unknown) => error)
      await setTimeout(300)
    })
    expect(String(await applied)).toContain('10 are already issued')
  })

  test('takes another currency with other decimals only before the first receipt', async () => {
    const { folder, identifier, rewrite } = await companyFolder(home)
    const apply = async () => applyCompany(database, await readFolder(folder))
    await apply()
    await rewrite((yaml) => yaml.replace(/^color:/m, 'currency: { code: KWD }\ncolor:'))
    expect((await apply()).changes.map(inWords)).toContain(
      'change tier gold: threshold "1200.00" → "1200.000", renew_threshold "1000.00" → "1000.000"',
    )
    await rewrite((yaml) => yaml.replace('KWD', 'JPY'))
    await apply()
    const company = await findCompany(database, identifier)
    if (company === null) throw new Error('the company is gone')
    const input = receipt([], { totalAmount: '5', netSpend: '5', storeCode: null })
    await database.transaction(company.id, (tx) => record(tx, company, null, input))
    await rewrite((yaml) => yaml.replace('JPY', 'USD'))
    await expect(apply()).rejects.toThrow(
      'the currency would have 2 decimals, but the receipts of the company have 0',
    )
    await rewrite((yaml) => yaml.replace('USD', 'KRW'))
    expect((await apply()).changes).toHaveLength(1)
  })

  test('may run several times concurrently', async () => {
    const { folder } = await companyFolder(home)
    const source = await readFolder(folder)
    const all = await Promise.all(Array.from({ length: 5 }, () => applyCompany(database, source)))
    expect(all.filter((applied) => applied.created)).toHaveLength(1)
    expect(all.map((applied) => applied.revision)).toEqual([1, 1, 1, 1, 1])
  })

  test('takes one of several concurrent changes of the same revision', async () => {
    const { folder, rewrite } = await companyFolder(home)
    await applyCompany(database, await readFolder(folder))
    const sources: Awaited<ReturnType<typeof readFolder>>[] = []
    for (const hours of [8, 9, 10, 11]) {
      await rewrite((yaml) => yaml.replace(/sessionHours: \d+/, `sessionHours: ${hours}`))
      sources.push(await readFolder(folder))
    }
    const all = await Promise.allSettled(
      sources.map((source) => applyCompany(database, source, { base: 1 })),
    )
    const taken = all.filter(({ status }) => status === 'fulfilled')
    expect(taken).toMatchObject([{ value: { revision: 2 } }])
    const refused = all.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
    expect(refused.filter((text) => text.includes('is at revision 2'))).toHaveLength(3)
  })

  test('an export applied again changes nothing', async () => {
    for (const from of ['aurora', 'lotus', 'harbour', 'formosa']) {
      const { folder, identifier, rewrite } = await companyFolder(home, (yaml) => yaml, from)
      await applyCompany(database, await readFolder(folder))
      const id = (await findCompanyId(database, identifier)) ?? ''
      const { yaml } = await database.transaction(id, (tx) => exportCompany(tx, id))
      await rewrite(() => yaml)
      const { changes } = await applyCompany(database, await readFolder(folder))
      expect(changes).toEqual([])
    }
  })
})
