import * as z from 'zod/mini'

/** Goods of the example shop; prices in cents. */
export const goods = [
  { sku: 'BEAN-250', name: 'House beans 250 g', cents: 1600 },
  { sku: 'MUG-1', name: 'Mug', cents: 1600 },
  { sku: 'LATTE', name: 'Latte', cents: 550 },
  { sku: 'PASTRY', name: 'Pastry', cents: 420 },
  { sku: 'TOTE', name: 'Tote bag', cents: 2400 },
] as const

/** A line of the basket. */
export const Line = z.object({
  sku: z.enum(goods.map(({ sku }) => sku)),
  quantity: z.int().check(z.minimum(1), z.maximum(99)),
})
export type Line = z.infer<typeof Line>

export const Coupon = z.object({
  code: z.string(),
  name: z.string(),
  kind: z.enum(['amount', 'percent', 'gift']),
  /** Money for `amount`, a percentage for `percent`; null for a gift. */
  value: z.nullable(z.string()),
})
export type Coupon = z.infer<typeof Coupon>

/** The customer's wishes. */
export const Order = z.object({
  /** Made by the till for each sale. A repeat with the same id is the same sale. */
  id: z.uuid(),
  /** When the sale began, to the second; the same in a repeat. */
  at: z.iso.datetime(),
  memberCode: z.nullable(z.string()),
  lines: z.array(Line),
  coupons: z.array(Coupon),
  /** Points to spend on the sale. */
  points: z.int().check(z.minimum(0)),
})
export type Order = z.infer<typeof Order>

export type Customer = {
  memberCode: string
  name: string
  tier: string
  points: number
  coupons: Coupon[]
}

/** Amounts in cents. */
export type Sums = { total: number; discount: number; byPoints: number; toPay: number }

export type Preview = Sums & {
  /** Null without a customer. */
  earns: number | null
}

export type SoldLine = Line & { name: string; total: number; discount: number; spend: number }

export type Sale = Sums & {
  invoiceNumber: string
  memberCode: string | null
  lines: SoldLine[]
  /** Points that the customer earned; null without a customer. */
  earned: number | null
  /** The number of returned goods by SKU. */
  returned: Record<string, number>
}

export type Return = {
  /** 1 for the first unit of its line that is returned. */
  unit: number
  moneyBack: string
  pointsBack: number
  pointsTaken: number
}

/** A refusal for the cashier. `isFinal`: nothing has happened; otherwise the result is open. */
export const Refusal = z.object({ message: z.string(), isFinal: z.boolean() })
export type Refusal = z.infer<typeof Refusal>
