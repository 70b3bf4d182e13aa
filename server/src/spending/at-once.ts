import type { cancelPoints } from '@tillside/contract/points'
import { counted } from '@tillside/contract/rules/counted'
import { pointTypes } from '@tillside/contract/wire/codes'
import * as z from 'zod/mini'
import { limitOf } from '../allowance/given.ts'
import { type Settings, textLanguages } from '../company/definition.ts'
import { settingsAt } from '../company/settings.ts'
import { nameOfStore } from '../company/stores.ts'
import { statement } from '../database/database.ts'
import { nowSql } from '../database/reads/today.ts'
import { type Asked, AtOnceRow, type MemberQuestion, places } from '../http/at-once/at-once.ts'
import { heldSql } from '../staff/held.ts'
import { successText } from '../text/envelope.ts'
import { newId } from '../values/id.ts'
import { enqueueVoided } from '../coupon/bought.ts'
import { enqueueEntries } from '../points/ledger.ts'
import { answerTemplate, open } from '../points/at-once/debit.ts'
import { withoutWords } from '../points/at-once/spend.ts'
import { type Cancellation, cancellableSql, cancellations } from '../points/cancel.ts'
import { entryOf } from '../points/history.ts'
import { hasExpired } from '../points/lots.ts'

// The undo of a spending in one round trip of two statements, as a spending itself (migration
// 0125).

const holder = heldSql(2)
const [memberPlace, dayPlace, debitPlace, kindsPlace, ...claimPlaces] = places(holder.next, 11)
const begin = statement(
  `with h as materialized (${holder.sql})
   select begin_undo($1, ${memberPlace}, ${debitPlace}, ${kindsPlace}, h.now,
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
const undo = statement(
  `select undo_spending_answered($1, $2, $4, $6, $7, ${nowSql('c')}, $5, $10, $8, $11, $12, $13,
     ${isPossible}, $14, $15, $16, $17, $18) as answer
   from (select $3::interval as clock_ahead) c
     left join point_entry e on e.company_id = $1 and e.member_id = $2 and e.entry_id = $4`,
  AtOnceRow,
)

/** The statements that undo a spending in one round trip; null: only the route can answer. */
export function askToCancel(asked: Asked<typeof cancelPoints>): MemberQuestion {
  const { caller, values, clockAhead, operation, input, language, requestId } = asked
  const settings = settingsAt(caller.company)
  if (settings === null) return null
  const { key, endpoint, bodyHash, companyId } = operation
  const entryId = newId()
  const kinds = Object.fromEntries(
    cancellations.flatMap(({ of, type, permission, bought }) => {
      if (!caller.permissions.has(permission)) return []
      const template = templateOf(asked, settings, entryId, type)
      return [[of, { type: pointTypes[type].code, bought, template }]]
    }),
  )
  const claim = [caller.staff.id, key, endpoint, bodyHash]
  const words = [textLanguages(language, settings), counted('%1$s', 1), counted('%1$s', '%2$s')]
  const limits = limitOf(caller.isSystem, settings.allowances, 'undone')
  return (memberId) => ({
    enqueue: (tx) => {
      enqueueVoided(tx, companyId, memberId, input.entryId)
      enqueueEntries(tx, companyId, memberId, [entryId])
    },
    first: {
      s: begin,
      values: [
        companyId,
        ...values,
        memberId,
        caller.today,
        input.entryId,
        kinds,
        ...claim,
        ...words,
      ],
    },
    s: undo,
    values: [
      companyId,
      memberId,
      clockAhead,
      input.entryId,
      caller.today,
      entryId,
      kinds,
      caller.store.code,
      settings.undoMinutes,
      caller.staff.id,
      key,
      requestId,
      input.reason,
      ...words,
      ...limits,
    ],
  })
}

function templateOf(
  { caller, input, language, operation }: Asked<typeof cancelPoints>,
  settings: Settings,
  entryId: string,
  type: Cancellation,
): string {
  const row = {
    ...withoutWords,
    entry_id: entryId,
    type: pointTypes[type].code,
    points: 0,
    amount: open.amount,
    invoice_number: open.invoice,
    description: input.reason,
    store_code: caller.store.code,
  }
  const entry = {
    ...entryOf(row, { settings, language, stores: nameOfStore(caller.store) }),
    subject: type === 'refund' ? null : open.subject,
    points: open.points,
    balance: open.balance,
    createDate: open.time,
  }
  const message = successText(operation.endpoint, language)
  return answerTemplate({ code: 0, message, data: { entries: [entry], balance: open.balance } })
}
