import { randomUUID } from 'node:crypto'
import type { Endpoint, Envelope, Input } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import { limitOf } from '../../allowance/given.ts'
import type { Settings } from '../../company/definition.ts'
import { statement } from '../../database/database.ts'
import { nowSql } from '../../database/reads/today.ts'
import { type Asked, AtOnceRow, places } from '../../http/at-once/at-once.ts'
import { heldSql } from '../../staff/held.ts'
import { spendableSql } from '../lots.ts'

// A change that spends points, in one round trip of two statements: the second one chooses the lots
// after the first one has claimed the key and locked the account (migration 0071).

const holder = heldSql(2)
const [memberPlace, dayPlace, pointsPlace, ...claimPlaces] = places(holder.next, 8)
const begin = statement(
  `with h as materialized (${holder.sql})
   select begin_spending($1, ${memberPlace}, ${pointsPlace}, h.now, ${claimPlaces.join(', ')})
   from h where h.today = ${dayPlace}`,
  z.unknown(),
)

/**
 * The second statement. It always calls its function, which raises unless the first statement has
 * claimed the key.
 * @param call SQL of the function's call: `$2` is the member, `l` has the chosen lots and their
 *   points, `$4` is the day, `$5` the points; its own parameters begin with `$7`
 */
export function debitStatement(call: (now: string, isPossible: string) => string) {
  const isPossible = 'l.total = $5 and ($6::bigint is null or m.balance = $6)'
  return statement(
    `select ${call(nowSql('c'), isPossible)} as answer
     from (select $3::interval as clock_ahead) c
       left join point_account m on m.company_id = $1 and m.member_id = $2
       cross join lateral (
         select array_agg(lot_id) as lots, array_agg(points) as points, sum(points) as total
         from (${spendableSql('$2', '$4::date', '$5::bigint')}) chosen
       ) l`,
    AtOnceRow,
  )
}

type Debit<E extends Endpoint> = Asked<E> & {
  input: Input<E> & { expectedBalance?: number | undefined }
}

/** The first statement, and the first six values of the second one. */
export function debitOf<E extends Endpoint>(
  { caller, values, clockAhead, token, operation, input }: Debit<E>,
  memberId: string,
  points: number,
  template: string,
) {
  const { key, endpoint, bodyHash } = operation
  const claim = [caller.staff.id, key, endpoint, bodyHash, template]
  return {
    first: {
      s: begin,
      values: [token.companyId, ...values, memberId, caller.today, points, ...claim],
    },
    terms: [
      token.companyId,
      memberId,
      clockAhead,
      caller.today,
      points,
      input.expectedBalance ?? null,
    ],
  }
}

/** The values of the caller's limits for spending points: limit and alert, of each kind. */
export function spendingLimits(isSystem: boolean, { allowances }: Settings): (number | null)[] {
  return (['pointRedemptions', 'pointsSpent'] as const).flatMap((kind) =>
    limitOf(isSystem, allowances, kind),
  )
}

/** Values in the place of those that only the database knows; no input can contain them. */
export const open = {
  balance: `balance ${randomUUID()}`,
  time: `time ${randomUUID()}`,
  points: `points ${randomUUID()}`,
  amount: `amount ${randomUUID()}`,
  invoice: `invoice ${randomUUID()}`,
  subject: `subject ${randomUUID()}`,
}

/**
 * An answer as a template for PostgreSQL's `format`, which fills in the `open` values: balance and
 * time for a spending, all of them for an undo.
 */
export function answerTemplate(envelope: Envelope): string {
  const json = JSON.stringify(envelope).replaceAll('%', '%%')
  return Object.values(open).reduce(
    (text, value, n) => text.replaceAll(JSON.stringify(value), `%${n + 1}$s`),
    json,
  )
}
