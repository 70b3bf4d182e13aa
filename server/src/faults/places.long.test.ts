import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { integrationBase } from '@tillside/contract/integration/endpoint'
import { postTransactions } from '@tillside/contract/integration/transactions'
import * as pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { projectRoot } from '../process/config.ts'
import { contentsOf } from '../testing/contents.ts'
import { callWithKey, testKey } from '../testing/factories/key.ts'
import { testMember } from '../testing/factories/member.ts'
import { nameOf, receipt, saleEffects } from '../testing/factories/receipt.ts'
import { author, type Known, testMergeShop } from '../testing/merge-shop.ts'
import { atLevel } from '../testing/repetition.ts'
import { sendUntilAnswered, type ServerProcess, startServer } from '../testing/servers/process.ts'
import type { TransactionInput } from '../transaction/input.ts'
import { misplacedRows } from './changes/misplaced.ts'
import { checkOut, commitBefore, unlessWithout } from './release.ts'

// During an upgrade the release before receipts had places works beside this one, on a database
// with the migrations of this one. It writes neither places nor keys of receipts, and it merges
// members by changing the member of each row.

const rounds = atLevel({ short: 4, full: 20, long: 200 })
const merges = atLevel({ short: 1, full: 2, long: 8 })
const timeout = 120_000 + rounds * 10_000 + merges * 60_000

const commit = commitBefore('server/migrations/0083_place_of_receipts.sql')

