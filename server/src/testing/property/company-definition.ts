import type * as z from 'zod/mini'
import type { Definition } from '../../company/definition.ts'
import type { ModelPromotion, ModelRules } from '../model/rules.ts'
import { money } from '../model/tier.ts'
import { testDefinition } from '../factories/definition.ts'

const texts = (en: string) => ({ 'en-US': en, 'zh-HK': `${en}（港）` })

/** The model's rules as a company definition. */
export function definitionOf(rules: ModelRules): Partial<z.input<typeof Definition>> {
  const { names } = testDefinition('a').points
  const { minimum, maximum, increment, cents, percent } = rules.exchange
  const { expiry } = rules
  return {
    timeZone: rules.timeZone,
    // The test spans years, and the session must stay valid until its end.
    sessionHours: null,
    undoMinutes: 5_000_000,
    // Its members have a name and numbers only.
    register: { fields: [], verification: { mobile: false, email: false } },
    points: {
      names,
      perUnit: String(rules.perHundred / 100),
      pendingDays: rules.pendingDays,
      refundPolicy: rules.refund,
      expiry: expiry.kind === 'fixed' ? { kind: 'fixed', dates: [...expiry.dates] } : expiry,
      promotions: rules.promotions.map(promotionOf),
      exchange: { minimum, maximum, increment, pointValue: money(cents), maxShare: percent / 100 },
    },
    tierRules: {
      window: rules.window,
      validityMonths: rules.validityMonths,
      atEnd: rules.atEnd,
    },
    tiers: rules.tiers.map(({ code, threshold, renew, thousandths }) => ({
      code,
      names: texts(code),
      threshold: money(threshold),
      renewThreshold: money(renew),
      multiplier: String(thousandths / 1000),
    })),
    gifts: Object.entries(rules.gifts).map(([id, { points, limit }]) => ({
      id,
      points,
      names: texts(id),
      perMemberLimit: limit,
    })),
    coupons: Object.entries(rules.coupons).map(([id, { points, limit, days }]) => ({
      id,
      names: texts(id),
      kind: 'gift' as const,
      validity: { days },
      pointsCost: points,
      perMemberLimit: limit,
    })),
  }
}

function promotionOf({ id, from, to, store, skus, first, award }: ModelPromotion) {
  return {
    id,
    from,
    to,
    names: texts(id),
    firstPurchase: first,
    stores: store === null ? null : [store],
    skus: skus === null ? null : [...skus],
    award: 'bonus' in award ? award : { multiplier: String(award.thousandths / 1000) },
  }
}
