import { menuIcons } from '@tillside/contract/company'
import { isVisible } from '@tillside/contract/wire/shapes'
import { addDays } from '@tillside/contract/rules/day'
import { decimal, minus } from '@tillside/contract/rules/decimal'
import { currencyDecimals, readMoney } from '@tillside/contract/rules/money'
import { worth } from '@tillside/contract/rules/exchange'
import { type Language, languages as allLanguages } from '@tillside/contract/wire/language'
import type { Definition } from '../company/definition.ts'
import { defaultTolerance } from '../company/limits.ts'
import { lifeOf } from '../points/earn.ts'
import { type Finding, formFindings } from './form-checks.ts'

/**
 * Checks rules between fields, which a schema cannot express.
 * @param folderName must equal the company's identifier
 */
export function checkDefinition(definition: Definition, folderName: string): Finding[] {
  const { identifier } = definition
  return [
    ...(identifier === folderName
      ? []
      : [{ path: ['identifier'], message: `is not the folder's name, "${folderName}"` }]),
    ...missingTexts(definition.languages, definition, []),
    ...invisibleNames(definition),
    ...duplicates(definition),
    ...unknownCodes(definition),
    ...menuSense(definition),
    ...currencySense(definition),
    ...amountSense(definition),
    ...tierOrder(definition),
    ...tierSense(definition),
    ...pendingSense(definition),
    ...couponSense(definition),
    ...exchangeSense(definition),
    ...promotionSense(definition),
    ...formFindings(definition),
  ]
}

/** Finds every text per language by its structure, so that new fields are checked too. */
function missingTexts(
  languages: readonly Language[],
  value: unknown,
  path: readonly PropertyKey[],
): Finding[] {
  if (typeof value !== 'object' || value === null) return []
  const keys = Object.keys(value)
  if (keys.length > 0 && keys.every((key) => allLanguages.some((language) => language === key))) {
    return languages
      .filter((language) => !keys.includes(language))
      .map((language) => ({ path, message: `has no text in ${language}` }))
  }
  return Object.entries(value).flatMap(([key, child]) =>
    missingTexts(languages, child, [...path, Array.isArray(value) ? Number(key) : key]),
  )
}

/** Two stores could look alike and differ in such a character. */
function invisibleNames({ names, stores }: Definition): Finding[] {
  const all: [readonly PropertyKey[], string][] = [
    ...Object.entries(names).map(([language, name]): [string[], string] => [
      ['names', language],
      name,
    ]),
    ...stores.map(({ name }, index): [PropertyKey[], string] => [['stores', index, 'name'], name]),
  ]
  return all
    .filter(([, name]) => !isVisible(name))
    .map(([path]) => ({ path, message: 'has a control or invisible character' }))
}

function duplicates(definition: Definition): Finding[] {
  const lists: [readonly PropertyKey[], string | null, readonly (string | number)[]][] = [
    [['languages'], null, definition.languages],
    [['callingCodes'], null, definition.callingCodes],
    [['menus'], 'id', definition.menus.map((menu) => menu.id)],
    [['stores'], 'code', definition.stores.map((store) => store.code)],
    [['groups'], 'code', definition.groups.map((group) => group.code)],
    [['tiers'], 'code', definition.tiers.map((tier) => tier.code)],
    [['gifts'], 'id', definition.gifts.map((gift) => gift.id)],
    [['coupons'], 'id', definition.coupons.map((coupon) => coupon.id)],
    [['points', 'promotions'], 'id', definition.points.promotions.map((one) => one.id)],
    [['webhooks'], 'id', definition.webhooks.map((webhook) => webhook.id)],
    [['sources'], 'code', definition.sources.map((source) => source.code)],
    [['register', 'fields'], 'name', definition.register.fields.map((field) => field.name)],
  ]
  return lists.flatMap(([path, field, codes]) =>
    codes.flatMap((code, index) =>
      codes.indexOf(code) === index
        ? []
        : [
            {
              path: [...path, index, ...(field === null ? [] : [field])],
              message: `"${code}" occurs twice`,
            },
          ],
    ),
  )
}

