import { addDebit, addEarning, type LockedAccount, noOrigin } from '../../points/ledger.ts'
import { lotsToSpend } from '../../points/lots.ts'
import { readTotals } from '../../points/totals.ts'

// The acts of a clerk with points in a random life.

const atStore = { ...noOrigin, storeCode: 'S1' }

type Granted = {
  points: number
  /** RFC 3339. */
  at: string
  earnDate: string
  activeFrom: string
  expiresOn: string | null
}

/** @returns the id of the lot */
export async function grantPoints(account: LockedAccount, granted: Granted): Promise<string> {
  const entry = { ...atStore, ...granted, type: 'adjustmentUp' } as const
  return (await addEarning(account, entry)).id
}

/**
 * Spends a share of the points that can be spent, in percent.
 * @returns null if this is no point
 */
export async function spendShare(
  account: LockedAccount,
  share: number,
  day: string,
  { at, invoiceNumber }: { at: string; invoiceNumber: string | null },
): Promise<{ id: string; points: number } | null> {
  const { valid } = await readTotals(account.tx, account.companyId, account.memberId, day)
  const points = Math.floor((valid * share) / 100)
  const takes = points === 0 ? null : await lotsToSpend(account, points, day)
  if (takes === null) return null
  const dates = { earnDate: null, expiryDate: null, reverses: null }
  const entry = { ...atStore, ...dates, type: 'redeemTransaction', points, at } as const
  const { id } = await addDebit(account, { ...entry, invoiceNumber }, takes)
  return { id, points }
}
