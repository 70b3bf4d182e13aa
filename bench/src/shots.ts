import { randomUUID } from 'node:crypto'
import type { Shot } from './load.ts'

/** Creates the next request. Product and reference receive requests from the same function. */
export type Shots = () => Shot
/** A clerk's session token and a till's API key. */
export type Asker = { token: string; key: string }

export const keyKinds = ['mobile', 'card', 'code', 'email', 'uni'] as const
type Keyed = { kind: (typeof keyKinds)[number]; members: number }

/** Look-ups by one kind of key, of members that are stored far apart. */
export function lookUps({ token }: Asker, { kind, members }: Keyed): Shots {
  const queries = {
    mobile: (n: number) => `countryCode=852&mobile=${60000000 + n}`,
    card: (n: number) => `cardNumber=C${n}`,
    code: (n: number) => `code=M${n}`,
    email: (n: number) => `email=m${n}%40example.com`,
    uni: (n: number) => `uniCustomerNo=U${n}`,
  }
  const next = spread(members)
  return () => get(token, `connector/customer/getOneCustomer?${queries[kind](next())}`)
}

/** The first page of a member's point history. */
export function histories({ token }: Asker, member: number): Shots {
  return () => post(token, `customer/pointHistory?memberCode=M${member}&pageSize=20`, {})
}

/** The first page of a member's coupons. */
export function couponLists({ token }: Asker, member: number): Shots {
  return () => get(token, `connector/coupon/getCustomerCoupons?memberCode=M${member}&pageSize=20`)
}

/** Redeems coupons one at a time; `nextCoupon` returns each number once. */
export function redeems(asker: Asker, nextCoupon: () => number, members: number): Shots {
  return () => {
    const n = nextCoupon()
    const body = { couponCode: couponCode(n), memberCode: `M${1 + (n % members)}` }
    return post(asker.token, 'coupon/redeem', body)
  }
}

/**
 * Redeems five coupons of one member together. Coupons from `first` on belong to the members in
 * turn, so a member's coupons are `members` apart.
 */
export function batchRedeems(
  asker: Asker,
  nextBatch: () => number,
  members: number,
  first: number,
): Shots {
  return () => {
    const batch = nextBatch()
    const member = batch % members
    const start = first + ((member - (first % members) + members) % members)
    const group = 5 * Math.floor(batch / members)
    const numbers = [0, 1, 2, 3, 4].map((k) => start + members * (group + k))
    const body = { couponCodes: numbers.map(couponCode), memberCode: `M${1 + member}` }
    return post(asker.token, 'coupon/batchRedeem', body)
  }
}

/** Issues one coupon to each member in turn. */
export function issues({ token }: Asker, members: number): Shots {
  const next = spread(members)
  const order = { couponId: 'TREAT', quantity: 1 }
  return () => post(token, 'coupon/issue', { ...order, memberCode: `M${next()}` })
}

/** Exchanges 200 points; successive members are stored far apart, or it is always the same one. */
export function spends(asker: Asker, members: number): Shots {
  const next = spread(members)
  return () => spendOf(asker, `M${next()}`)
}

/** A member exchanges 200 points. */
export function spendOf({ token }: Asker, memberCode: string): Shot {
  const body = { kind: 'transaction', points: 200, transactionAmount: '100.00' }
  return post(token, 'points/redeem', { ...body, memberCode })
}

/** The data of a member's home: tier, points, and the number of coupons. */
export function homes({ token }: Asker, members: number): Shots {
  const next = spread(members)
  return () => get(token, `connector/customer/membershipInfo?memberCode=M${next()}`)
}

/** The first page of a member's coupons, points or receipts. */
export function lists(
  { token }: Asker,
  list: 'coupons' | 'points' | 'receipts',
  members: number,
): Shots {
  const next = spread(members)
  const of = (path: string) => `${path}?memberCode=M${next()}&pageSize=20`
  switch (list) {
    case 'coupons':
      return () => get(token, of('connector/coupon/getCustomerCoupons'))
    case 'points':
      return () => post(token, of('customer/pointHistory'), {})
    case 'receipts':
      return () => get(token, of('connector/transaction/list'))
  }
}

/** Sales with one item as a till posts them, each earning 12 points. */
export function sales(asker: Asker, members: number): Shots {
  const next = spread(members)
  return () => receipts(asker, [saleOf(`M${next()}`)])
}

/** A sale of 12.50 with one item. */
export function saleOf(memberCode: string) {
  const line = { skuCode: 'TEA', skuName: 'Tea', price: '12.50', quantity: '1' }
  return {
    totalAmount: '12.50',
    netSpend: '12.50',
    invoiceNumber: randomUUID(),
    source: 1,
    memberCode,
    storeCode: 'S1',
    status: 'completed',
    invoiceType: 'sale',
    occurredAt: new Date().toISOString(),
    items: [{ ...line, total: '12.50', discount: '0.00', spend: '12.50' }],
  }
}

/** The return of that sale. */
export function returnOf({ invoiceNumber, source, memberCode }: ReturnType<typeof saleOf>) {
  const sale = saleOf(memberCode)
  const money = { totalAmount: '-12.50', netSpend: '-12.50' }
  const items = sale.items.map((line) =>
    Object.assign(line, { quantity: '-1', total: '-12.50', spend: '-12.50' }),
  )
  return { ...sale, ...money, invoiceType: 'return', items, original: { invoiceNumber, source } }
}

/** Posts receipts as a till does. */
export function receipts(asker: Asker, items: readonly object[]): Shot {
  return byTill(asker, 'transactions', { items })
}

/** A till's look-ups by mobile number. */
export function finds(asker: Asker, members: number): Shots {
  const next = spread(members)
  return () =>
    byTill(asker, 'members/find', { countryCode: '852', mobile: String(60000000 + next()) })
}

/** A till redeems coupons one at a time; `nextCoupon` returns each number once. */
export function tillRedeems(asker: Asker, nextCoupon: () => number, members: number): Shots {
  return () => {
    const n = nextCoupon()
    return byTill(asker, `coupons/${couponCode(n)}/redeem`, { memberCode: `M${1 + (n % members)}` })
  }
}

function byTill({ key }: Asker, path: string, body: object): Shot {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'tillside-store': 'S1',
    'idempotency-key': randomUUID(),
  }
  return { method: 'POST', path: `/integration/v1/${path}`, headers, body: JSON.stringify(body) }
}

/**
 * Each number from 1 to `size` in a scattered order: the step 7919 shares no factor with `size`.
 */
export function spread(size: number): () => number {
  let n = 0
  return () => {
    n = (n + 7919) % size
    return 1 + n
  }
}

function couponCode(n: number): string {
  return String(n).padStart(12, '0')
}

function get(token: string, path: string): Shot {
  const headers = { authorization: `Bearer ${token}`, 'user-language': 'en-US' }
  return { method: 'GET', path: `/web/api/v1/${path}`, headers }
}

function post(token: string, path: string, body: object): Shot {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  }
  return {
    method: 'POST',
    path: `/web/api/v1/connector/${path}`,
    headers,
    body: JSON.stringify(body),
  }
}