function unknownCodes(definition: Definition): Finding[] {
  const menus = new Set(definition.menus.map((menu) => menu.id))
  const stores = new Set(definition.stores.map((store) => store.code))
  const findings: Finding[] = []
  const look = (
    known: Set<string>,
    noun: string,
    codes: readonly string[],
    path: PropertyKey[],
  ) => {
    for (const [index, code] of codes.entries()) {
      if (known.has(code)) continue
      findings.push({ path: [...path, index], message: `there is no ${noun} "${code}"` })
    }
  }
  for (const [index, { parent }] of definition.menus.entries()) {
    if (parent === null || menus.has(parent)) continue
    findings.push({ path: ['menus', index, 'parent'], message: `there is no menu "${parent}"` })
  }
  for (const [index, group] of definition.groups.entries()) {
    look(menus, 'menu', group.menus, ['groups', index, 'menus'])
  }
  for (const [index, coupon] of definition.coupons.entries()) {
    look(stores, 'store', coupon.issueStores ?? [], ['coupons', index, 'issueStores'])
    look(stores, 'store', coupon.redeemStores ?? [], ['coupons', index, 'redeemStores'])
  }
  for (const [index, promotion] of definition.points.promotions.entries()) {
    look(stores, 'store', promotion.stores ?? [], ['points', 'promotions', index, 'stores'])
  }
  return findings
}

function currencySense({ currency: { code } }: Definition): Finding[] {
  if (code === null || Intl.supportedValuesOf('currency').includes(code)) return []
  return [{ path: ['currency', 'code'], message: `"${code}" is not a currency of ISO 4217` }]
}

/** Amounts have no more decimals than the currency, so that each one is exact. */
function amountSense(definition: Definition): Finding[] {
  const { currency, tiers, coupons, receipts } = definition
  const places = currencyDecimals(currency.code)
  const amounts: [path: PropertyKey[], amount: string | null][] = [
    ...tiers.flatMap((tier, index): [PropertyKey[], string][] => [
      [['tiers', index, 'threshold'], tier.threshold],
      [['tiers', index, 'renewThreshold'], tier.renewThreshold],
    ]),
    ...coupons.map(({ kind, value }, index): [PropertyKey[], string | null] => [
      ['coupons', index, 'value'],
      kind === 'amount' ? value : null,
    ]),
    // The default is for every currency.
    [
      ['receipts', 'lineTolerance'],
      receipts.lineTolerance === defaultTolerance ? null : receipts.lineTolerance,
    ],
  ]
  return amounts
    .filter(([, amount]) => amount !== null && readMoney(amount, places) === null)
    .map(([path]) => ({ path, message: `has more decimals than the currency, ${places}` }))
}

function menuSense({ menus }: Definition): Finding[] {
  const icons: readonly string[] = menuIcons
  return menus.flatMap(({ id, parent, url, icon }, index) => {
    const findings: Finding[] = []
    const at = (field: string, message: string) =>
      findings.push({ path: ['menus', index, field], message })
    if (icon !== null && !icons.includes(icon)) {
      at('icon', `"${icon}" is not one of ${icons.join(', ')}`)
    }
    const hasChildren = menus.some((other) => other.parent === id && other.id !== id)
    if (url === null && !hasChildren) at('url', 'is missing, and the menu has no child menus')
    if (isInCircle(menus, parent, id)) at('parent', `"${parent}" is below the menu itself`)
    return findings
  })
}

/** Whether a menu is reached again from its parent. */
function isInCircle(menus: Definition['menus'], parent: string | null, id: string): boolean {
  let above = parent
  for (let steps = 0; above !== null && steps < menus.length; steps += 1) {
    if (above === id) return true
    const name = above
    above = menus.find((menu) => menu.id === name)?.parent ?? null
  }
  return false
}

