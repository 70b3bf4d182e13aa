import type { TestCompany } from './company.ts'
import { addEarning, lockAccount } from '../../points/ledger.ts'

/**
 * Gives a member points that can be spent at once. They do not expire unless `expiresOn` is given.
 * @returns the entry's id, which is also the lot's
 */
export async function givePoints(
  { database, id }: Pick<TestCompany, 'database' | 'id'>,
  member: { id: string },
  points: number,
  expiresOn: string | null = null,
): Promise<string> {
  return database.transaction(id, async (tx) => {
    const entry = await addEarning(await lockAccount(tx, id, member.id), {
      type: 'adjustmentUp',
      points,
      at: '2026-01-05T04:00:00Z',
      amount: null,
      earnDate: '2026-01-05',
      activeFrom: '2026-01-05',
      expiresOn,
      invoiceNumber: null,
      storeCode: null,
      staffId: null,
      transactionId: null,
      description: null,
    })
    return entry.id
  })
}
