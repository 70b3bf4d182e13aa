import { addDebit, type Ledger } from './ledger.ts'
import { lotsOverdue, sum } from './lots.ts'

/**
 * Writes the `expired` entries of what ended before `day`; once for each lot, however often it is
 * called. They show the midnight at which the lots ended, however late this is.
 * @returns the points that ended
 */
export async function writeOff(ledger: Ledger, day: string): Promise<number> {
  const lots = await lotsOverdue(ledger, day)
  await Promise.all(
    lots.map(async ({ take, earnDate, expiresOn, endedAt }) =>
      addDebit(
        ledger,
        {
          type: 'expired',
          at: endedAt,
          points: take.points,
          earnDate,
          expiryDate: expiresOn,
          reverses: null,
          amount: null,
          invoiceNumber: null,
          storeCode: null,
          staffId: null,
          transactionId: null,
          description: null,
        },
        [take],
      ),
    ),
  )
  return sum(lots.map((lot) => lot.take))
}
