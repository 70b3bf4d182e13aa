import { decimal, decimalText, smaller } from '@tillside/contract/rules/decimal'
import { pointTypes } from '@tillside/contract/wire/codes'
import * as z from 'zod/mini'
import type { Settings } from '../company/definition.ts'
import { settingsAt } from '../company/settings.ts'
import { statement } from '../database/database.ts'
import { type MemberQuestion, places } from '../http/at-once/at-once.ts'
import type { HeldKey } from '../http/keys/serve-key.ts'
import { saleEarnings, type SaleEarning, TooManyPoints, totalOf } from '../points/earn.ts'
import { enqueueEntries } from '../points/ledger.ts'
import { heldSql } from '../staff/held.ts'
import { ladderAt, type LadderTier } from '../company/ladder.ts'
import { tiersAbove } from '../tier/qualify.ts'
import { newId } from '../values/id.ts'
import { problemOf } from './accept.ts'
import { originOf, type TransactionInput } from './input.ts'
import { enqueueReceipt, receiptValues } from './insert.ts'
import { contentHash, earnedBy, languageOf, mostPoints } from './record.ts'
import { askToReturn, type ReceiptDay } from './returns/at-once.ts'

// A sale of a till in one round trip. The program calculates what the sale earns in each tier, and
// the function `record_sale` (migration 0075) takes the result of the member's tier.

const { sql: holder, next } = heldSql(2)
const [member, ...others] = places(next, 28)
const recordSale = statement(
  `with h as materialized (${holder})
   select record_sale($1, ${member}, h.now::timestamptz, ${others.join(', ')}) as points
   from h`,
  z.object({ points: z.int() }),
)

/**
 * The statement that records a receipt of an API key. It returns the points, or no row where the
 * key is no longer the same.
 * @returns null when only the long way can record the receipt
 */
export function askToRecord(
  held: HeldKey,
  input: TransactionInput,
  requestId: string,
): MemberQuestion<{ points: number }> {
  const { company } = held.caller
  const [settings, ladder] = [settingsAt(company), ladderAt(company)]
  if (settings === null || ladder === null || input.status !== 'completed') return null
  const day = dayIn(company.timeZone, input.occurredAt)
  // The functions leave a receipt of the future to the long way.
  if (problemOf(input, input.occurredAt, day, settings.receipts) !== null) return null
  const on = { day, settings, ladder }
  if (input.invoiceType === 'sale') return askToSell(held, input, on, requestId)
  return input.invoiceType === 'return' ? askToReturn(held, input, on, requestId) : null
}

function askToSell(
  { caller, values }: HeldKey,
  input: TransactionInput,
  { day, settings, ladder }: ReceiptDay,
  requestId: string,
): MemberQuestion<{ points: number }> {
  const { company, key } = caller
  const transactionId = newId()
  const ids: string[] = []
  const idOf = (n: number) => (ids[n] ??= newId())
  const outcomes = outcomesOf(input, { transactionId, idOf }, day, settings, ladder)
  if (outcomes === null) return null
  return (memberId) => ({
    enqueue: (tx) => {
      enqueueEntries(tx, company.id, memberId, ids)
      enqueueReceipt(tx, company.id, memberId, transactionId, input)
    },
    s: recordSale,
    values: [
      company.id,
      ...values,
      memberId,
      ...receiptValues(transactionId, input, contentHash(input)),
      day,
      company.timeZone,
      settings.tierRules.window,
      outcomes,
      requestId,
      { keyId: key.id, transactionId },
    ],
  })
}

/**
 * The effects of the sale in each tier, as JSON for `record_sale`. The entries of all tiers have
 * the same ids, because only one tier's are written.
 * @returns null when that depends on more than the tier, or is refused
 */
function outcomesOf(
  input: TransactionInput,
  { transactionId, idOf }: { transactionId: string; idOf: (n: number) => string },
  day: string,
  settings: Settings,
  ladder: readonly LadderTier[],
): string | null {
  const origin = originOf(input, transactionId)
  const outcomes: Record<string, unknown> = {}
  for (const { code, level, multiplier } of ladder) {
    try {
      const [earned, asFirst] = [false, true].map((first) =>
        earnedBy(input, { day, multiplier, first }, settings),
      )
      if (earned === undefined || asFirst?.promotions.length !== earned.promotions.length) {
        return null
      }
      const points = totalOf(earned)
      if (points > mostPoints) return null
      const entries = saleEarnings(earned, day, settings, languageOf(settings), origin)
      const above = tiersAbove({ level, ladder }).map(({ threshold }) => decimal(threshold))
      outcomes[code] = {
        multiplier,
        below: above.length === 0 ? null : decimalText(above.reduce(smaller)),
        points,
        entries: entries.map((entry, n) => entryOf(entry, idOf(n))),
      }
    } catch (error) {
      if (error instanceof TooManyPoints) return null
      throw error
    }
  }
  return JSON.stringify(outcomes)
}

/** An entry as `record_sale` reads it. */
function entryOf({ earning, promotion }: SaleEarning, id: string) {
  const { type, points, amount, activeFrom, expiresOn, description } = earning
  return {
    id,
    type: pointTypes[type].code,
    points,
    amount,
    active_from: activeFrom,
    expires_on: expiresOn,
    description,
    promotion: promotion?.promotion.id ?? null,
    skus: promotion?.promotion.skus ?? null,
    bought: promotion?.bought ?? null,
  }
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** The day of a moment in a time zone. The function compares it with PostgreSQL's. */
function dayIn(timeZone: string, moment: string): string {
  const known = formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone })
  formats.set(timeZone, known)
  return known.format(Date.parse(moment))
}
