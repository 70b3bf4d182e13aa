import type { TransactionInput } from '@tillside/server/transaction/input'
import { findCompany } from '@tillside/server/company/find'
import { findMemberId } from '@tillside/server/member/look-up'
import { type Line, receipt } from '@tillside/server/testing/factories/receipt'
import { record } from '@tillside/server/transaction/record'
import { demoDatabase } from './database.ts'
import type { Customer } from './shop.ts'

/** Receipts as a till or a web shop would send them. */
export async function addSales(
  company: string,
  { memberCode }: Customer,
  receipts: readonly { lines: readonly Line[]; changes: Partial<TransactionInput> }[],
): Promise<void> {
  const database = demoDatabase()
  const found = await findCompany(database, company)
  if (found === null) throw new Error(`there is no company ${company}`)
  await database.transaction(found.id, async (tx) => {
    const memberId = await findMemberId(tx, found.id, memberCode)
    for (const { lines, changes } of receipts) {
      await record(tx, found, memberId, receipt(lines, { storeCode: null, ...changes }))
    }
  })
}
