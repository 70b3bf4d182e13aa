import { companyNamed } from '@tillside/server/company/find'
import { statement } from '@tillside/server/database/database'
import { findMemberId } from '@tillside/server/member/look-up'
import { addEarning, lockAccount, noOrigin } from '@tillside/server/points/ledger'
import * as z from 'zod/mini'
import { demoDatabase } from './database.ts'
import type { Customer } from './shop.ts'

const readOpening = statement(
  `select now() as now, (now() at time zone time_zone)::date as today
   from company where company_id = $1`,
  z.object({ now: z.string(), today: z.string() }),
)

/** The back office gives points that can be spent at once, until the end of next year. */
export async function givePoints(
  company: string,
  { memberCode }: Customer,
  points: number,
): Promise<void> {
  const database = demoDatabase()
  const id = await companyNamed(database, company)
  await database.transaction(id, async (tx) => {
    const { now, today } = await tx.one(readOpening, [id])
    const ledger = await lockAccount(tx, id, (await findMemberId(tx, id, memberCode)) ?? '')
    await addEarning(ledger, {
      type: 'adjustmentUp',
      points,
      at: now,
      earnDate: today,
      activeFrom: today,
      expiresOn: `${Number(today.slice(0, 4)) + 1}-12-31`,
      ...noOrigin,
    })
  })
}
