import type { Input } from '@tillside/contract/wire/endpoint'
import type { redeemPoints } from '@tillside/contract/points'
import * as z from 'zod/mini'
import type { Settings } from '../company/definition.ts'
import { settingsOf } from '../company/settings.ts'
import type { Context } from '../database/context.ts'
import { statement, type Transaction } from '../database/database.ts'
import { decimal, decimalText, floor, times } from '@tillside/contract/rules/decimal'
import { invalidField } from '../text/invalid.ts'
import { findMemberId } from '../member/look-up.ts'
import { lotsToSpend, type Take } from './lots.ts'
import { readTotals } from './totals.ts'

// What may be spent, without a database: the preview and the redemption decide by the same words.

type ExchangeRule = NonNullable<Settings['points']['exchange']>

/** What a spending takes, and the money that it pays; null for a gift. */
export type Spending = { points: number; amount: string | null }

export type Decision =
  | ({ outcome: 'takes' } & Spending)
  | { outcome: 'refused'; reason: 'pointsNotConfigured' | 'giftUnknown' }
  | { outcome: 'refused'; reason: 'giftOutOfStock' | 'giftLimit' }
  /** `limit`: the bound that was not kept, in points. */
  | {
      outcome: 'refused'
      reason:
        | 'pointsBelowMinimum'
        | 'pointsAboveMaximum'
        | 'pointsNotMultiple'
        | 'pointsAboveShare'
        | 'pointsAboveBalance'
      limit: number
    }
  | { outcome: 'invalid'; path: 'points'; reason: 'tooSmall' }
  | { outcome: 'invalid'; path: 'transactionAmount'; reason: 'required' }

/**
 * Points against a transaction (engine.md section 3). Order of checks: configured, positive,
 * minimum, maximum, multiple, share of the transaction, balance.
 * @param valid the points that can be spent today
 */
export function decideExchange(
  rule: ExchangeRule | null,
  asked: { points: number; transactionAmount?: string | undefined },
  valid: number,
): Decision {
  if (rule === null) return { outcome: 'refused', reason: 'pointsNotConfigured' }
  const { points, transactionAmount } = asked
  if (points <= 0) return { outcome: 'invalid', path: 'points', reason: 'tooSmall' }
  if (points < rule.minimum) return beyond('pointsBelowMinimum', rule.minimum)
  if (points > rule.maximum) return beyond('pointsAboveMaximum', rule.maximum)
  if (points % rule.increment !== 0) return beyond('pointsNotMultiple', rule.increment)
  if (rule.maxShare !== null) {
    if (transactionAmount === undefined) {
      return { outcome: 'invalid', path: 'transactionAmount', reason: 'required' }
    }
    const limit = shareLimit({ ...rule, maxShare: rule.maxShare }, transactionAmount)
    if (BigInt(points) > limit) return beyond('pointsAboveShare', Number(limit))
  }
  if (points > valid) return beyond('pointsAboveBalance', valid)
  return { outcome: 'takes', points, amount: amountOf(points, rule.pointValue) }
}

/** A gift as far as the decision needs it; `stock` null is unlimited. */
export type GiftTerms = {
  points: number
  stock: number | null
  issued: number
  perMemberLimit: number | null
}

/**
 * A gift. Order of checks: known, in stock, within the member's limit, balance.
 * @param memberHas how many of them the member has had, without those that were cancelled
 * @param valid the points that can be spent today
 */
export function decideGift(
  gift: GiftTerms | null,
  quantity: number,
  memberHas: number,
  valid: number,
): Decision {
  if (gift === null) return { outcome: 'refused', reason: 'giftUnknown' }
  const { stock, issued, perMemberLimit } = gift
  if (stock !== null && issued + quantity > stock) {
    return { outcome: 'refused', reason: 'giftOutOfStock' }
  }
  if (perMemberLimit !== null && memberHas + quantity > perMemberLimit) {
    return { outcome: 'refused', reason: 'giftLimit' }
  }
  const points = gift.points * quantity
  if (points > valid) return beyond('pointsAboveBalance', valid)
  return { outcome: 'takes', points, amount: null }
}

/**
 * engine.md section 3: floor(share × amount ÷ value), rounded down to the increment.
 * @param amount of the transaction, a decimal string
 */
export function shareLimit(
  rule: { maxShare: number; pointValue: string; increment: number },
  amount: string,
): bigint {
  const share = times(decimal(shareText(rule.maxShare)), decimal(amount))
  const value = decimal(rule.pointValue)
  // What is worth nothing pays for nothing.
  if (value.units === 0n) return 0n
  // Both sides at the sum of their scales, so that the division is one of whole numbers.
  const limit =
    (share.units * 10n ** BigInt(value.scale)) / (value.units * 10n ** BigInt(share.scale))
  return limit - (limit % BigInt(rule.increment))
}

/** points × value, down to the cent, so that what points pay never passes the share. */
export function amountOf(points: number, pointValue: string): string {
  const exact = times(decimal(String(points)), decimal(pointValue))
  const cents = floor(times(exact, { units: 100n, scale: 0 }))
  return decimalText({ units: cents, scale: 2 })
}

