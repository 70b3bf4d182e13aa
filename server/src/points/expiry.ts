import { addDebit, type LockedAccount, noOrigin } from './ledger.ts'
import { lotsOverdue, sum } from './lots.ts'

/**
 * Writes an `expired` entry for each lot that expired before `day`. Safe to repeat: each lot is
 * written off once. The time of the entry is the midnight at which the lot expired, not the current
 * time.
 * @returns the points that were written off
 */
export async function writeOff(account: LockedAccount, day: string): Promise<number> {
  const lots = await lotsOverdue(account, day)
  await Promise.all(
    lots.map(async ({ take, earnDate, expiresOn, endedAt }) =>
      addDebit(
        account,
        {
          type: 'expired',
          at: endedAt,
          points: take.points,
          earnDate,
          expiryDate: expiresOn,
          reverses: null,
          ...noOrigin,
        },
        [take],
      ),
    ),
  )
  return sum(lots.map((lot) => lot.take))
}
