import { createHash } from 'node:crypto'
import { defaultLanguage, type Language } from '@tillside/contract/wire/language'
import * as z from 'zod/mini'
import { type Settings, textIn } from '../company/definition.ts'
import { settingsOf } from '../company/settings.ts'
import { statement, type Transaction } from '../database/database.ts'
import { newId } from '../values/id.ts'
import {
  earn,
  earnPromotion,
  pointsFor,
  type PromotionAward,
  promotionsFor,
  TooManyPoints,
} from '../points/earn.ts'
import { type EntryOrigin, type LockedAccount, lockAccount } from '../points/ledger.ts'
import { type Progress, progressOf, qualify } from '../tier/qualify.ts'
import { sidesOf, type TransactionInput } from './input.ts'
import {
  boughtSql,
  findOriginal,
  readOriginal,
  type Assignment,
  assignReturn,
} from './originals.ts'
import { giveBackCouponsOf, takeBackReturned, writeParts } from './returns.ts'

const readRecorded = statement(
  `select transaction_id, content_hash from transaction
   where company_id = $1 and invoice_number = $2 and source = $3`,
  z.object({ transaction_id: z.string(), content_hash: z.instanceof(Buffer) }),
)
const readHashes = statement(
  `select invoice_number, content_hash from transaction
   where company_id = $1 and source = $2 and invoice_number = any ($3::text[])`,
  z.object({ invoice_number: z.string(), content_hash: z.instanceof(Buffer) }),
)
// A receipt of 0.00, such as that of a free sample, is no purchase.
const hasBought = statement(
  `select exists (
     select from transaction t where company_id = $1 and member_id = $2
       and status = 'completed' and invoice_type <> 'return' and ${boughtSql} > 0
   ) as bought`,
  z.object({ bought: z.boolean() }),
)
// Inserts the receipt with its lines and coupons in one statement. Inserts nothing if the receipt
// exists already or the company has no such store.
const insert = statement(
  `with receipt as (
     insert into transaction (company_id, transaction_id, invoice_number, source, member_id,
       store_code, sales, status, invoice_type, occurred_at, total_amount, order_discount,
       net_spend, item_count, points_earned, content_hash)
     select $1, $2, $3, $4, $5, $6::text, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16
     where $6::text is null
       or exists (select from store where company_id = $1 and store_code = $6::text)
     on conflict (company_id, invoice_number, source) do nothing
     returning transaction_id
   ), items as (
     insert into transaction_item (company_id, transaction_id, line_no, sku_code, sku_name, price,
       quantity, total, discount, spend)
     select $1, transaction_id, line_no, sku_code, sku_name, price, quantity, total, discount, spend
     from receipt, unnest($17::text[], $18::text[], $19::numeric[], $20::numeric[], $21::numeric[],
       $22::numeric[], $23::numeric[]) with ordinality
       i (sku_code, sku_name, price, quantity, total, discount, spend, line_no)
   ), coupons as (
     insert into transaction_coupon (company_id, transaction_id, line_no, coupon_code, name, value,
       quantity)
     select $1, transaction_id, line_no, coupon_code, name, value, quantity
     from receipt, unnest($24::text[], $25::text[], $26::numeric[], $27::int[]) with ordinality
       c (coupon_code, name, value, quantity, line_no)
   )
   select transaction_id from receipt`,
  z.object({ transaction_id: z.string() }),
)

export type Recorded =
  /** `points`: points earned minus points taken back, so possibly below zero. */
  | { outcome: 'created'; transactionId: string; points: number }
  | { outcome: 'unchanged'; transactionId: string }
  | { outcome: 'refused'; reason: RecordRefusal }

/** In order of precedence. */
export type RecordRefusal =
  /** The invoice is recorded already with different content. */
  | 'changed'
  | 'originalUnknown'
  | 'originalOtherMember'
  /** The return is for more money than is left of the original. */
  | 'originalReturned'
  | 'storeUnknown'

/** The most points of one sale. A balance can be counted exactly up to 9,007 times as many. */
const mostPoints = 1_000_000_000_000

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
export async function record(
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
    named === null ? null : readOriginal(tx, company.id, named.id),
  ])
  // Looks for an earlier record only after a refusal, because nearly every receipt is new.
  const refuse = async (reason: RecordRefusal): Promise<Recorded> => {
    const first = await tx.maybe(readRecorded, [company.id, input.invoiceNumber, input.source])
    return first === null ? { outcome: 'refused', reason } : repeated(first, hash)
  }
  if (name !== null && named === null) return refuse('originalUnknown')
  if (named !== null && named.memberId !== null && named.memberId !== owner)
    return refuse('originalOtherMember')
  const assignment = await assignReturn(tx, company.id, owner, input, original)
  if (assignment === null) return refuse('originalReturned')
  const transactionId = newId()
  const earned = locked === null ? 0 : pointsOf(locked)
  if (earned > mostPoints) throw new TooManyPoints()
  const created = await tx.maybe(
    insert,
    valuesOf(company.id, transactionId, owner, input, earned, hash),
  )
  // Either the invoice exists already or the store is unknown.
  if (created === null) return refuse('storeUnknown')
  const taken = await applyEffects(tx, company, transactionId, input, locked, assignment, settings)
  if (owner !== null && settings.couponRules.returnGivesBack) {
    const { parts } = assignment
    await giveBackCouponsOf(tx, company, owner, { transactionId, parts, input })
  }
  return { outcome: 'created', transactionId, points: earned - taken }
}

