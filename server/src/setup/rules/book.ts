import { decimal } from '@tillside/contract/rules/decimal'
import { moneyText } from '@tillside/contract/rules/money'
import { addMonths, dayText, endOfMonth, hasNoEnd } from '@tillside/contract/rules/day'
import type { RuleBook, RuleSection } from '@tillside/contract/rule-book'
import type { Language, PerLanguage } from '@tillside/contract/wire/language'
import type { Definition, Texts } from '../../company/definition.ts'
import { textIn } from '../../company/definition.ts'
import { decimalsOf } from '../../company/settings.ts'
import { lifeOf, promotionsFor } from '../../points/earn.ts'
import {
  endOfTier,
  earnedAt,
  exchangeAt,
  type ReturnExample,
  saleOf,
  tierAfter,
} from './examples.ts'
import { returnRules } from './return-rules.ts'
import { standingTexts } from './standing-texts.ts'
import { valueTexts } from './value-texts.ts'

/** Shared by the sections: the company, and the writing of its words and numbers. */
type Writer = {
  definition: Definition
  /** A sentence with its values. */
  say: (text: PerLanguage<string>, values?: Record<string, string>) => string
  name: (texts: Texts) => string
  number: (points: number) => string
  /** Sentences as one paragraph; Chinese has no spaces between them. */
  join: (sentences: readonly string[]) => string
  /** A sale that shows the rules of this company. */
  sale: string
  today: string
}

/** The facts of a rule book; `returned`: an example of a return. */
export type BookFacts = { definition: Definition; revision: number; returned: ReturnExample }

/**
 * Writes a company's rules for people, from its definition.
 * @param today the day of the examples
 */
export function ruleBook(
  { definition, revision, returned }: BookFacts,
  language: Language,
  today: string,
): RuleBook {
  const writer = writerOf(definition, language, today)
  const { say } = writer
  return {
    language,
    title: say(valueTexts.title),
    source: say(valueTexts.source, { revision: String(revision) }),
    day: today,
    example: say(valueTexts.example),
    sections: [
      earning(writer),
      promotions(writer),
      spending(writer),
      priced(writer, valueTexts.gifts, definition.gifts),
      priced(
        writer,
        valueTexts.coupons,
        definition.coupons.flatMap((coupon) =>
          coupon.pointsCost === null ? [] : [{ ...coupon, points: coupon.pointsCost }],
        ),
      ),
      expiry(writer),
      returns(writer, returned),
      tiers(writer),
      limits(writer),
    ].filter((part) => part !== null),
  }
}

/** A number and its unit in an English sentence; Chinese has no plural and no space here. */
const counted = /\{(\w+)\} (\{points\}|days|months|minutes)/g

const isDay = /^\d{4}-\d{2}-\d{2}$/

function singular(unit: string): string {
  return unit.replace(/s(?=\}?$)/, '')
}

function writerOf(definition: Definition, language: Language, today: string): Writer {
  const name = (texts: Texts) => textIn(texts, language, definition)
  const points = name(definition.points.names.plural)
  const common = {
    points,
    point: name(definition.points.names.singular),
    Points: points.charAt(0).toUpperCase() + points.slice(1),
    company: name(definition.names),
  }
  const format = new Intl.NumberFormat(language)
  return {
    definition,
    name,
    today,
    sale: saleOf(definition),
    number: (value) => format.format(value),
    join: (sentences) => sentences.join(language === 'en-US' ? ' ' : ''),
    say(text, values = {}) {
      const all = new Map(Object.entries({ ...common, ...values }))
      const one = (both: string, key: string, unit: string) =>
        all.get(key) === '1' ? `{${key}} ${singular(unit)}` : both
      const sentence = text[language].replaceAll(counted, one)
      return sentence.replaceAll(/\{(\w+)\}/g, (_, key: string) => {
        const value = all.get(key)
        if (value === undefined) throw new Error(`a sentence of the rules has no value for ${key}`)
        return isDay.test(value) ? dayText(value, language) : value
      })
    },
  }
}

function section(title: string, parts: Partial<RuleSection>): RuleSection {
  return { title, text: '', list: [], table: null, examples: [], ...parts }
}

function earning({ definition, say, join, name, number, sale }: Writer): RuleSection {
  const { perUnit, pendingDays } = definition.points
  const unit = moneyText(decimal('1'), decimalsOf(definition))
  const [tier] = definition.tiers
  const examples = tier && [
    say(valueTexts.earnExample, {
      amount: sale,
      tier: name(tier.names),
      result: number(earnedAt(definition, tier, sale)),
    }),
  ]
  const pending = pendingDays > 0 ? [say(valueTexts.pending, { days: String(pendingDays) })] : []
  return section(say(valueTexts.earning), {
    text: join([say(valueTexts.perUnit, { rate: perUnit, unit }), ...pending]),
    examples: examples ?? [],
  })
}