// Made once: making one costs more than all else that a decision computes.
const plainDecimals = new Intl.NumberFormat('en-US', {
  maximumFractionDigits: 20,
  useGrouping: false,
})

/** A share as decimals, also where JavaScript would write an exponent. */
function shareText(share: number): string {
  return plainDecimals.format(share)
}

type Beyond = Extract<Decision, { limit: number }>

function beyond(reason: Beyond['reason'], limit: number): Beyond {
  return { outcome: 'refused', reason, limit }
}

const GiftRow = z.object({
  gift_id: z.string(),
  points: z.int(),
  stock: z.nullable(z.int()),
  issued: z.int(),
  per_member_limit: z.nullable(z.int()),
})
const readGift = statement(
  `select gift_id, points, stock, issued, per_member_limit from gift
   where company_id = $1 and gift_id = $2 and not stopped`,
  GiftRow,
)
const countOwn = statement(
  `select coalesce(sum(r.quantity), 0)::int as own from gift_redemption r
   where r.company_id = $1 and r.member_id = $2 and r.gift_id = $3 and ${notCancelled('r')}`,
  z.object({ own: z.int() }),
)

/** In SQL: the gift redemption `alias` was not taken back. */
export function notCancelled(alias: string): string {
  return `not exists (
    select from point_entry c where c.company_id = ${alias}.company_id
      and c.member_id = ${alias}.member_id and c.reverses = ${alias}.entry_id
      and c.type in (100000009, 100000010, 100000011))`
}

export type SpendingInput = Input<typeof redeemPoints>

/** Whose points are to be spent, and on which gift, where there are such. */
export type SpendingNamed = { memberId: string | null; gift: z.infer<typeof GiftRow> | null }

/** What a spending names; it can be looked up before anybody knows who asks. */
export async function spendingNamed(
  tx: Transaction,
  companyId: string,
  input: SpendingInput,
): Promise<SpendingNamed> {
  const [memberId, gift] = await Promise.all([
    findMemberId(tx, companyId, input.memberCode),
    input.kind === 'gift' ? tx.maybe(readGift, [companyId, input.giftId]) : null,
  ])
  return { memberId, gift }
}

type Asker = Pick<Context<typeof redeemPoints>, 'tx' | 'company' | 'today' | 'language'> &
  Pick<Context<typeof redeemPoints>, 'permissions' | 'fail'>

/** A spending that may be done: of whose points, what it takes, and from which lots. */
export type Weighed<Hold> = {
  memberId: string
  settings: Settings
  /** What `hold` gave: the locked account where the spending is done, null where it is shown. */
  hold: Hold
  balance: number
  spending: Spending
  takes: Take[]
}

/**
 * Reads all that a spending depends on and decides; refuses in the order of the contract.
 * @param hold takes the member's account before it is looked at, or does nothing for a preview
 */
export async function weigh<Hold>(
  context: Asker,
  input: SpendingInput,
  { memberId, gift }: SpendingNamed,
  hold: (memberId: string) => Promise<Hold>,
): Promise<Weighed<Hold>> {
  const { tx, company, today, permissions } = context
  if (!permissions.has(input.kind === 'gift' ? 'pointRedeem' : 'pointExchange')) {
    return context.fail('noPermission')
  }
  if (memberId === null) return context.fail('memberUnknown')
  const settings = await settingsOf(tx, company)
  const points = input.kind === 'gift' ? (gift?.points ?? 0) * input.quantity : input.points
  const owner = { tx, companyId: company.id, memberId }
  // Sent together, run in this order: what is read stands as long as the account is held.
  const [held, totals, counted, takes] = await Promise.all([
    hold(memberId),
    readTotals(tx, company.id, memberId, today),
    gift === null ? null : tx.one(countOwn, [company.id, memberId, gift.gift_id]),
    points > 0 ? lotsToSpend(owner, points, today) : null,
  ])
  const terms = gift && { ...gift, perMemberLimit: gift.per_member_limit }
  const decision =
    input.kind === 'gift'
      ? decideGift(terms, input.quantity, counted?.own ?? 0, totals.valid)
      : decideExchange(settings.points.exchange, input, totals.valid)
  const spending = accept(context, decision)
  if (input.expectedBalance !== undefined && input.expectedBalance !== totals.balance) {
    return context.fail('balanceChanged')
  }
  if (takes === null) throw new Error('lots do not hold what the account says')
  return { memberId, settings, hold: held, balance: totals.balance, spending, takes }
}

function accept(context: Pick<Asker, 'fail' | 'language'>, decision: Decision): Spending {
  switch (decision.outcome) {
    case 'takes':
      return { points: decision.points, amount: decision.amount }
    case 'invalid': {
      const { path, reason } = decision
      return context.fail('invalid', invalidField(path, reason, context.language))
    }
    case 'refused':
      return 'limit' in decision
        ? context.fail(decision.reason, { limit: decision.limit })
        : context.fail(decision.reason)
  }
}
