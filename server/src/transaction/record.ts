import { hash as digest } from 'node:crypto'
import { defaultLanguage, type Language } from '@tillside/contract/wire/language'
import * as z from 'zod/mini'
import type { Settings } from '../company/definition.ts'
import { settingsOf } from '../company/settings.ts'
import { statement, type Transaction } from '../database/database.ts'
import { actAt } from '../outbox/acting.ts'
import { newId } from '../values/id.ts'
import {
  earn,
  type Earned,
  pointsFor,
  promotionsFor,
  saleEarnings,
  TooManyPoints,
  totalOf,
} from '../points/earn.ts'
import { type LockedAccount, lockAccount } from '../points/ledger.ts'
import { type Progress, progressAfter, progressOf, qualify } from '../tier/qualify.ts'
import { reevaluateTier } from '../tier/reevaluate.ts'
import { readReview, storeReview, type TierChange } from '../tier/review.ts'
import { noteTier, returnedSpend } from './tier-effects.ts'
import type { Assignment } from './returns/assign.ts'
import { originOf, sidesOf, type TransactionInput } from './input.ts'
import { enqueueReceipt, insertReceipt } from './insert.ts'
import { findReceipt, type ReceiptKey } from './receipt-key.ts'
import {
  boughtSql,
  findOriginal,
  readOriginal,
  returnedSql,
  assignReturn,
} from './returns/originals.ts'
import { decimal, decimalText, larger, minus, plus, zero } from '@tillside/contract/rules/decimal'
import { moneyText } from '@tillside/contract/rules/money'
import { type Settled, unsettled } from '../points/replay/settle.ts'
import { giveBackCouponsOf, reverseSales, writeParts } from './returns/returns.ts'

// A receipt of 0.00, such as that of a free sample, is no purchase, nor is a returned sale.
const hasBought = statement(
  `select exists (
     select from transaction t where t.company_id = $1 and t.place = $2 and t.member_id = $2
       and status = 'completed' and invoice_type <> 'return' and ${boughtSql} > ${returnedSql}
   ) as bought`,
  z.object({ bought: z.boolean() }),
)

export type Created = {
  outcome: 'created'
  transactionId: string
  /** The member of the receipt; of a return without a member code, that of its sale. */
  memberId: string | null
  /** Points earned minus points taken back, so possibly below zero. */
  points: number
  returned: ReturnAnswer | null
}

export type Recorded =
  | Created
  | { outcome: 'unchanged'; transactionId: string }
  | { outcome: 'refused'; reason: RecordRefusal }

/** The till's news for the customer about a return or an exchange. */
export type ReturnAnswer = {
  /** Points that had paid for the goods and came back. */
  pointsBack: number
  /** Points that the return should have taken and that the member no longer had. */
  forgiven: number
  /** The money to pay to the customer, a decimal string. */
  moneyBack: string
}

/** In order of precedence. */
export type RecordRefusal =
  /** The invoice is recorded already with different content. */
  | 'changed'
  | 'originalUnknown'
  | 'originalOtherMember'
  /** The return is for more money or more pieces than are left of the original. */
  | 'originalReturned'
  | 'storeUnknown'

/** The most points of one sale. A balance can be counted exactly up to 9,007 times as many. */
export const mostPoints = 1_000_000_000_000

export type RecordingCompany = { id: string; revision: number; timeZone: string }

/**
 * Records one receipt with its effects: qualifying spend, the tier, and points earned or taken
 * back. Invoice number and source identify a receipt: an unchanged repeat does nothing, and a
 * changed one is refused. A refusal writes nothing.
 *
 * A receipt counts on the company's day of `occurredAt`. A sale earns at the tier that the member
 * had before it. A deposit or a cancelled receipt is stored without these effects.
 * @param memberId the member with `input.memberCode`; null for a receipt without a member
 * @throws TooManyPoints before anything is written
 */
export function record(
  tx: Transaction,
  company: RecordingCompany,
  memberId: string | null,
  input: TransactionInput,
): Promise<Recorded> {
  return actAt(input.storeCode, () => recordThere(tx, company, memberId, input))
}

async function recordThere(
  tx: Transaction,
  company: RecordingCompany,
  memberId: string | null,
  input: TransactionInput,
): Promise<Recorded> {
  const settings = await settingsOf(tx, company)
  const hash = contentHash(input)
  const name = typeof input.original === 'object' ? input.original : null
  const named = name === null ? null : await findOriginal(tx, company.id, name)
  // A return without a member code still takes back the points of the sale that it names.
  const owner = memberId ?? named?.memberId ?? null
  const [locked, original] = await Promise.all([
    lockStanding(tx, company, owner, input, settings),
    named === null ? null : readOriginal(tx, company.id, named),
  ])
  // Looks for an earlier record only after a refusal, because nearly every receipt is new.
  const refuse = async (reason: RecordRefusal): Promise<Recorded> => {
    const first = await findReceipt(tx, company.id, input)
    return first === null ? { outcome: 'refused', reason } : repeated(first, hash)
  }
  if (name !== null && named === null) return refuse('originalUnknown')
  if (named !== null && named.memberId !== null && named.memberId !== owner)
    return refuse('originalOtherMember')
  const assignment = await assignReturn(tx, company.id, owner, input, original)
  if (assignment === null) return refuse('originalReturned')
  const transactionId = newId()
  const earned = locked === null ? 0 : totalOf(locked)
  if (earned > mostPoints) throw new TooManyPoints()
  const receipt = { transactionId, memberId: owner, earned, hash }
  const inserted = await insertReceipt(tx, company.id, receipt, input)
  // Either the invoice exists already or the store is unknown.
  if (!inserted) return refuse('storeUnknown')
  const settled = await applyEffects(
    tx,
    company,
    transactionId,
    input,
    locked,
    assignment,
    settings,
  )
  if (owner !== null && settings.couponRules.returnGivesBack) {
    const { parts } = assignment
    await giveBackCouponsOf(tx, company, owner, { transactionId, parts, input })
  }
  const { taken, back, forgiven } = settled
  const points = earned - taken
  if (owner !== null) enqueueReceipt(tx, company.id, owner, transactionId, input)
  const { returned, bought } = sidesOf(input)
  const due = moneyText(
    larger(minus(decimal(returned), decimal(bought)), zero),
    decimal(returned).scale,
  )
  return {
    outcome: 'created',
    transactionId,
    memberId: owner,
    points,
    returned: input.invoiceType === 'sale' ? null : { pointsBack: back, forgiven, moneyBack: due },
  }
}