/**
 * SHA-256 of a receipt's content: equal for an unchanged repeat. The schema fixes the order of the
 * keys, so the JSON text is the same each time.
 */
export function contentHash(input: TransactionInput): Buffer {
  return createHash('sha256').update(JSON.stringify(input)).digest()
}

/** The content hashes of those invoices that are recorded already, by invoice number. */
export async function recordedHashes(
  tx: Transaction,
  company: { id: string },
  source: number,
  invoiceNumbers: readonly string[],
): Promise<Map<string, Buffer>> {
  const rows = await tx.all(readHashes, [company.id, source, invoiceNumbers])
  return new Map(rows.map((row) => [row.invoice_number, row.content_hash]))
}

/** The member's locked account and tier, and the points that the receipt earns. */
type LockedStanding = {
  account: LockedAccount
  progress: Progress
  usual: number
  promotions: readonly PromotionAward[]
}

function pointsOf({ usual, promotions }: LockedStanding): number {
  return promotions.reduce((sum, award) => sum + award.points, usual)
}

async function lockStanding(
  tx: Transaction,
  company: RecordingCompany,
  memberId: string | null,
  input: TransactionInput,
  settings: Settings,
): Promise<LockedStanding | null> {
  if (memberId === null || input.status !== 'completed') return null
  const { perUnit, promotions } = settings.points
  const asksForFirst = promotions.some((promotion) => promotion.firstPurchase)
  const [account, progress, before] = await Promise.all([
    lockAccount(tx, company.id, memberId),
    progressOf(tx, company, memberId, input.occurredAt, settings),
    asksForFirst ? tx.one(hasBought, [company.id, memberId]) : { bought: true },
  ])
  const rate = { perUnit, multiplier: progress.multiplier }
  const { bought } = sidesOf(input)
  const { storeCode, items: lines } = input
  const purchase = { day: progress.day, storeCode, bought, lines, first: !before.bought }
  return {
    account,
    progress,
    usual: pointsFor(bought, rate),
    promotions: promotionsFor(purchase, promotions, rate),
  }
}

/** Applies the effects of a receipt that was just inserted. @returns the points taken back */
async function applyEffects(
  tx: Transaction,
  company: RecordingCompany,
  transactionId: string,
  input: TransactionInput,
  locked: LockedStanding | null,
  assignment: Assignment,
  settings: Settings,
): Promise<number> {
  const parts = writeParts(tx, company.id, transactionId, assignment)
  if (locked === null) return parts.then(() => 0)
  const { account, progress, usual, promotions } = locked
  const { bought, returned } = sidesOf(input)
  const origin: EntryOrigin = {
    at: input.occurredAt,
    amount: bought,
    invoiceNumber: input.invoiceNumber,
    storeCode: input.storeCode,
    staffId: null,
    transactionId,
    description: null,
  }
  const spend = { transactionId, amount: input.netSpend }
  await Promise.all([
    parts,
    qualify(tx, company, account.memberId, progress, spend, settings.tierRules),
    earn(account, usual, progress.day, settings.points, origin),
    ...promotions.map((award) =>
      earnPromotion(account, award, progress.day, settings.points, {
        ...origin,
        description: textIn(award.promotion.names, languageOf(settings), settings),
      }),
    ),
  ])
  const rate = { perUnit: settings.points.perUnit, multiplier: progress.multiplier }
  const on = { day: progress.day, policy: settings.points.refund }
  return takeBackReturned(account, returned, assignment, rate, on, origin)
}

/** The ledger stores one text for all readers, in the first language of the company's list. */
function languageOf({ languages }: Settings): Language {
  return languages[0] ?? defaultLanguage
}

function repeated(first: { transaction_id: string; content_hash: Buffer }, hash: Buffer): Recorded {
  return first.content_hash.equals(hash)
    ? { outcome: 'unchanged', transactionId: first.transaction_id }
    : { outcome: 'refused', reason: 'changed' }
}

function valuesOf(
  companyId: string,
  transactionId: string,
  memberId: string | null,
  input: TransactionInput,
  earned: number,
  hash: Buffer,
): unknown[] {
  const { items, coupons } = input
  return [
    companyId,
    transactionId,
    input.invoiceNumber,
    input.source,
    memberId,
    input.storeCode,
    input.sales,
    input.status,
    input.invoiceType,
    input.occurredAt,
    input.totalAmount,
    input.orderDiscount,
    input.netSpend,
    items.length,
    earned,
    hash,
    items.map((item) => item.skuCode),
    items.map((item) => item.skuName),
    items.map((item) => item.price),
    items.map((item) => item.quantity),
    items.map((item) => item.total),
    items.map((item) => item.discount),
    items.map((item) => item.spend),
    coupons.map((line) => line.code),
    coupons.map((line) => line.name),
    coupons.map((line) => line.value),
    coupons.map((line) => line.quantity),
  ]
}
