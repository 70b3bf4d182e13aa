import { decimal, zero } from '@tillside/contract/rules/decimal'
import { currencyDecimals, moneyText } from '@tillside/contract/rules/money'
import { transactionSources } from '@tillside/contract/wire/codes'
import type { Language } from '@tillside/contract/wire/language'
import type { Definition } from '../company/definition.ts'
import type { TransactionInput } from '../transaction/input.ts'
import type { Clock } from './clock.ts'

const goodsNames: Record<Language, string> = {
  'en-US': 'Practice goods',
  'zh-CN': '练习商品',
  'zh-HK': '練習商品',
  'zh-TW': '練習商品',
}

/** The most that one practice sale costs, in units of the currency. */
const mostUnits = 9_000_000

/**
 * The purchases of a fictitious member, oldest first: three, of which the first lifts some members
 * to a higher tier. Together they earn enough points for the dearest of what points buy.
 * @param index of the member, from 0
 */
export function practiceSales(
  definition: Definition,
  clock: Clock,
  memberCode: string,
  index: number,
): TransactionInput[] {
  const { tiers, stores, points, languages } = definition
  const places = currencyDecimals(definition.currency.code)
  const shops = stores.filter(({ active }) => active)
  const tier = tiers[index % tiers.length]
  const wanted = Math.ceil(unitsFor(pointsWanted(definition), points.perUnit) / 3)
  // Points are pending for some days, and the first sale is the oldest.
  const ago = [points.pendingDays + 24, points.pendingDays + 12, points.pendingDays + 3]
  return ago.map((days, visit) => {
    const forTier = visit === 0 && tier !== undefined ? Math.ceil(Number(tier.threshold)) : 0
    const units = Math.min(mostUnits, Math.max(wanted, forTier))
    const storeCode = shops[(index + visit) % shops.length]?.code ?? null
    return sale({
      name: goodsNames[languages[0] ?? 'en-US'],
      amount: moneyText(decimal(String(units)), places),
      none: moneyText(zero, places),
      invoiceNumber: `PRACTICE-${memberCode}-${visit + 1}`,
      memberCode,
      storeCode,
      occurredAt: clock.at(clock.daysAgo(days + (index % 5)), 11 * 60 + 13 * visit),
    })
  })
}

/** Twice the dearest of coupons and gifts for points and of the smallest payment; at least 300. */
function pointsWanted({ coupons, gifts, points }: Definition): number {
  const costs = [
    ...coupons.map(({ pointsCost }) => pointsCost ?? 0),
    ...gifts.map((gift) => gift.points),
    points.exchange?.minimum ?? 0,
  ]
  return Math.min(50_000, Math.max(300, 2 * Math.max(...costs)))
}

/** The smallest whole amount that earns so many points without a tier's multiplier. */
function unitsFor(points: number, perUnit: string): number {
  const rate = Number(perUnit)
  return rate > 0 ? Math.ceil(points / rate) : 0
}

type Sale = {
  name: string
  amount: string
  /** An amount of nothing, with the decimals of the currency. */
  none: string
  invoiceNumber: string
  memberCode: string
  storeCode: string | null
  occurredAt: string
}

function sale({ name, amount, none, ...rest }: Sale): TransactionInput {
  return {
    ...rest,
    source: transactionSources.offlineStore,
    sales: null,
    status: 'completed',
    invoiceType: 'sale',
    totalAmount: amount,
    orderDiscount: none,
    netSpend: amount,
    items: [
      {
        skuCode: 'PRACTICE',
        skuName: name,
        price: amount,
        quantity: '1',
        total: amount,
        discount: none,
        spend: amount,
      },
    ],
    coupons: [],
    original: null,
  }
}
