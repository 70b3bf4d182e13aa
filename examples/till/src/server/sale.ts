import { ok, type Tillside, TillsideProblem } from '@tillside/client'
import { centsOf, moneyOf, soldLines, sumsOf, unitOf } from '../amounts.ts'
import type { Coupon, Order, Preview, Return, Sale, SoldLine } from '../goods.ts'

// The life of a sale with loyalty. Each step has an Idempotency-Key made of the sale's id, so the
// whole sale can be repeated after any failure: a step that was done is not done again.

/** Tillside's number for receipts of shops. */
const source = 100000028

type Shop = { tillside: Tillside; store: string }

/** What the customer would pay and earn. Nothing is stored. */
export async function preview(shop: Shop, order: Order): Promise<Preview> {
  const sums = sumsOf(order.lines, order.coupons, await moneyOfPoints(shop, order))
  if (order.memberCode === null || order.lines.length === 0) return { ...sums, earns: null }
  const body = receiptOf(shop, order, soldLines(order.lines, sums), sums.toPay)
  const { points, refused } = await ok(shop.tillside.POST('/transactions/calculate', { body }))
  if (refused !== null)
    throw new TillsideProblem(409, { code: refused.reason, detail: refused.message })
  return { ...sums, earns: points }
}

/**
 * Sells: redeems the coupons, spends the points, and sends the receipt. A final refusal undoes the
 * steps before it. Without an answer the steps stay: the repeat of the sale goes on with them.
 */
export async function sell(shop: Shop, order: Order): Promise<Sale> {
  const sums = sumsOf(order.lines, order.coupons, await moneyOfPoints(shop, order))
  const lines = soldLines(order.lines, sums)
  const undo: (() => Promise<unknown>)[] = []
  try {
    for (const coupon of order.coupons) {
      await redeem(shop, order, coupon)
      undo.unshift(() => undoCoupon(shop, order, coupon))
    }
    if (order.points > 0) {
      const entryId = await spend(shop, order, sums.total - sums.discount)
      undo.unshift(() => cancelPoints(shop, order, entryId))
    }
    const receipt = receiptOf(shop, order, lines, sums.toPay)
    const { points: earned } = await send(shop, receipt)
    const { memberCode } = order
    const { invoiceNumber } = receipt
    return { ...sums, invoiceNumber, memberCode, lines, earned, returned: {} }
  } catch (error) {
    if (isFinal(error)) for (const step of undo) await step()
    throw error
  }
}

/**
 * Takes one unit of goods back; Tillside decides about money and points.
 * @param at when the return began; the same in a repeat
 */
export async function takeBack(shop: Shop, sale: Sale, sku: string, at: string): Promise<Return> {
  const line = sale.lines.find((one) => one.sku === sku)
  const before = sale.returned[sku] ?? 0
  if (line === undefined || before >= line.quantity) throw new Error(`${sku} was returned already`)
  const { total, discount, spend: net } = unitOf(line, before)
  const { invoiceNumber, memberCode } = sale
  const { points, returned } = await send(shop, {
    invoiceNumber: `${invoiceNumber}-R-${sku}-${before + 1}`,
    source,
    memberCode,
    storeCode: shop.store,
    status: 'completed',
    invoiceType: 'return',
    occurredAt: at,
    totalAmount: moneyOf(-total),
    orderDiscount: moneyOf(-discount),
    netSpend: moneyOf(-net),
    items: [itemOf({ ...line, quantity: 1, total, discount, spend: net }, -1)],
    original: { invoiceNumber, source },
  })
  sale.returned[sku] = before + 1
  const { moneyBack, pointsBack } = returned ?? { moneyBack: moneyOf(net), pointsBack: 0 }
  return { unit: before + 1, moneyBack, pointsBack, pointsTaken: -(points ?? 0) }
}

/** Whether the refusal will be the same in a repeat, so that the sale cannot happen. */
export function isFinal(error: unknown): boolean {
  return error instanceof TillsideProblem && error.status >= 400 && error.status < 500
}