describe.skipIf(commit === null)(`the release before places${unlessWithout(commit)}`, () => {
  let t: Awaited<ReturnType<typeof testMergeShop>>
  let owner: pg.Client
  let earlier: Awaited<ReturnType<typeof checkOut>>
  let key: string
  let addresses: [before: string, now: string]
  const servers: ServerProcess[] = []
  beforeAll(async () => {
    earlier = await checkOut(commit ?? '')
    t = await testMergeShop()
    key = (await testKey(t.shop)).key
    owner = new pg.Client({ connectionString: inject('ownerUrl') })
    await owner.connect()
    await owner.query(`select set_config('app.company_id', $1, false)`, [t.shop.id])
    const environment = { DATABASE_URL: inject('ownerUrl'), LOG_LEVEL: 'silent' }
    servers.push(startServer(environment, earlier.folder), startServer(environment))
    const [before, ours] = await Promise.all(servers.map(({ ready }) => ready))
    addresses = [before ?? '', ours ?? '']
  })
  afterAll(async () => {
    for (const { process } of servers) process.kill()
    await Promise.all(servers.map(({ ended }) => ended))
    await owner.end()
    await t.shop.close()
    await earlier.remove()
  })

  /** The outcome of a receipt that a till sends to a server. */
  async function sendTo(address: string, input: TransactionInput): Promise<string> {
    const url = address + integrationBase + postTransactions.path
    const response = await sendUntilAnswered(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ items: [input] }),
    })
    const [item] = postTransactions.data.parse(await response.json()).items
    return item === undefined || 'reason' in item ? JSON.stringify(item) : item.outcome
  }
  const both = (input: TransactionInput) =>
    Promise.all(addresses.map((address) => sendTo(address, input)))

  describe.each(['both at once', 'the earlier one first', 'this one first'])('%s', (order) => {
    /** Sends a receipt to both releases. */
    async function sendInOrder(input: TransactionInput): Promise<string[]> {
      if (order === 'both at once') return (await Promise.all([both(input), both(input)])).flat()
      const turns = order === 'this one first' ? addresses.toReversed() : addresses
      const outcomes: string[] = []
      for (const address of turns) outcomes.push(await sendTo(address, input))
      return outcomes
    }

    test(`each of ${rounds} receipts of each kind is recorded once`, { timeout }, async () => {
      for (let n = 0; n < rounds; n++) {
        const [member, alone] = [await testMember(t.shop), await testMember(t.shop)]
        const [own, twin] = [receiptsOf(member), receiptsOf(alone)]
        for (const input of own) {
          const [first, ...others] = (await sendInOrder(input)).toSorted()
          expect(first).toBe('created')
          expect(new Set(others)).toEqual(new Set(['unchanged']))
          expect(await both(input)).toEqual(['unchanged', 'unchanged'])
          const changed = await both({ ...input, sales: 'Ben' })
          for (const refusal of changed) expect(refusal).toContain('"changed"')
        }
        for (const input of twin) {
          const { data } = await callWithKey(t.shop, postTransactions, { items: [input] }, key)
          expect(data).toMatchObject({ created: 1 })
        }
        // As if this release alone had recorded them.
        expect(await saleEffects(t.shop, member)).toEqual(await saleEffects(t.shop, alone))
        expect(await rowsOf(own)).toEqual(await rowsOf(twin))
      }
      await expectOrder()
    })
  })

  describe.each([
    { merging: 'the earlier one', parting: 'this one' },
    { merging: 'this one', parting: 'the earlier one' },
    { merging: 'the earlier one', parting: 'the earlier one' },
  ] as const)('$merging merges two members, $parting parts them', ({ merging, parting }) => {
    const rootOf = { 'the earlier one': earlierFolder, 'this one': () => projectRoot }

    const merge = (survivor: Known, merged: Known) => {
      const codes = [survivor.memberCode, merged.memberCode]
      const words = ['member', 'merge', t.shop.identifier, ...codes, '--confirm', ...author]
      return run(rootOf[merging](), words)
    }
    const part = ({ memberCode }: Known) => {
      const words = ['member', 'unmerge', t.shop.identifier, memberCode, ...author]
      return run(rootOf[parting](), words)
    }
    // The earlier one refuses to part members of whom one has returned a sale without a member.
    const isWhole = parting === 'this one'

    test('both are as before', { timeout }, async () => {
      for (let n = 0; n < merges; n++) {
        const [survivor, merged] = [await busy(isWhole), await busy(isWhole)]
        const before = await allOf(survivor, merged)
        expect(await merge(survivor, merged)).toBe('')
        expect((await t.rowsOf(merged))['point_entry']).toEqual([])
        await expectOrder()
        expect(await part(merged)).toBe('')
        expect(await allOf(survivor, merged)).toEqual(before)
        await expectOrder()
      }
    })

    test('both record the receipts of the merged member at the survivor', async () => {
      const [survivor, merged] = [await busy(isWhole), await busy(isWhole)]
      const own = receipt([['TEA', '40.00', 1]], { memberCode: merged.memberCode })
      expect(await sendTo(addresses[0], own)).toBe('created')
      const before = [await ownOf(survivor), await ownOf(merged)]
      expect(await merge(survivor, merged)).toBe('')
      const since = addresses.map(() => receiptsOf(merged).slice(0, isWhole ? undefined : -1))
      for (const [n, inputs] of since.entries()) {
        for (const input of inputs) expect(await sendTo(addresses[n] ?? '', input)).toBe('created')
      }
      expect(await ownOf(merged)).toEqual([])
      expect(await ownOf(survivor)).toEqual([...before, ofMembers(since)].flat().toSorted())
      await expectOrder()
      expect(await part(merged)).toBe('')
      expect(await ownOf(survivor)).toEqual([before[0] ?? [], ofMembers(since)].flat().toSorted())
      expect(await ownOf(merged)).toEqual(before[1])
      await expectOrder()
    })
  })

  /** The invoice numbers of a member's receipts. */
  async function ownOf({ id }: Known): Promise<string[]> {
    const text = 'select invoice_number from transaction where company_id = $1 and member_id = $2'
    const { rows } = await owner.query(text, [t.shop.id, id])
    return z
      .array(z.object({ invoice_number: z.string() }))
      .parse(rows)
      .map((row) => row.invoice_number)
      .toSorted()
  }

  async function expectOrder(): Promise<void> {
    expect(await misplaced()).toEqual([])
    expect(await t.shop.violations()).toEqual([])
  }

  function earlierFolder(): string {
    return earlier.folder
  }

  /**
   * A member with receipts of both releases.
   * @param isWhole whether one of them returns a sale without a member
   */
  async function busy(isWhole: boolean): Promise<Known> {
    const member = await t.busy()
    for (const address of addresses) {
      for (const input of receiptsOf(member).slice(0, isWhole ? undefined : -1)) {
        expect(await sendTo(address, input)).toBe('created')
      }
    }
    return member
  }

  /** Every row of both members, and a print of all tables of the company. */
  async function allOf(...members: Known[]) {
    const rows = []
    for (const member of members) rows.push(await t.rowsOf(member))
    return { rows, tables: await contentsOf(t.shop, records) }
  }

  /** The rows of receipts, without ids and times: their tables have no member. */
  async function rowsOf(inputs: readonly TransactionInput[]): Promise<unknown[]> {
    const { rows } = await owner.query(readRows, [t.shop.id, inputs.map((i) => i.invoiceNumber)])
    return rows
  }

  async function misplaced(): Promise<unknown[]> {
    return (await owner.query(misplacedRows, [t.shop.id])).rows
  }
})

