import type { Language } from '@tillside/contract/wire/language'
import type { PointEntry, pointHistory } from '@tillside/contract/points'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import { pointTypes } from '@tillside/contract/wire/codes'
import * as z from 'zod/mini'
import { counted } from '@tillside/contract/rules/counted'
import { type Settings, textIn, Texts } from '../company/definition.ts'
import { settingsOf } from '../company/settings.ts'
import { storeIn, storeNamesOf } from '../company/stores.ts'
import type { Context } from '../database/context.ts'
import { cutPage, readCursor, writeCursor } from '../values/cursor.ts'
import { statement } from '../database/database.ts'
import { invalidField } from '../text/invalid.ts'
import { toInstant } from '../member/member.ts'
import { promotionName } from './earn.ts'
import { typeIn } from './ledger.ts'
import { findTotals } from './totals.ts'

/**
 * SQL columns of an entry `e` of member `$2`. PostgreSQL starts a subquery in a `case` only for the
 * entries of its types, and a join for each entry.
 */
const entryColumns = `e.entry_id, e.seq, e.type, e.points, e.balance_after,
  e.invoice_number, e.amount, e.earn_date, e.expiry_date, e.created_at, e.description,
  e.store_code,
  case when e.reverses is not null or ${typeIn('e.type', 'redeemGift')} then (
    select jsonb_build_object('names', g.names, 'quantity', r.quantity)
    from gift_redemption r join gift g on g.company_id = $1 and g.gift_id = r.gift_id
    where r.company_id = $1 and r.member_id = $2
      and r.entry_id = coalesce(e.reverses, e.entry_id) limit 1
  ) end as gift,
  case e.type when ${pointTypes.cancelCoupon.code} then (
    select o.description from point_entry o
    where o.company_id = $1 and o.member_id = $2 and o.entry_id = e.reverses
  ) end as cancelled_coupon,
  case e.type when ${pointTypes.promotionEarned.code} then (
    select p.promotion_id from point_promotion p
    where p.company_id = $1 and p.member_id = $2 and p.entry_id = e.entry_id
  ) end as promotion_id`

/** The names of a gift, or of coupons that points paid for, and their number. */
const Bought = z.object({ names: Texts, quantity: z.int() })
type Bought = z.infer<typeof Bought>

const EntryRow = z.object({
  entry_id: z.string(),
  seq: z.int(),
  type: z.int(),
  points: z.int(),
  balance_after: z.int(),
  invoice_number: z.nullable(z.string()),
  amount: z.nullable(z.string()),
  earn_date: z.nullable(z.string()),
  expiry_date: z.nullable(z.string()),
  created_at: z.string(),
  description: z.nullable(z.string()),
  store_code: z.nullable(z.string()),
  gift: z.nullable(Bought),
  cancelled_coupon: z.nullable(z.string()),
  promotion_id: z.nullable(z.string()),
})
type EntryRow = z.infer<typeof EntryRow>

const readSince = statement(
  `select ${entryColumns} from point_entry e
   where e.company_id = $1 and e.member_id = $2 and e.seq > $3 order by e.seq`,
  EntryRow,
)

/** An entry's number within its member's account, as PostgreSQL's int holds it. */
const Seq = z.string().check(
  z.regex(/^[1-9]\d{0,9}$/),
  z.refine((seq) => Number(seq) <= 2_147_483_647),
)

// PostgreSQL reads the account's unique index on seq backwards and stops after one page, so the
// cost does not depend on the length of the history.
type Page = ReturnType<typeof historyPage>

/**
 * Declares the statement of a page.
 * @param bought SQL that names the coupons that an entry `e` of member `$2` paid for, as `Bought`
 */