/** The cents that the points of an order pay. */
async function moneyOfPoints({ tillside }: Shop, order: Order): Promise<number> {
  const { memberCode, points } = order
  if (memberCode === null || points === 0) return 0
  const { total, discount } = sumsOf(order.lines, order.coupons, 0)
  const transactionAmount = moneyOf(total - discount)
  const params = { path: { memberCode } }
  const body = { kind: 'transaction' as const, points, transactionAmount }
  const asked = tillside.POST('/members/{memberCode}/points/preview', { params, body })
  return centsOf((await ok(asked)).amount ?? '0')
}

async function redeem({ tillside, store }: Shop, order: Order, { code }: Coupon): Promise<void> {
  const header = { 'idempotency-key': `${order.id}-coupon-${code}` }
  const params = { path: { couponCode: code }, header }
  const body = { memberCode: order.memberCode ?? '', invoiceNumber: invoiceOf(order, store) }
  await ok(tillside.POST('/coupons/{couponCode}/redeem', { params, body }))
}

async function undoCoupon({ tillside }: Shop, order: Order, { code }: Coupon): Promise<void> {
  const header = { 'idempotency-key': `${order.id}-undo-${code}` }
  const params = { path: { couponCode: code }, header }
  const body = { memberCode: order.memberCode ?? '', reason: 'The sale was refused' }
  await ok(tillside.POST('/coupons/{couponCode}/undo', { params, body }))
}

async function spend({ tillside, store }: Shop, order: Order, cents: number): Promise<string> {
  const header = { 'idempotency-key': `${order.id}-points` }
  const params = { path: { memberCode: order.memberCode ?? '' }, header }
  const body = {
    kind: 'transaction' as const,
    points: order.points,
    transactionAmount: moneyOf(cents),
    invoiceNumber: invoiceOf(order, store),
  }
  const asked = tillside.POST('/members/{memberCode}/points/spend', { params, body })
  return (await ok(asked)).entry.id
}

async function cancelPoints({ tillside }: Shop, order: Order, entryId: string): Promise<void> {
  const header = { 'idempotency-key': `${order.id}-cancel` }
  const params = { path: { memberCode: order.memberCode ?? '' }, header }
  const body = { entryId, reason: 'The sale was refused' }
  await ok(tillside.POST('/members/{memberCode}/points/cancel', { params, body }))
}

type Receipt = ReturnType<typeof receiptOf>

function receiptOf({ store }: Shop, order: Order, lines: SoldLine[], toPay: number) {
  const sum = (field: 'total' | 'discount') => lines.reduce((all, line) => all + line[field], 0)
  return {
    invoiceNumber: invoiceOf(order, store),
    source,
    memberCode: order.memberCode,
    storeCode: store,
    status: 'completed' as const,
    invoiceType: 'sale' as 'sale' | 'return',
    occurredAt: order.at,
    totalAmount: moneyOf(sum('total')),
    orderDiscount: moneyOf(sum('discount')),
    netSpend: moneyOf(toPay),
    items: lines.map((line) => itemOf(line, 1)),
    coupons: order.coupons.map(({ code, name, kind, value }) => ({
      code,
      name,
      value: kind === 'amount' ? value : null,
      quantity: 1,
    })),
  }
}

function itemOf(line: SoldLine, sign: 1 | -1) {
  return {
    skuCode: line.sku,
    skuName: line.name,
    price: moneyOf(line.total / line.quantity),
    quantity: String(sign * line.quantity),
    total: moneyOf(sign * line.total),
    discount: moneyOf(sign * line.discount),
    spend: moneyOf(sign * line.spend),
  }
}

type Sent = Omit<Receipt, 'coupons'> & {
  coupons?: Receipt['coupons']
  original?: { invoiceNumber: string; source: number }
}

/** Sends one receipt. A repeat is `unchanged`. @throws TillsideProblem when it is refused */
async function send({ tillside }: Shop, receipt: Sent) {
  const { items } = await ok(tillside.POST('/transactions', { body: { items: [receipt] } }))
  const [item] = items
  if (item === undefined || item.outcome === 'refused') {
    const refused = item ?? { reason: 'internal', message: 'There is no answer.' }
    throw new TillsideProblem(409, { code: refused.reason, detail: refused.message })
  }
  return item
}

function invoiceOf(order: Order, store: string): string {
  return `${store}-${order.id}`
}