/** The numbers of those receipts of `receiptsOf` that a member has. */
function ofMembers(inputs: readonly TransactionInput[][]): string[] {
  return inputs.flatMap((of) =>
    of.filter((_, n) => !withoutMember.has(n)).map((input) => input.invoiceNumber),
  )
}

/** They record acts. */
const records = ['audit', 'delivery', 'event', 'outbox', 'outbox_member', 'session_epoch'].concat([
  'member_merge',
  'member_merge_row',
])

const withoutMember = new Set([1, 4])

/** Sales with lines and coupons and their returns, with a member, without one, and in between. */
function receiptsOf({ memberCode }: Known): TransactionInput[] {
  const lines = [['TEA', '12.50', 2] as const, ['CUP', '30.00', 1] as const]
  const coupons = [{ code: 'C-1', name: 'Ten', value: '10.00', quantity: 1 }]
  const back = [['TEA', '12.50', -1] as const]
  const sale = receipt(lines, { memberCode, coupons })
  const free = receipt(lines, { coupons })
  return [
    sale,
    free,
    receipt(back, { memberCode, original: nameOf(sale) }),
    // Without a member's code, of a member's sale.
    receipt(back, { original: nameOf(sale) }),
    receipt(back, { original: nameOf(free) }),
    receipt([], { memberCode }),
    // A member returns a sale without a member.
    receipt(back, { memberCode, original: nameOf(free) }),
  ]
}

const readRows = `select t.invoice_type, t.net_spend, t.points_earned, t.item_count, t.status,
    t.member_id is null as free, t.member_id = t.place as placed,
    (select count(*)::int from receipt_key k where k.company_id = t.company_id
      and k.invoice_number = t.invoice_number and k.source = t.source) as keys,
    (select jsonb_agg(to_jsonb(i) - '{place,transaction_id}'::text[] order by line_no)
      from transaction_item i where i.company_id = t.company_id
        and i.transaction_id = t.transaction_id) as items,
    (select jsonb_agg(to_jsonb(c) - '{place,transaction_id}'::text[] order by line_no)
      from transaction_coupon c where c.company_id = t.company_id
        and c.transaction_id = t.transaction_id) as coupons,
    (select jsonb_agg(to_jsonb(r) - '{place,transaction_id,original_id}'::text[] order by line_no)
      from transaction_return r where r.company_id = t.company_id
        and r.transaction_id = t.transaction_id) as parts
  from transaction t where t.company_id = $1 and t.invoice_number = any ($2)
  order by array_position($2, t.invoice_number)`

/** Runs a command of a release in a process of its own. @returns its error output */
function run(root: string, words: readonly string[]): Promise<string> {
  const env = { ...process.env, DATABASE_URL: inject('ownerUrl') }
  const cli = join(root, 'server/src/cli.ts')
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [cli, ...words], { env }, (_error, _out, stderr) => {
      resolve(child.exitCode === 0 ? '' : `exit ${child.exitCode}: ${stderr}`)
    })
  })
}