export function historyPage(bought: string) {
  return statement(
    `select ${entryColumns}, ${bought} as bought from point_entry e
     where e.company_id = $1 and e.member_id = $2
       and ($3::int is null or e.seq < $3)
       and ($4::int[] is null or e.type = any ($4))
       and ($5::date is null or e.created_at >= ($5::date)::timestamp at time zone $7)
       and ($6::date is null or e.created_at < ($6::date + 1)::timestamp at time zone $7)
     order by e.seq desc limit $8`,
    z.extend(EntryRow, { bought: z.nullable(Bought) }),
  )
}
const withoutCoupons = historyPage('null::jsonb')

/** Lists the member's entries, newest first. `from` and `to` are whole days of the company. */
export async function readHistory(
  context: Context<typeof pointHistory>,
  input: Input<typeof pointHistory>,
  memberId: string | null,
  readPage: Page = withoutCoupons,
): Promise<Data<typeof pointHistory>> {
  const { tx, company, today, language } = context
  const cursor = input.cursor === undefined ? null : readCursor(input.cursor, Seq)
  if (input.cursor !== undefined && cursor === null) {
    return context.fail('invalid', invalidField('cursor', 'format', language))
  }
  if (memberId === null) return context.fail('memberUnknown')
  const { types, from, to, pageSize } = input
  const values = [cursor?.[0], types, from, to, company.timeZone, pageSize + 1]
  const [totals, rows, settings, stores] = await Promise.all([
    findTotals(tx, company.id, memberId, today),
    tx.all(readPage, [company.id, memberId, ...values]),
    settingsOf(tx, company),
    storeNamesOf(tx, company),
  ])
  if (totals === null) return context.fail('memberUnknown')
  const page = cutPage(rows, input.pageSize, (row) => writeCursor(String(row.seq), row.entry_id))
  const { pending: _, ...shown } = totals
  return {
    items: page.rows.map((row) => entryOf(row, { settings, stores, language })),
    nextCursor: page.nextCursor,
    totals: shown,
  }
}

/** Reads the entries after number `seq`, oldest first, in the contract's form. */
export async function entriesSince(
  { tx, company, language }: Pick<Context, 'tx' | 'company' | 'language'>,
  owner: { memberId: string },
  seq: number,
  settings: Settings,
): Promise<PointEntry[]> {
  const [rows, stores] = await Promise.all([
    tx.all(readSince, [company.id, owner.memberId, seq]),
    storeNamesOf(tx, company),
  ])
  return rows.map((row) => entryOf(row, { settings, stores, language }))
}

/** The names and texts for the words of an entry. */
type Wording = { settings: Settings; language: Language; stores: ReadonlyMap<string, string> }

/** Converts an entry to the contract's form, with the names of gifts and promotions translated. */
export function entryOf(row: NamedRow, wording: Wording): PointEntry {
  return {
    id: row.entry_id,
    invoiceNumber: row.invoice_number,
    type: row.type,
    points: row.points,
    earnDate: row.earn_date,
    createDate: toInstant(row.created_at),
    expiryDate: row.expiry_date,
    balance: row.balance_after,
    amount: row.amount,
    ...wordsOf(row, wording),
    store: storeIn(wording.stores, row.store_code),
  }
}

/** A page's row names coupons too. */
type NamedRow = EntryRow & { bought?: Bought | null }
type Words = Pick<PointEntry, 'subject' | 'description'>

/** The gift, coupon or promotion of the entry, and the reason that a person gave. */
function wordsOf(row: NamedRow, { settings, language }: Wording): Words {
  const { description } = row
  const label = (bought: Bought | null) =>
    bought && counted(textIn(bought.names, language, settings), bought.quantity)
  const coupon = label(row.bought ?? null)
  // The column has the name of a promotion or a coupon too, as it was then.
  if (row.type === pointTypes.promotionEarned.code) {
    const now = promotionName(row.promotion_id, settings, language)
    return { subject: now ?? description, description: null }
  }
  if (row.type === pointTypes.redeemCoupon.code) {
    return { subject: coupon ?? description, description: null }
  }
  const subject = coupon ?? row.cancelled_coupon ?? label(row.gift)
  return { subject, description }
}
