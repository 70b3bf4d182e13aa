import { transactionSources } from '@tillside/contract/wire/codes'
import type { TransactionInput } from '../transaction/input.ts'
import type { Shop } from './goods.ts'
import type { Random } from '../practice/random.ts'

export type Receipt = TransactionInput
type Line = Receipt['items'][number]

export type Sale = {
  invoiceNumber: string
  memberCode: string
  /** Null: bought on the web site. */
  storeCode: string | null
  occurredAt: string
  status: Receipt['status']
}

/**
 * A receipt with one to four goods; 12 percent of receipts have a discount of 10 percent.
 * @param quantityFactor multiplies the quantities, for a member who buys more
 */
export function basket(shop: Shop, sale: Sale, random: Random, quantityFactor: number): Receipt {
  const percent = random.chance(12) ? 10 : 0
  const lines = Array.from({ length: random.between(1, 4) }, () => {
    const { sku, name, cents } = random.pick(shop.goods)
    const quantity = random.between(1, 2) * quantityFactor
    return line(sku, name, cents, quantity, Math.floor((cents * quantity * percent) / 100))
  })
  return receiptOf(shop, sale, lines, random)
}

/** A receipt with exactly this net spend: some goods, and the rest sold by weight. */
export function receiptOfAmount(shop: Shop, sale: Sale, random: Random, cents: number): Receipt {
  const lines: Line[] = []
  let open = cents
  for (let tries = 0; tries < 3; tries++) {
    const goods = random.pick(shop.goods)
    if (goods.cents >= open) continue
    lines.push(line(goods.sku, goods.name, goods.cents, 1, 0))
    open -= goods.cents
  }
  lines.push(line(shop.byWeight.sku, shop.byWeight.name, open, 1, 0))
  return receiptOf(shop, sale, lines, random)
}

/** A return of all goods of the sale's first item. */
export function returnOf(sold: Receipt, invoiceNumber: string, occurredAt: string): Receipt {
  const [first] = sold.items
  if (first === undefined) throw new Error('nothing was sold')
  const back: Line = {
    ...first,
    quantity: `-${first.quantity}`,
    total: negative(first.total),
    discount: negative(first.discount),
    spend: negative(first.spend),
  }
  return {
    ...sold,
    invoiceNumber,
    occurredAt,
    invoiceType: 'return',
    totalAmount: back.total,
    orderDiscount: back.discount,
    netSpend: back.spend,
    items: [back],
    original: { invoiceNumber: sold.invoiceNumber, source: sold.source },
  }
}

function line(
  skuCode: string,
  skuName: string,
  cents: number,
  quantity: number,
  discount: number,
): Line {
  const total = cents * quantity
  return {
    skuCode,
    skuName,
    price: money(cents),
    quantity: String(quantity),
    total: money(total),
    discount: money(discount),
    spend: money(total - discount),
  }
}

function receiptOf(shop: Shop, sale: Sale, items: Line[], random: Random): Receipt {
  const sum = (field: 'total' | 'discount' | 'spend') =>
    money(items.reduce((cents, item) => cents + Number(item[field].replace('.', '')), 0))
  const { offlineStore, officialWebsite } = transactionSources
  return {
    ...sale,
    source: sale.storeCode === null ? officialWebsite : offlineStore,
    sales: sale.storeCode === null ? null : random.pick(shop.associates),
    invoiceType: 'sale',
    totalAmount: sum('total'),
    orderDiscount: sum('discount'),
    netSpend: sum('spend'),
    items,
    coupons: [],
    original: null,
  }
}

/** Whole cents as a decimal string. */
export function money(cents: number): string {
  const text = String(cents).padStart(3, '0')
  return `${text.slice(0, -2)}.${text.slice(-2)}`
}

function negative(amount: string): string {
  return /[1-9]/.test(amount) ? `-${amount}` : amount
}
