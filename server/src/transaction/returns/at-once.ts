import { decimal, decimalText, smaller } from '@tillside/contract/rules/decimal'
import * as z from 'zod/mini'
import type { Settings } from '../../company/definition.ts'
import { statement } from '../../database/database.ts'
import { type MemberQuestion, places } from '../../http/at-once/at-once.ts'
import type { HeldKey } from '../../http/keys/serve-key.ts'
import { enqueueEntries } from '../../points/ledger.ts'
import { heldSql } from '../../staff/held.ts'
import type { LadderTier } from '../../company/ladder.ts'
import { newId } from '../../values/id.ts'
import { returnedLines, sidesOf, type TransactionInput } from '../input.ts'
import { enqueueReceipt, receiptValues } from '../insert.ts'
import { contentHash } from '../record.ts'
import { partsOf } from './assign.ts'

// A return of goods of one sale in one round trip. The function `record_return` (migration 0123)
// takes back the points of awards that are untouched; the long way does everything else.

const { sql: holder, next } = heldSql(2)
const [member, ...others] = places(next, 37)
const recordReturn = statement(
  `with h as materialized (${holder})
   select -record_return($1, ${member}, h.now::timestamptz, ${others.join(', ')}) as points
   from h`,
  z.object({ points: z.int() }),
)

/** The most awards of a sale whose points one call takes back: its usual one, and promotions. */
const mostAwards = 4

const newIds = () => Array.from({ length: mostAwards }, () => newId())

/** The day of a receipt in the company's calendar, and the company's rules. */
export type ReceiptDay = { day: string; settings: Settings; ladder: readonly LadderTier[] }

/**
 * The statement that records a return of an API key. It returns the points, which are below zero,
 * or no row where the key is no longer the same.
 * @returns null when only the long way can record the return
 */
export function askToReturn(
  { caller, values }: HeldKey,
  input: TransactionInput,
  { day, settings, ladder }: ReceiptDay,
  requestId: string,
): MemberQuestion<{ points: number }> {
  const { original } = input
  const { bought, returned } = sidesOf(input)
  if (original === null || typeof original !== 'object' || decimal(bought).units > 0n) return null
  const { company, key } = caller
  const transactionId = newId()
  const lines = returnedLines(input)
  const parts = partsOf(lines, returned)
  const entryIds = newIds()
  return (memberId) => ({
    enqueue: (tx) => {
      enqueueEntries(tx, company.id, memberId, entryIds)
      enqueueReceipt(tx, company.id, memberId, transactionId, input)
    },
    s: recordReturn,
    values: [
      company.id,
      ...values,
      memberId,
      ...receiptValues(transactionId, input, contentHash(input)),
      day,
      company.timeZone,
      original.invoiceNumber,
      original.source,
      lines.map((line) => line.skuCode),
      lines.map((line) => line.price),
      lines.map((line) => decimalText(line.quantity)),
      parts.map((part) => part.lineNo),
      parts.map((part) => part.quantity),
      parts.map((part) => part.amount),
      termsOf(returned, settings, ladder),
      entryIds,
      newIds(),
      requestId,
      { keyId: key.id, transactionId, ...nothingBack(returned) },
    ],
  })
}

/** The news for the customer about a return that only takes points. */
export function nothingBack(returned: string) {
  return { pointsBack: 0, forgiven: 0, moneyBack: returned }
}

/** The rules of a company that decide whether a return has other effects than on its awards. */
function termsOf(returned: string, settings: Settings, ladder: readonly LadderTier[]) {
  const { points, couponRules, tierRules } = settings
  const thresholds = ladder.slice(1).map(({ threshold }) => decimal(threshold))
  const below = thresholds.length === 0 ? null : decimalText(thresholds.reduce(smaller))
  return {
    places: decimal(returned).scale,
    below: tierRules.tierAfterReturn === 'reevaluate' ? below : null,
    points: points.returnGivesBackPoints,
    coupons: couponRules.returnGivesBack,
  }
}
