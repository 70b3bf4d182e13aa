import { redeemPoints } from '@tillside/contract/points'
import { decideExchange, decideGift, type Takes } from '@tillside/contract/rules/exchange'
import { mostHadBefore } from '@tillside/contract/rules/supply'
import { pointTypes } from '@tillside/contract/wire/codes'
import type { Settings, Texts } from '../../company/definition.ts'
import { decimalsOf, settingsAt } from '../../company/settings.ts'
import { nameOfStore } from '../../company/stores.ts'
import type { Transaction } from '../../database/database.ts'
import type { Asked, MemberQuestion } from '../../http/at-once/at-once.ts'
import { successText } from '../../text/envelope.ts'
import { newId } from '../../values/id.ts'
import { entryOf } from '../history.ts'
import { giftsAt } from '../gift/gifts.ts'
import { enqueueEntries } from '../ledger.ts'
import { hasDecimals, notCancelled, salesOf } from '../spending.ts'
import { answerTemplate, debitOf, debitStatement, open, spendingLimits } from './debit.ts'

// The terms of a spending: $20 is the gift, $26 its price, $27 the limit of a member, and $28 how
// many the member may have had before.
const spendIf = (more: string) =>
  debitStatement(
    (now, isPossible) =>
      `spend_on($1, $2, l.lots, l.points, $5, ${now}, $4, $7, $8, $9, $10, $11, $12, $13, $14, $15,
         ${isPossible}${more}, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25)`,
  )
const spendOnSale = spendIf('')
const spendOnGift = spendIf(` and exists (
  select from gift g where g.company_id = $1 and g.gift_id = $20 and g.points = $26::int
    and g.per_member_limit is not distinct from $27::int
    and ($27 is null or $28::int >= (
      select coalesce(sum(r.quantity), 0) from gift_redemption r
      where r.company_id = $1 and r.member_id = $2 and r.gift_id = $20
        and ${notCancelled('r', '$2')})))`)

/** A spending that its input and the company's rules allow, and the columns of its entry. */
type Purchase = Takes & {
  type: 'redeemGift' | 'redeemTransaction'
  gift: { id: string; names: Texts; quantity: number; terms: (number | null)[] } | null
  invoice: string | null
}

/**
 * The statements of a spending in one round trip; null: only the route can answer. The lots show
 * whether the member has the points, and the database whether the gift is there.
 */
export function askToSpend(asked: Asked<typeof redeemPoints>): MemberQuestion {
  const { caller, operation, input, requestId } = asked
  const settings = settingsAt(caller.company)
  if (settings === null) return null
  const bought = input.kind === 'gift' ? giftFor(asked, input) : saleFor(asked, input, settings)
  if (bought === null) return null
  const { points, amount, gift, invoice } = bought
  const entryId = newId()
  const template = templateOf(asked, settings, entryId, bought)
  const { code: type } = pointTypes[bought.type]
  const entry = [entryId, type, amount, caller.staff.id, caller.store.code]
  const of = gift === null ? { amount, invoice } : { giftId: gift.id, quantity: gift.quantity }
  const details = { entryId, kind: input.kind, points: -points, ...of }
  const limits = spendingLimits(caller.isSystem, settings)
  const { code: refund } = pointTypes.refund
  const terms = [
    gift?.id ?? null,
    gift?.quantity ?? null,
    invoice,
    ...salesOf(input),
    refund,
  ].concat(gift?.terms ?? [])
  return (memberId) => {
    const debit = debitOf({ ...asked, input }, memberId, points, template)
    const change = [...entry, operation.key, requestId, template, details, ...limits]
    const s = gift === null ? spendOnSale : spendOnGift
    const enqueue = (tx: Transaction) =>
      enqueueEntries(tx, operation.companyId, memberId, [entryId])
    return { first: debit.first, s, values: [...debit.terms, ...change, ...terms], enqueue }
  }
}

type Kind<K> = Extract<Asked<typeof redeemPoints>['input'], { kind: K }>

function saleFor(
  { caller }: Asked<typeof redeemPoints>,
  input: Kind<'transaction'>,
  settings: Settings,
): Purchase | null {
  if (!caller.permissions.has('pointExchange') || !hasDecimals(input, settings)) return null
  const rule = settings.points.exchange
  const decision = decideExchange(rule && { ...rule, decimals: decimalsOf(settings) }, input, null)
  if (decision.outcome !== 'takes') return null
  const invoice = input.invoiceNumber ?? null
  return { ...decision, type: 'redeemTransaction', gift: null, invoice }
}

function giftFor({ caller }: Asked<typeof redeemPoints>, input: Kind<'gift'>): Purchase | null {
  if (!caller.permissions.has('pointRedeem')) return null
  const { giftId: id, quantity } = input
  const known = giftsAt(caller.company)?.get(id)
  if (known === undefined) return null
  const { names, points, perMemberLimit } = known
  const supply = { remaining: null, perMemberLimit, memberHas: null }
  const decision = decideGift({ ...supply, points }, quantity, Infinity)
  if (decision.outcome !== 'takes') return null
  const terms = [points, perMemberLimit, mostHadBefore(perMemberLimit, quantity)]
  const gift = { id, names, quantity, terms }
  return { ...decision, type: 'redeemGift', gift, invoice: null }
}

function templateOf(
  { caller, language }: Asked<typeof redeemPoints>,
  settings: Settings,
  entryId: string,
  { points, amount, type, gift, invoice }: Purchase,
): string {
  const row = {
    ...withoutWords,
    entry_id: entryId,
    type: pointTypes[type].code,
    points: -points,
    amount,
    invoice_number: invoice,
    gift,
    store_code: caller.store.code,
  }
  const entry = {
    ...entryOf(row, { settings, language, stores: nameOfStore(caller.store) }),
    balance: open.balance,
    createDate: open.time,
  }
  const message = successText(redeemPoints.path, language)
  return answerTemplate({ code: 0, message, data: { entry, balance: open.balance, amount } })
}

/** The part of an entry's row that is the same for each spending on a sale, and its undo. */
export const withoutWords = {
  seq: 0,
  balance_after: 0,
  created_at: '',
  invoice_number: null,
  earn_date: null,
  expiry_date: null,
  description: null,
  gift: null,
  cancelled_coupon: null,
  promotion_id: null,
}