function promotions({
  definition,
  say,
  join,
  name,
  number,
  sale,
  today,
}: Writer): RuleSection | null {
  const { points, tiers: all, stores } = definition
  const [tier] = all
  const current = points.promotions.filter((promotion) => promotion.to >= today)
  if (current.length === 0 || tier === undefined) return null
  const rate = { perUnit: points.perUnit, multiplier: tier.multiplier }
  const list = current.map((promotion) => {
    const { names, from, to, skus, firstPurchase } = promotion
    const storeCode = promotion.stores?.[0] ?? null
    const lines = [{ skuCode: skus?.[0] ?? '', spend: sale }]
    const purchase = { day: from, storeCode, bought: sale, lines, first: true }
    const [award] = promotionsFor(purchase, [promotion], rate)
    const storeNames = promotion.stores?.map(
      (code) => stores.find((store) => store.code === code)?.name ?? code,
    )
    return join([
      say(valueTexts.promotion, {
        name: name(names),
        period: say(hasNoEnd(to) ? valueTexts.openPeriod : valueTexts.period, { from, to }),
        amount: sale,
        tier: name(tier.names),
        result: number(award?.points ?? 0),
      }),
      ...(storeNames ? [say(valueTexts.promotionStores, { stores: storeNames.join(', ') })] : []),
      ...(skus ? [say(valueTexts.promotionGoods, { goods: skus.join(', ') })] : []),
      ...(firstPurchase ? [say(valueTexts.promotionFirst)] : []),
    ])
  })
  return section(say(valueTexts.promotions), { list })
}

function spending({ definition, say, join, number, sale }: Writer): RuleSection {
  const { exchange } = definition.points
  const title = say(valueTexts.spending)
  if (exchange === null) return section(title, { text: say(valueTexts.noExchange) })
  const { minimum, maximum, increment, pointValue, maxShare } = exchange
  const decided = exchangeAt(exchange, sale)
  const percent = maxShare === null ? null : String(Number((maxShare * 100).toFixed(2)))
  return section(title, {
    text: join([
      say(valueTexts.exchange, {
        value: pointValue,
        minimum: number(minimum),
        maximum: number(maximum),
        increment: number(increment),
      }),
      ...(percent === null ? [] : [say(valueTexts.share, { percent })]),
    ]),
    examples:
      decided === null
        ? []
        : [
            say(valueTexts.exchangeExample, {
              amount: sale,
              most: number(decided.points),
              worth: decided.amount,
            }),
          ],
  })
}

/** A list of things that cost points; null when there is none. */
function priced(
  { say, name, number }: Writer,
  title: PerLanguage<string>,
  things: readonly { names: Texts; points: number; perMemberLimit: number | null }[],
): RuleSection | null {
  if (things.length === 0) return null
  const list = things.map(({ names, points, perMemberLimit: limit }) => {
    const price = say(valueTexts.priced, { name: name(names), cost: number(points) })
    return limit === null
      ? price
      : `${price} (${say(valueTexts.perMember, { limit: String(limit) })})`
  })
  return section(say(title), { list })
}

function expiry({ definition, say, today }: Writer): RuleSection {
  const { points } = definition
  const { activeFrom, expiresOn } = lifeOf(today, points)
  const title = say(valueTexts.expiry)
  if (points.expiry.kind === 'none') return section(title, { text: say(valueTexts.never) })
  const rule =
    points.expiry.kind === 'months'
      ? say(valueTexts.months, { months: String(points.expiry.months) })
      : say(valueTexts.fixed, { dates: points.expiry.dates.join(', ') })
  const of = { day: today, first: activeFrom, last: expiresOn ?? '' }
  return section(title, { text: rule, examples: [say(valueTexts.expiryExample, of)] })
}

function returns(
  { definition, say, join, number }: Writer,
  { sale, award, part, taken, rest }: ReturnExample,
): RuleSection {
  const days = String(definition.points.returnGraceDays)
  return section(say(standingTexts.returns), {
    text: join(returnRules(definition).map((text) => say(text, { days }))),
    examples: [
      say(standingTexts.returnExample, {
        amount: sale,
        part,
        award: number(award),
        taken: number(taken),
        rest: number(rest),
      }),
    ],
  })
}

function tiers({ definition, say, join, name, number, sale, today }: Writer): RuleSection {
  const { tierRules, tiers: all } = definition
  const months = tierRules.validityMonths
  const day = endOfMonth(addMonths(today, -1))
  const last = endOfTier(day, tierRules)
  const after = tierAfter(definition)
  const { tierHead, reachHead, renewHead, earnHead } = standingTexts
  const spendWindow =
    tierRules.window === 'rolling12Months' ? standingTexts.rolling : standingTexts.calendar
  return section(say(standingTexts.tiers), {
    table: {
      head: [say(tierHead), say(reachHead), say(renewHead), say(earnHead, { amount: sale })],
      rows: all.map((tier) => [
        name(tier.names),
        tier.threshold,
        tier.renewThreshold,
        number(earnedAt(definition, tier, sale)),
      ]),
    },
    text: join([
      say(spendWindow),
      months === null || last === null
        ? say(standingTexts.forever)
        : say(standingTexts.validity, { months: String(months), day, last }),
    ]),
    examples:
      after === null || months === null
        ? []
        : [
            say(standingTexts.endExample, {
              tier: name(after.tier.names),
              spent: after.spent,
              next: name(after.next.names),
            }),
          ],
  })
}

function limits({ definition, say }: Writer): RuleSection {
  return section(say(standingTexts.limits), {
    list: [
      say(standingTexts.undo, { minutes: String(definition.undoMinutes) }),
      say(standingTexts.day, { zone: definition.timeZone }),
    ],
  })
}
