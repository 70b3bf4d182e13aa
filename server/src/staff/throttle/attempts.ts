import type { Database, Transaction } from '../../database/database.ts'
import { giveBackToAccount, takeFromAccount } from './account.ts'
import { giveBackToAddress, takeFromAddress } from './address.ts'
import { giveBackToDevice, isKnownDevice, takeFromDevice } from './device.ts'

/** The origin of an attempt to enter a password, and its account in lower case. */
export type Origin = {
  companyId: string
  account: string
  address: string
  /** The token of the device's cookie, or null. */
  device: string | null
}

/** A counted attempt: where it was counted. */
export type Attempt = { byAddress: boolean; byDevice: boolean }

/**
 * Counts an attempt before the password is checked, in transactions of its own, so that it counts
 * even if the rest fails. The address is counted first: a refused address writes nothing and
 * touches no account. A device that the account knows has an allowance of its own and is not
 * refused with its address, which a stranger may share. An attempt beyond a limit is not counted.
 * @returns the attempt, or the seconds to wait
 */
export async function countLoginAttempt(
  database: Database,
  { companyId, account, address, device }: Origin,
): Promise<Attempt | number> {
  const refused = await takeFromAddress(database, 'password', address)
  if (refused !== null) {
    const isKnown = await database.reading(companyId, (tx) =>
      isKnownDevice(tx, companyId, account, device),
    )
    if (!isKnown) return refused
  }
  const byAddress = refused === null
  const counted = await database.transaction(companyId, async (tx) => {
    const ofDevice = await takeFromDevice(tx, companyId, account, device)
    if (ofDevice !== 'unknown') return { wait: ofDevice, byDevice: true }
    // The device was forgotten since it was read.
    if (refused !== null) return { wait: refused, byDevice: false }
    return { wait: await takeFromAccount(tx, companyId, account, address), byDevice: false }
  })
  if (counted.wait === null) return { byAddress, byDevice: counted.byDevice }
  if (byAddress) await giveBackToAddress(database, 'password', address)
  return counted.wait
}

/** Removes the attempts of the origin on the account, after the correct password. */
export async function clearLoginAttempts(
  tx: Transaction,
  { companyId, account, address, device }: Origin,
  { byDevice }: Attempt,
): Promise<void> {
  if (byDevice) await giveBackToDevice(tx, companyId, account, device)
  else await giveBackToAccount(tx, companyId, account, address)
}

/** Removes the one attempt from the address, after the correct password. */
export async function refundAddress(
  database: Database,
  { address }: Origin,
  { byAddress }: Attempt,
): Promise<void> {
  if (byAddress) await giveBackToAddress(database, 'password', address)
}
