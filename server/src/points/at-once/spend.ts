import { randomUUID } from 'node:crypto'
import { redeemPoints } from '@tillside/contract/points'
import { decideExchange, type Takes } from '@tillside/contract/rules/exchange'
import { pointTypes } from '@tillside/contract/wire/codes'
import * as z from 'zod/mini'
import type { Settings } from '../../company/definition.ts'
import { decimalsOf, settingsAt } from '../../company/settings.ts'
import { statement } from '../../database/database.ts'
import { nowSql } from '../../database/reads/today.ts'
import { type Asked, AtOnceRow, places } from '../../http/at-once/at-once.ts'
import { codeKey } from '../../member/key.ts'
import { heldSql } from '../../staff/held.ts'
import { successText } from '../../text/envelope.ts'
import { newId } from '../../values/id.ts'
import { entryOf } from '../history.ts'
import { spendableSql } from '../lots.ts'
import { hasDecimals } from '../spending.ts'

// Points that pay for a part of a sale, in one round trip of two statements: the second one chooses
// the lots after the first one has locked the account (migration 0071).

const holder = heldSql(2)
const [memberPlace, dayPlace, pointsPlace, ...claimPlaces] = places(holder.next, 8)
const begin = statement(
  `with h as materialized (${holder.sql})
   select begin_spending($1, k.member_id, ${pointsPlace}, h.now, ${claimPlaces.join(', ')})
   from h join member_key k on k.company_id = $1 and k.kind = 'code' and k.value = ${memberPlace}
   where h.today = ${dayPlace}`,
  z.unknown(),
)
// It always calls the function, which raises unless the first statement has claimed the key.
const spend = statement(
  `select spend_answered($1, m.member_id, l.lots, l.points, $5, ${nowSql('c')}, $4,
     $7, $8, $9, $10, $11, $12, $13, $14, $15,
     l.total = $5 and ($6::bigint is null or m.balance = $6), $16, $17, $18, $19) as answer
   from (select $3::interval as clock_ahead) c
     left join (
       select k.member_id, a.balance from member_key k
         join point_account a using (company_id, member_id)
       where k.company_id = $1 and k.kind = 'code' and k.value = $2
     ) m on true
     cross join lateral (
       select array_agg(lot_id) as lots, array_agg(points) as points, sum(points) as total
       from (${spendableSql('m.member_id', '$4::date', '$5::bigint')}) chosen
     ) l`,
  AtOnceRow,
)

/** The statements that spend points of a call in one round trip; null: only the route can. */
export function askToSpend(asked: Asked<typeof redeemPoints>) {
  const { caller, values, clockAhead, token, operation, input, requestId } = asked
  const settings = settingsAt(caller.company)
  // A gift has a stock. A named sale has other redemptions, possibly of other members.
  if (settings === null || input.kind !== 'transaction') return null
  if (input.invoiceNumber !== undefined || input.openSale !== undefined) return null
  if (!caller.permissions.has('pointExchange') || !hasDecimals(input, settings)) return null
  const rule = settings.points.exchange
  // The lots show whether the member has the points.
  const decision = decideExchange(rule && { ...rule, decimals: decimalsOf(settings) }, input, null)
  if (decision.outcome !== 'takes') return null
  const { points, amount } = decision
  const entryId = newId()
  const template = templateOf(asked, settings, entryId, decision)
  const member = codeKey(input.memberCode)
  const { pointRedemptions, pointsSpent } = settings.allowances
  const details = { entryId, kind: input.kind, points: -points, amount, invoice: null }
  const [clerk, store] = [caller.staff.id, caller.store.code]
  const { key, endpoint, bodyHash } = operation
  const claim = [clerk, key, endpoint, bodyHash, template]
  const entry = [entryId, pointTypes.redeemTransaction.code, amount, clerk, store]
  const limits = [pointRedemptions, pointsSpent].flatMap((allowance) => [
    allowance?.refuse ?? null,
    allowance?.warn ?? null,
  ])
  const terms = [member, clockAhead, caller.today, points, input.expectedBalance ?? null]
  return {
    first: {
      s: begin,
      values: [token.companyId, ...values, member, caller.today, points, ...claim],
    },
    s: spend,
    values: [token.companyId, ...terms, ...entry, key, requestId, template, details, ...limits],
  }
}

/** Values in the place of those that only the database knows; no input can contain them. */
const balance = `balance ${randomUUID()}`
const time = `time ${randomUUID()}`

/** The answer as a template for PostgreSQL's `format`: the balance and the time are left open. */
function templateOf(
  { caller, language }: Asked<typeof redeemPoints>,
  settings: Settings,
  entryId: string,
  { points, amount }: Takes,
): string {
  const row = {
    ...withoutWords,
    entry_id: entryId,
    type: pointTypes.redeemTransaction.code,
    points: -points,
    amount,
    store_code: caller.store.code,
    store_name: caller.store.name,
  }
  const entry = { ...entryOf(row, settings, language), balance, createDate: time }
  const message = successText(redeemPoints.path, language)
  const envelope = { code: 0, message, data: { entry, balance, amount } }
  const json = JSON.stringify(envelope).replaceAll('%', '%%')
  return [balance, time].reduce(
    (text, value, n) => text.replaceAll(JSON.stringify(value), `%${n + 1}$s`),
    json,
  )
}

/** The part of an entry's row that is the same for each spending on a sale. */
const withoutWords = {
  seq: 0,
  balance_after: 0,
  created_at: '',
  invoice_number: null,
  earn_date: null,
  expiry_date: null,
  description: null,
  gift_names: null,
  quantity: null,
  cancelled_coupon: null,
  promotion_id: null,
}
