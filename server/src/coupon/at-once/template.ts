import type { Coupon } from '@tillside/contract/coupon'
import type { Envelope } from '@tillside/contract/wire/endpoint'
import type { Language } from '@tillside/contract/wire/language'
import type { CouponRow } from '../coupon.ts'

// As any other answer, that of a change in one round trip is written by `couponOf`. The database
// only fills in the facts that it alone knows, by PostgreSQL's `format` with numbered places.

/** The fields that the database fills in, in the order of `coupon_answer` (migration 0069). */
const filledIn: readonly (keyof Coupon)[] = [
  'code',
  'couponId',
  'name',
  'unionCode',
  'description',
  'kind',
  'value',
  'issueDate',
  'startDate',
  'expiryDate',
  'redeemDate',
]

/**
 * The JSON of a coupon as a template.
 * @param coupon its other fields are the same for each coupon of the request
 * @param known fields that are not filled in
 */
export function couponTemplate(coupon: Coupon, known: readonly (keyof Coupon)[] = []): string {
  const open = new Map<string, number>(
    filledIn.flatMap((field, n) => (known.includes(field) ? [] : [[field, n + 1]])),
  )
  const fields = Object.entries(coupon).map(([field, value]) => {
    const place = open.get(field)
    return `${literal(field)}:${place === undefined ? literal(value) : `%${place}$s`}`
  })
  return `{${fields.join(',')}}`
}

/** The JSON of an answer with a place for its data, or for the coupons in its data. */
export function envelopeTemplate({ code, message }: Omit<Envelope, 'data'>, data: '%s' | Together) {
  return `{"code":${literal(code)},"message":${literal(message)},"data":${data}}`
}
type Together = '{"coupons":[%s]}'

function literal(value: unknown): string {
  return JSON.stringify(value).replaceAll('%', '%%')
}

/** A coupon for a template, whose fields are filled in or replaced. */
export function anyCoupon(language: Language): CouponRow {
  return {
    coupon_code: '',
    shown_code: '',
    coupon_id: '',
    issue_date: '',
    start_date: '',
    expiry_date: '',
    status: 'ISSUED',
    names: { [language]: '' },
    descriptions: null,
    kind: 'gift',
    value: null,
    union_code: null,
    redeem_stores: null,
    redeemed_at: null,
    redeem_store: null,
  }
}
