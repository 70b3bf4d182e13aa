import type { Input } from '@tillside/contract/wire/endpoint'
import type { redeemPoints } from '@tillside/contract/points'
import * as z from 'zod/mini'
import type { Settings } from '../company/definition.ts'
import { settingsOf } from '../company/settings.ts'
import type { Context } from '../database/context.ts'
import { statement, type Transaction } from '../database/database.ts'
import {
  decideExchange,
  decideGift,
  type ExchangeDecision,
  type GiftDecision,
} from '@tillside/contract/rules/exchange'
import { invalidField } from '../text/invalid.ts'
import { findMemberId } from '../member/look-up.ts'
import { typeIn } from './ledger.ts'
import { lotsToSpend, type Take } from './lots.ts'
import { readTotals } from './totals.ts'

// Reads all that a spending of points depends on, and decides by the rules of the contract. The
// preview and the redemption share it, so that they cannot answer differently.

/** What a spending takes, and the money that it pays, a decimal string; null for a gift. */
export type Spending = { points: number; amount: string | null }

const GiftRow = z.object({
  gift_id: z.string(),
  points: z.int(),
  remaining: z.nullable(z.int()),
  per_member_limit: z.nullable(z.int()),
})
const readGift = statement(
  `select gift_id, points, stock - issued as remaining, per_member_limit from gift
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
      and ${typeIn('c.type', 'refund', 'cancelGift', 'cancelCoupon')})`
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
  const terms = gift && {
    points: gift.points,
    remaining: gift.remaining,
    perMemberLimit: gift.per_member_limit,
    memberHas: counted?.own ?? 0,
  }
  const decision =
    input.kind === 'gift'
      ? decideGift(terms, input.quantity, totals.valid)
      : decideExchange(settings.points.exchange, input, totals.valid)
  const spending = accept(context, decision)
  if (input.expectedBalance !== undefined && input.expectedBalance !== totals.balance) {
    return context.fail('balanceChanged')
  }
  if (takes === null) throw new Error('lots do not hold what the account says')
  return { memberId, settings, hold: held, balance: totals.balance, spending, takes }
}

function accept(
  context: Pick<Asker, 'fail' | 'language'>,
  decision: ExchangeDecision | GiftDecision,
): Spending {
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
