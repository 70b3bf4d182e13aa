import { type Coupon, CouponStatus } from '@tillside/contract/coupon'
import * as z from 'zod/mini'
import { type Settings, Texts, textIn } from '../company/definition.ts'
import { ofRevision, settingsOf } from '../company/settings.ts'
import { storeIn, storeNamesOf } from '../company/stores.ts'
import type { Caller } from '../database/context.ts'
import { statement, type Transaction } from '../database/database.ts'
import type { Language } from '@tillside/contract/wire/language'
import { toInstant } from '../member/member.ts'

/**
 * The one place that says what a coupon's status is. `today` is the parameter with the company's
 * day.
 */
export function statusSql(today: string): string {
  return `case when c.used then 'USED'
    when c.voided_reason is not null or c.expiry_date < ${today} then 'EXPIRED' else 'ISSUED' end`
}

/** SQL of a coupon's own columns, without its definition. */
export function ownColumns(today: string): string {
  return `c.coupon_code, shown_code(c.printed_code, c.coupon_code) as shown_code,
    c.coupon_id, c.issue_date, c.start_date, c.expiry_date, ${statusSql(today)} as status,
    r.redeemed_at, r.store_code as redeem_store`
}

const definitionColumns = `d.names, d.descriptions, d.kind, shown_value(d.kind, d.value) as value,
  d.union_code, d.redeem_stores`

export function couponColumns(today: string): string {
  return `${ownColumns(today)}, ${definitionColumns}`
}

/**
 * `$1` is the company, `$2` the member. Only a used coupon has a redemption, so PostgreSQL looks
 * for none of the others. With `limit`, it looks by the coupon's code: a plan made while there were
 * few redemptions could read all of them for each coupon.
 */
export const redemptionJoins = `left join lateral (
    select lr.redeemed_at, lr.store_code from coupon_redemption lr
    where lr.company_id = $1 and lr.member_id = $2 and lr.coupon_code = c.coupon_code
      and lr.cancelled_at is null and c.used limit 1
  ) r on true`
export const couponJoins = `join coupon_definition d using (company_id, coupon_id)
  ${redemptionJoins}`

export const OwnRow = z.object({
  coupon_code: z.string(),
  shown_code: z.string(),
  coupon_id: z.string(),
  issue_date: z.string(),
  start_date: z.string(),
  expiry_date: z.string(),
  status: CouponStatus,
  redeemed_at: z.nullable(z.string()),
  redeem_store: z.nullable(z.string()),
})
const DefinitionRow = z.object({
  names: Texts,
  descriptions: z.nullable(Texts),
  kind: z.enum(['amount', 'percent', 'gift']),
  value: z.nullable(z.string()),
  union_code: z.nullable(z.string()),
  redeem_stores: z.nullable(z.array(z.string())),
})
export const CouponRow = z.extend(OwnRow, DefinitionRow.shape)
export type CouponRow = z.infer<typeof CouponRow>

type Definitions = ReadonlyMap<string, z.infer<typeof DefinitionRow>>

const readDefinitions = statement(
  `select d.coupon_id, ${definitionColumns} from coupon_definition d where d.company_id = $1`,
  z.extend(DefinitionRow, { coupon_id: z.string() }),
)

const remembered = ofRevision(async (tx, companyId): Promise<Definitions> => {
  const rows = await tx.all(readDefinitions, [companyId])
  return new Map(rows.map(({ coupon_id: id, ...definition }) => [id, definition]))
})
/** The company's coupon definitions by id, at the revision that this request has read. */
export const definitionsOf = remembered.read

const OwnedRow = z.extend(CouponRow, { member_id: z.string() })
/** A coupon with its member. */
export type OwnedCoupon = z.infer<typeof OwnedRow>
// With `limit`, as in `redemptionJoins`. Otherwise it could read all coupons of the member.
const readByCode = statement(
  `select ${couponColumns('$3')}, c.member_id from unnest($4::text[]) with ordinality a (code, n)
   cross join lateral (
     select * from coupon
     where company_id = $1 and member_id = $2 and coupon_code = a.code limit 1
   ) c ${couponJoins}
   order by a.n`,
  OwnedRow,
)

/** Those coupons of the member that these stored codes name, in the order of the codes. */
export async function readCoupons(
  tx: Transaction,
  companyId: string,
  memberId: string,
  codes: readonly string[],
  today: string,
): Promise<OwnedCoupon[]> {
  return tx.all(readByCode, [companyId, memberId, today, [...new Set(codes)]])
}

/** What the company's definition says for the contract's form of a coupon. */
export type CouponTerms = { settings: Settings; stores: ReadonlyMap<string, string> }

/** For a coupon that has not been redeemed. */
export const noStores: CouponTerms['stores'] = new Map()

/** Returns the terms at the revision that this request has read. */
export async function couponTermsOf(
  tx: Transaction,
  company: { id: string; revision: number },
): Promise<CouponTerms> {
  const [settings, stores] = await Promise.all([settingsOf(tx, company), storeNamesOf(tx, company)])
  return { settings, stores }
}

type Viewer = Pick<Caller, 'permissions' | 'store' | 'today'>

/** The coupon in the contract's form, for this staff member at this store. */
export function couponOf(
  row: CouponRow,
  viewer: Viewer,
  { settings, stores }: CouponTerms,
  language: Language,
): Coupon {
  const reason = notRedeemable(row, viewer)
  return {
    code: row.shown_code,
    couponId: row.coupon_id,
    name: textIn(row.names, language, settings),
    unionCode: row.union_code,
    description: row.descriptions && textIn(row.descriptions, language, settings),
    kind: row.kind,
    value: row.value,
    status: row.status,
    issueDate: row.issue_date,
    startDate: row.start_date,
    expiryDate: row.expiry_date,
    redeemDate: row.redeemed_at === null ? null : toInstant(row.redeemed_at),
    redeemStore: storeIn(stores, row.redeem_store),
    redeemable: reason === null,
    notRedeemableReason: reason,
  }
}

/** Why the viewer cannot redeem this coupon now, in the order of the refusals of `redeem.ts`. */
export function notRedeemable(
  row: Pick<CouponRow, 'status' | 'start_date' | 'redeem_stores'>,
  viewer: Viewer,
): Coupon['notRedeemableReason'] {
  if (row.status === 'USED') return 'couponUsed'
  if (row.status === 'EXPIRED') return 'couponExpired'
  if (row.start_date > viewer.today) return 'couponNotStarted'
  if (row.redeem_stores !== null && !row.redeem_stores.includes(viewer.store.code)) {
    return 'couponOtherStore'
  }
  return viewer.permissions.has('couponRedeem') ? null : 'noPermission'
}
