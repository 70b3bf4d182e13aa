import type { Input } from '@tillside/contract/wire/endpoint'
import type { redeemPoints } from '@tillside/contract/points'
import { pointTypes } from '@tillside/contract/wire/codes'
import * as z from 'zod/mini'
import type { Settings } from '../company/definition.ts'
import { decimalsOf, settingsOf } from '../company/settings.ts'
import type { Context } from '../database/context.ts'
import { statement, type Transaction } from '../database/database.ts'
import {
  decideExchange,
  decideGift,
  type ExchangeDecision,
  type GiftDecision,
} from '@tillside/contract/rules/exchange'
import { decimal } from '@tillside/contract/rules/decimal'
import { invalidField } from '../text/invalid.ts'
import { findMemberId } from '../member/look-up.ts'
import { type LockedAccount, typeIn } from './ledger.ts'
import { lotsToSpend, type Take } from './lots.ts'
import { readTotals } from './totals.ts'

// Decides whether points can be spent, by the rules of the contract. The preview and the redemption
// share this code, so that their answers agree.

/** The points to spend, and the money that they pay as a decimal string; null for a gift. */
export type Spending = { points: number; amount: string | null }

const GiftRow = z.object({
  gift_id: z.string(),
  points: z.int(),
  remaining: z.nullable(z.int()),
  per_member_limit: z.nullable(z.int()),
})
const readGift = statement(
  `select g.gift_id, g.points, g.stock - s.issued as remaining, g.per_member_limit
   from gift g join stock s on s.company_id = $1 and s.kind = 'gift' and s.item_id = $2
   where g.company_id = $1 and g.gift_id = $2 and not g.stopped`,
  GiftRow,
)
const countOwn = statement(
  `select coalesce(sum(r.quantity), 0)::int as own from gift_redemption r
   where r.company_id = $1 and r.member_id = $2 and r.gift_id = $3 and ${notCancelled('r', '$2')}`,
  z.object({ own: z.int() }),
)

/** SQL: whether no entry of company `$1` and of this member cancels the debit `alias`. */
export function notCancelled(alias: string, member = `${alias}.member_id`): string {
  return `not exists (
    select from point_entry c where c.company_id = $1
      and c.member_id = ${member} and c.reverses = ${alias}.entry_id
      and ${typeIn('c.type', 'refund', 'cancelGift', 'cancelCoupon')})`
}

// A redemption with two references says that both name one sale, so what was redeemed by either
// counts for both. A redemption that was undone says nothing.
const lockPaid = statement('select lock_sales_for($1, $2, $3, $4, $5)', z.unknown())
// Points that were undone or came back with returned goods do not count. An entry with two
// references counts once.
const sumPaid = statement(
  'select points_paid_for($1, $2, $3, $4) as points',
  z.object({ points: z.int() }),
)
const undoneBy = pointTypes.refund.code
const insertPaid = statement(
  `insert into sale_redemption (company_id, member_id, entry_id, kind, reference, points)
   select company_id, member_id, entry_id, s.kind, s.reference, -points
   from point_entry, unnest($4::text[], $5::text[]) s (kind, reference)
   where company_id = $1 and member_id = $2 and seq = $3`,
  z.unknown(),
)

export type SpendingInput = Input<typeof redeemPoints>

/** The sales that a redemption names, as two arrays, in the order of their locks. */
export function salesOf(input: SpendingInput): [kinds: string[], references: string[]] {
  if (input.kind === 'gift') return [[], []]
  const { invoiceNumber, openSale } = input
  const named = Object.entries({ invoice: invoiceNumber, openSale }).flatMap(
    ([kind, reference]): [string, string][] => (reference === undefined ? [] : [[kind, reference]]),
  )
  return [named.map(([kind]) => kind), named.map(([, reference]) => reference)]
}

/**
 * Locks the sales that a redemption names and those that are connected with them; the member's
 * account is locked before.
 */
export async function lockSales(
  tx: Transaction,
  companyId: string,
  memberId: string,
  input: SpendingInput,
): Promise<void> {
  const [sorts, references] = salesOf(input)
  if (sorts.length === 0) return
  // While the first statement waited, another redemption may have connected more sales.
  const lock = () => tx.run(lockPaid, [companyId, memberId, undoneBy, sorts, references])
  await Promise.all([lock(), lock()])
}