function tierOrder({ tiers }: Definition): Finding[] {
  return tiers.flatMap((tier, index) => {
    const before = tiers[index - 1]
    const path = ['tiers', index, 'threshold']
    if (before === undefined) {
      return decimal(tier.threshold).units === 0n
        ? []
        : [{ path, message: 'the lowest tier must begin at 0' }]
    }
    return minus(decimal(tier.threshold), decimal(before.threshold)).units > 0n
      ? []
      : [
          {
            path,
            message: `is not above that of "${before.code}"; tiers must be in ascending order`,
          },
        ]
  })
}

function tierSense({ tiers }: Definition): Finding[] {
  return tiers.flatMap(({ multiplier, threshold, renewThreshold }, index): Finding[] => {
    const at = (field: string, message: string) => [{ path: ['tiers', index, field], message }]
    return [
      ...(decimal(multiplier).units === 0n
        ? at('multiplier', 'is not above 0: members of this tier would earn nothing')
        : []),
      ...(minus(decimal(renewThreshold), decimal(threshold)).units > 0n
        ? at('renewThreshold', `is above the threshold, ${threshold}: staying would cost more`)
        : []),
    ]
  })
}

/** Four years: each length of a month, on each day of it. */
const everyDay = Array.from({ length: 1461 }, (_, n) => addDays('2026-01-01', n))

function pendingSense({ points }: Definition): Finding[] {
  const never = everyDay.find((day) => {
    const { activeFrom, expiresOn } = lifeOf(day, points)
    return expiresOn !== null && activeFrom > expiresOn
  })
  if (never === undefined) return []
  const { activeFrom, expiresOn } = lifeOf(never, points)
  const message =
    `is longer than points live: those of ${never} expire on ${expiresOn}, ` +
    `and could be spent from ${activeFrom}`
  return [{ path: ['points', 'pendingDays'], message }]
}

function couponSense({ coupons }: Definition): Finding[] {
  return coupons.flatMap((coupon, index): Finding[] => {
    const at = (field: string, message: string) => [{ path: ['coupons', index, field], message }]
    if (coupon.kind === 'gift' && coupon.value !== null) return at('value', 'a gift has no value')
    if (coupon.kind !== 'gift' && (coupon.value === null || decimal(coupon.value).units === 0n)) {
      return at('value', `kind ${coupon.kind} needs a value above 0`)
    }
    if (
      coupon.kind === 'percent' &&
      minus(decimal(coupon.value ?? '0'), decimal('100')).units > 0n
    ) {
      return at('value', 'is above 100 percent')
    }
    if ('from' in coupon.validity && coupon.validity.from > coupon.validity.to) {
      return at('validity', 'ends before it begins')
    }
    return []
  })
}

function exchangeSense({ points: { exchange }, currency }: Definition): Finding[] {
  if (exchange === null) return []
  const path = ['points', 'exchange']
  if (exchange.maximum < exchange.minimum) {
    return [{ path: [...path, 'maximum'], message: 'is below the minimum' }]
  }
  if (decimal(exchange.pointValue).units === 0n) {
    return [{ path: [...path, 'pointValue'], message: 'is not above 0' }]
  }
  if (exchange.minimum % exchange.increment !== 0) {
    return [{ path: [...path, 'minimum'], message: 'is not a multiple of the increment' }]
  }
  const { minimum, pointValue } = exchange
  const paid = worth(minimum, pointValue, currencyDecimals(currency.code))
  if (decimal(paid).units > 0n) return []
  const message = `is worth nothing: ${minimum} points at ${pointValue} pay ${paid}`
  return [{ path: [...path, 'minimum'], message }]
}

function promotionSense({ points: { promotions } }: Definition): Finding[] {
  return promotions.flatMap(({ from, to, award }, index): Finding[] => {
    const path = ['points', 'promotions', index]
    if (from > to) return [{ path: [...path, 'to'], message: 'ends before it begins' }]
    if ('bonus' in award || minus(decimal(award.multiplier), decimal('1')).units > 0n) return []
    return [{ path: [...path, 'award', 'multiplier'], message: 'is not above 1' }]
  })
}