/**
 * SHA-256 of a receipt's content: equal for an unchanged repeat. The schema fixes the order of the
 * keys, so the JSON text is the same each time.
 */
export function contentHash(input: TransactionInput): Buffer {
  return digest('sha256', JSON.stringify(input), 'buffer')
}

/** The member's locked account and tier, and the points that the receipt earns. */
type LockedStanding = Earned & {
  account: LockedAccount
  /** The changes of a late review, which `progress` contains. A recorded receipt stores them. */
  reviewed: readonly TierChange[]
  progress: Progress
}

/** The points of a receipt in a tier. @param first whether it is the member's first purchase */
export function earnedBy(
  input: TransactionInput,
  { day, multiplier, first }: { day: string; multiplier: string; first: boolean },
  { points: { perUnit, promotions } }: Settings,
): Earned {
  const { bought } = sidesOf(input)
  const rate = { perUnit, multiplier }
  const purchase = { day, storeCode: input.storeCode, bought, lines: input.items, first }
  return {
    usual: pointsFor(bought, rate),
    promotions: promotionsFor(purchase, promotions, rate),
  }
}

async function lockStanding(
  tx: Transaction,
  company: RecordingCompany,
  memberId: string | null,
  input: TransactionInput,
  settings: Settings,
): Promise<LockedStanding | null> {
  if (memberId === null || input.status !== 'completed') return null
  const { promotions } = settings.points
  const asksForFirst = promotions.some((promotion) => promotion.firstPurchase)
  const [account, found, before] = await Promise.all([
    lockAccount(tx, company.id, memberId),
    progressOf(tx, company, memberId, input.occurredAt, settings),
    asksForFirst ? tx.one(hasBought, [company.id, memberId]) : { bought: true },
  ])
  // If the period has ended, the job is late. The job must not decide about this receipt.
  const ended = found.expiryDate !== null && found.expiryDate < found.day
  const { tierRules } = settings
  const reviewed = ended ? await readReview(tx, company, memberId, found.day, tierRules) : []
  const progress = progressAfter(found, reviewed)
  const { day, multiplier } = progress
  const first = !before.bought
  return { account, reviewed, progress, ...earnedBy(input, { day, multiplier, first }, settings) }
}

/** Applies the effects of a receipt that was just inserted. */
async function applyEffects(
  tx: Transaction,
  company: RecordingCompany,
  transactionId: string,
  input: TransactionInput,
  locked: LockedStanding | null,
  assignment: Assignment,
  settings: Settings,
): Promise<Settled> {
  const parts = writeParts(tx, company.id, transactionId, assignment)
  if (locked === null) return parts.then(() => unsettled)
  // A connection that is lost fails the statements that follow, too, before anyone awaits this one.
  parts.catch(() => {})
  const { account, reviewed, progress } = locked
  await storeReview(tx, company, account.memberId, reviewed)
  for (const change of reviewed) {
    noteTier(tx, company, account.memberId, change, input.invoiceNumber)
  }
  const { returned } = sidesOf(input)
  const origin = originOf(input, transactionId)
  const back = await returnedSpend(tx, company, assignment)
  const amount = back.reduce((sum, one) => plus(sum, decimal(one.amount)), decimal(input.netSpend))
  const spend = { transactionId, amount: decimalText(amount), returned: back }
  await Promise.all([
    parts,
    qualify(tx, company, account.memberId, progress, spend, settings.tierRules),
    ...saleEarnings(locked, progress.day, settings, languageOf(settings), origin).map((one) =>
      earn(account, one),
    ),
  ])
  const rate = { perUnit: settings.points.perUnit, multiplier: progress.multiplier }
  const { tierRules } = settings
  if (back.length > 0 && tierRules.tierAfterReturn === 'reevaluate') {
    const { asOf } = progress
    const change = await reevaluateTier(tx, company, account.memberId, back, asOf, tierRules)
    if (change !== null) noteTier(tx, company, account.memberId, change, input.invoiceNumber)
  }
  const terms = { day: progress.day, rate, rules: settings.points }
  return reverseSales(account, returned, assignment, terms, origin)
}

/** The ledger stores one text for all readers, in the first language of the company's list. */
export function languageOf({ languages }: Settings): Language {
  return languages[0] ?? defaultLanguage
}

function repeated(first: ReceiptKey, hash: Buffer): Recorded {
  return first.hash.equals(hash)
    ? { outcome: 'unchanged', transactionId: first.id }
    : { outcome: 'refused', reason: 'changed' }
}