/**
 * Notes for which sales a redemption pays, after `lockSales`.
 * @param seq of the redemption's entry
 */
export async function writePaidSales(
  { tx, companyId, memberId }: LockedAccount,
  input: SpendingInput,
  seq: number,
): Promise<void> {
  const [sorts, references] = salesOf(input)
  if (sorts.length === 0) return
  await tx.run(insertPaid, [companyId, memberId, seq, sorts, references])
}

const readPaid = statement(
  `select kind, reference from sale_redemption where company_id = $1 and member_id = $2
   order by kind, reference`,
  z.object({ kind: z.string(), reference: z.string() }),
)
// It also locks a sale that names the member already: a redemption for the sale adds up the points
// of each payer in a statement of its own, so none may move meanwhile.
const addPayer = statement(
  `update paid_sale
   set payers = case when $4 = any (payers) then payers else payers || $4::uuid end
   where company_id = $1 and kind = $2 and reference = $3`,
  z.unknown(),
)

/** Names a member, to whom a merge or its undo has moved redemptions, at the sales. */
export async function namePayer(
  tx: Transaction,
  companyId: string,
  memberId: string,
): Promise<void> {
  const sales = await tx.all(readPaid, [companyId, memberId])
  await Promise.all(
    sales.map(({ kind, reference }) => tx.run(addPayer, [companyId, kind, reference, memberId])),
  )
}

/** The member and the gift that a request names; null if unknown or, for the gift, not named. */
export type SpendingNamed = { memberId: string | null; gift: z.infer<typeof GiftRow> | null }

/** Looks up the member and the gift of a request; this may run before the caller is known. */
export async function findSpendingTargets(
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

/** An accepted spending: the member, the points and money, and the lots. */
export type Weighed<Hold> = {
  memberId: string
  settings: Settings
  /** The result of `hold`: the locked account for a redemption, null for a preview. */
  hold: Hold
  balance: number
  spending: Spending
  takes: Take[]
}

/**
 * Reads the data of a spending and accepts or refuses it; the contract defines the order of the
 * refusals.
 * @param hold locks the member's account and the sale before they are read; does nothing for a
 *   preview
 */
export async function checkSpending<Hold>(
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
  // PostgreSQL runs these in the order sent. The lock is first, so the other results stay valid
  // until the transaction ends.
  checkAmount(context, input, settings)
  const rule = settings.points.exchange
  const sales = salesOf(input)
  const [held, paid, totals, counted, takes] = await Promise.all([
    hold(memberId),
    sales[0].length === 0 ? null : tx.one(sumPaid, [company.id, undoneBy, ...sales]),
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
      : decideExchange(
          rule && { ...rule, decimals: decimalsOf(settings) },
          { ...input, paidBefore: paid?.points ?? 0 },
          totals.valid,
        )
  const spending = accept(context, decision)
  if (!isBalanceAsShown(input, totals.balance)) return context.fail('balanceChanged')
  if (takes === null) throw new Error('lots do not hold what the account says')
  return { memberId, settings, hold: held, balance: totals.balance, spending, takes }
}

/** Whether the balance is the one that the clerk saw, where the request names it. */
export function isBalanceAsShown(
  { expectedBalance }: { expectedBalance?: number | undefined },
  balance: number,
): boolean {
  return expectedBalance === undefined || expectedBalance === balance
}

/** Whether the amount of a sale has exactly the decimals of the company's currency. */
export function hasDecimals(
  { transactionAmount: amount }: { transactionAmount?: string | undefined },
  settings: Settings,
): boolean {
  return amount === undefined || decimal(amount).scale === decimalsOf(settings)
}

function checkAmount(
  context: Pick<Asker, 'fail' | 'language'>,
  input: SpendingInput,
  settings: Settings,
): void {
  if (input.kind === 'gift' || hasDecimals(input, settings)) return
  context.fail('invalid', invalidField('transactionAmount', 'format', context.language))
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
