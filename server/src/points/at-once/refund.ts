import type { cancelPoints } from '@tillside/contract/points'
import { pointTypes } from '@tillside/contract/wire/codes'
import * as z from 'zod/mini'
import { limitOf } from '../../allowance/given.ts'
import type { Settings } from '../../company/definition.ts'
import { settingsAt } from '../../company/settings.ts'
import { nameOfStore } from '../../company/stores.ts'
import { statement } from '../../database/database.ts'
import { nowSql } from '../../database/reads/today.ts'
import { type Asked, AtOnceRow, type MemberQuestion, places } from '../../http/at-once/at-once.ts'
import { heldSql } from '../../staff/held.ts'
import { successText } from '../../text/envelope.ts'
import { newId } from '../../values/id.ts'
import { cancellableSql } from '../cancel.ts'
import { entryOf } from '../history.ts'
import { hasExpired } from '../lots.ts'
import { answerTemplate, open } from './debit.ts'
import { withoutWords } from './spend.ts'

// The undo of a spending on a sale, in one round trip of two statements, as a spending itself
// (migration 0078).

const holder = heldSql(2)
const [memberPlace, dayPlace, debitPlace, typePlace, ...claimPlaces] = places(holder.next, 9)
const begin = statement(
  `with h as materialized (${holder.sql})
   select begin_refund($1, ${memberPlace}, ${debitPlace}, ${typePlace}, h.now,
     ${claimPlaces.join(', ')})
   from h where h.today = ${dayPlace}`,
  z.unknown(),
)

// A lot that has expired since, and a return since then, are left to the long way.
const cancellable = cancellableSql('$8', '$9', '$2')
const isPossible = `e.entry_id is not null and (${cancellable}) and not exists (
     select from point_burn b
       join point_lot l on l.company_id = $1 and l.member_id = $2 and l.lot_id = b.lot_id
     where b.company_id = $1 and b.member_id = $2 and b.entry_id = e.entry_id
       and ${hasExpired('$5', 'l.')}
   ) and not exists (
     select from point_return r
     where r.company_id = $1 and r.member_id = $2 and r.after_seq >= e.seq)`

// It always calls its function, which raises unless the first statement has claimed the key.
const refund = statement(
  `select refund_answered($1, $2, $4, $6, $7, ${nowSql('c')}, $5, $10, $8, $11, $12, $13,
     $14, ${isPossible}, $15, $16) as answer
   from (select $3::interval as clock_ahead) c
     left join point_entry e on e.company_id = $1 and e.member_id = $2 and e.entry_id = $4`,
  AtOnceRow,
)

/**
 * The statements that undo a spending on a sale in one round trip; null: only the route can answer.
 * Those of gifts and coupons return to their stock, which only the route does.
 */
export function askToRefund(asked: Asked<typeof cancelPoints>): MemberQuestion {
  const { caller, values, clockAhead, operation, input, requestId } = asked
  const settings = settingsAt(caller.company)
  if (settings === null || !caller.permissions.has('pointExchange')) return null
  const { key, endpoint, bodyHash, companyId } = operation
  const entryId = newId()
  const template = templateOf(asked, settings, entryId)
  const spent = pointTypes.redeemTransaction.code
  const claim = [caller.staff.id, key, endpoint, bodyHash, template]
  return (memberId) => ({
    first: {
      s: begin,
      values: [companyId, ...values, memberId, caller.today, input.entryId, spent, ...claim],
    },
    s: refund,
    values: [
      companyId,
      memberId,
      clockAhead,
      input.entryId,
      caller.today,
      entryId,
      pointTypes.refund.code,
      caller.store.code,
      settings.undoMinutes,
      caller.staff.id,
      key,
      requestId,
      template,
      input.reason,
      ...limitOf(caller.isSystem, settings.allowances, 'undone'),
    ],
  })
}

function templateOf(
  { caller, input, language, operation }: Asked<typeof cancelPoints>,
  settings: Settings,
  entryId: string,
): string {
  const row = {
    ...withoutWords,
    entry_id: entryId,
    type: pointTypes.refund.code,
    points: 0,
    amount: open.amount,
    invoice_number: open.invoice,
    description: input.reason,
    store_code: caller.store.code,
  }
  const entry = {
    ...entryOf(row, { settings, language, stores: nameOfStore(caller.store) }),
    points: open.points,
    balance: open.balance,
    createDate: open.time,
  }
  const message = successText(operation.endpoint, language)
  return answerTemplate({ code: 0, message, data: { entries: [entry], balance: open.balance } })
}
