import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import type { Shop } from '../testing/factories/shop.ts'
import type { Effects, Person } from './errands.ts'
import type { Answered } from './clerks.ts'

// Compares the database with the acknowledged answers.

/** Each list has its own statement: a cluster joins no list of names with a table. */
const presentOf = (table: string, column: string, type: 'uuid' | 'text') =>
  statement(
    `select distinct ${column}::text as name from ${table}
     where company_id = $1 and ${column} = any ($2::${type}[])`,
    z.object({ name: z.string() }),
  )
const present = {
  entries: presentOf('point_entry', 'entry_id', 'uuid'),
  redeemed: presentOf('coupon_redemption', 'coupon_code', 'text'),
  issued: presentOf('coupon', 'coupon_code', 'text'),
  receipts: presentOf('transaction', 'invoice_number', 'text'),
  movements: presentOf('point_operation', 'operation_id', 'text'),
}
const counts = statement(
  `select
     (select count(*) from point_entry where company_id = $1 and staff_id is not null) as moved,
     (select count(*) from coupon_redemption where company_id = $1) as redeemed,
     (select count(*) from coupon where company_id = $1 and issued_by is not null) as issued,
     (select count(*) from transaction where company_id = $1) as receipts,
     (select count(*) from point_operation where company_id = $1) as movements,
     (select count(*) from operation where company_id = $1 and answer is null) as unanswered`,
  z.object({
    moved: z.int(),
    redeemed: z.int(),
    issued: z.int(),
    receipts: z.int(),
    movements: z.int(),
    unanswered: z.int(),
  }),
)
const redemptions = statement(
  `select coupon_code, count(*)::int as redeemed, count(cancelled_at)::int as undone
   from coupon_redemption where company_id = $1 group by coupon_code`,
  z.object({ coupon_code: z.string(), redeemed: z.int(), undone: z.int() }),
)
const balances = statement(
  `select member_id, balance from point_account where company_id = $1`,
  z.object({ member_id: z.string(), balance: z.int() }),
)

/**
 * Compares the database with the acknowledged answers. All three lists have to be empty.
 * @returns acknowledged effects that are missing, effects without an answer, broken invariants
 */
export async function audit(
  shop: Pick<Shop, 'database' | 'id' | 'violations'>,
  people: readonly Person[],
  answered: readonly Answered[],
): Promise<{ lost: string[]; twice: string[]; broken: string[] }> {
  const done = answered
    .filter(({ answer }) => answer.code === 0)
    .map(({ errand, answer }) => ({ errand, did: errand.effects(answer.data) }))
  const names = (of: (effects: Effects) => readonly string[]) => done.flatMap(({ did }) => of(did))
  const redeemed = names((e) => e.redeemed)
  const undone = names((e) => e.undone)
  const issued = names((e) => e.issued)
  const acknowledged = {
    entries: names((e) => e.entries),
    redeemed,
    issued,
    receipts: names((e) => e.receipts),
    movements: names((e) => e.movements),
  }
  const kinds = ['entries', 'redeemed', 'issued', 'receipts', 'movements'] as const
  const [stored, found, ofCoupons, accounts] = await shop.database.reading(shop.id, (tx) =>
    Promise.all([
      Promise.all(kinds.map((kind) => tx.all(present[kind], [shop.id, acknowledged[kind]]))),
      tx.one(counts, [shop.id]),
      tx.all(redemptions, [shop.id]),
      tx.all(balances, [shop.id]),
    ]),
  )
  const lost = kinds.flatMap((kind, n) => {
    const known = new Set(stored[n]?.map((row) => row.name))
    return acknowledged[kind].filter((name) => !known.has(name))
  })
  // The answer to an issue for points does not name the entry that paid.
  const byClerk = done.filter(({ did }) => did.receipts.length + did.movements.length === 0)
  const moved = byClerk.map(({ did }) => Math.max(did.entries.length, Math.sign(-did.points)))
  const expected = {
    moved: moved.reduce((sum, n) => sum + n, 0),
    redeemed: redeemed.length,
    issued: issued.length,
    receipts: acknowledged.receipts.length,
    movements: acknowledged.movements.length,
    unanswered: 0,
  }
  const twice = Object.entries(expected)
    .map(([what, count]) => ({ what, count, there: countOf(found, what) }))
    .filter(({ count, there }) => there !== count)
    .map(({ what, count, there }) => `${what}: ${there} where ${count} were acknowledged`)
  // A coupon may be redeemed, undone and redeemed again.
  const [redeemedOf, undoneOf] = [timesOf(redeemed), timesOf(undone)]
  const known = ofCoupons.map(({ coupon_code }) => coupon_code)
  for (const code of new Set([...known, ...redeemed, ...undone])) {
    const there = ofCoupons.find(({ coupon_code }) => coupon_code === code)
    const left = `redeemed ${there?.redeemed ?? 0} times and undone ${there?.undone ?? 0} times`
    const wanted = `redeemed ${redeemedOf(code)} times and undone ${undoneOf(code)} times`
    if (left !== wanted) twice.push(`coupon ${code}: ${left} where it was ${wanted}`)
  }
  for (const { id, memberCode, given } of people) {
    const theirs = done.filter(({ errand }) => errand.person.id === id)
    const balance = theirs.reduce((sum, { did }) => sum + did.points, given)
    const there = accounts.find(({ member_id }) => member_id === id)?.balance
    if (there !== balance) twice.push(`${memberCode} has ${there} points instead of ${balance}`)
  }
  return { lost, twice, broken: await shop.violations() }
}

/** How often each name is in a list. */
function timesOf(names: readonly string[]): (name: string) => number {
  const times = new Map<string, number>()
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1)
  return (name) => times.get(name) ?? 0
}

function countOf(found: Record<string, number>, what: string): number {
  return found[what] ?? 0
}
