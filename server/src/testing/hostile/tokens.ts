import { changePassword, logout } from '@tillside/contract/auth'
import * as z from 'zod/mini'
import { statement } from '../../database/database.ts'
import { setStoreActive } from '../../setup/stores.ts'
import { setDisabled } from '../../staff/accounts.ts'
import { logIn, ok, password, type TestCompany } from '../factories/company.ts'
import { testKey } from '../factories/key.ts'
import { testClerk } from '../factories/staff.ts'

/** A token that must be refused, and the reason; `token` null: none is sent. */
export type BadToken = { why: string; token: string | null }

/**
 * Every kind of token that must be refused: random, assembled from valid ones, and tokens of
 * sessions that ended in each possible way. Closes the stores S2 and S3 of the company.
 */
export async function badTokens(company: TestCompany, other: TestCompany): Promise<BadToken[]> {
  return [...(await forged(company, other)), ...(await ended(company))]
}

async function forged(company: TestCompany, other: TestCompany): Promise<BadToken[]> {
  const amy = await logIn(company)
  const [own, ben, foreign] = [
    bytesOf(amy),
    bytesOf(await logIn(company, 'ben')),
    bytesOf(await logIn(other)),
  ]
  return [
    { why: 'missing', token: null },
    { why: 'malformed', token: 'abc' },
    { why: 'cut short', token: amy.slice(0, 40) },
    // The ids at the start of a token are not secret; the rest is.
    { why: 'random behind a clerk’s ids', token: join(own.subarray(0, 32), Buffer.alloc(32, 9)) },
    { why: 'random throughout', token: join(Buffer.alloc(64, 9)) },
    // A valid secret after another company's id, in both directions, and after another clerk's id.
    { why: 'ours behind their company', token: join(foreign.subarray(0, 16), own.subarray(16)) },
    { why: 'theirs behind our company', token: join(own.subarray(0, 16), foreign.subarray(16)) },
    {
      why: 'behind another clerk',
      token: join(own.subarray(0, 16), ben.subarray(16, 32), own.subarray(32)),
    },
    { why: 'a till’s key', token: (await testKey(company)).key },
  ]
}

async function ended(company: TestCompany): Promise<BadToken[]> {
  const { id, database } = company
  const run = (sql: string, values: unknown[]) =>
    database.transaction(id, (tx) => tx.run(statement(sql, z.unknown()), [id, ...values]))
  const clerk = async (account: string, storeCode = 'S1') => ({
    account,
    token: await testClerk(company, account, { storeCode }),
  })
  const out = await clerk('logged-out')
  await ok(company, logout, {}, { token: out.token })
  const late = await clerk('expired')
  await run(
    `update session set expires_at = now() where company_id = $1 and staff_id in (
       select staff_id from staff where company_id = $1 and account = $2)`,
    [late.account],
  )
  const changed = await clerk('changed-password')
  const newPassword = 'Another#2026'
  const change = { originPassword: password, newPassword, confirm_password: newPassword }
  // The change is made in another session of the same account.
  const token = await logIn(company, changed.account)
  await ok(company, changePassword, change, { token })
  const disabled = await clerk('disabled')
  await database.transaction(id, (tx) => setDisabled(tx, id, disabled.account, true))
  const closed = await clerk('store-closed', 'S2')
  await database.transaction(id, (tx) => setStoreActive(tx, id, 'S2', false))
  // These two sessions are still open: the server must check the account and the store as well.
  const shut = await clerk('shut-out')
  await run('update staff set disabled_at = now() where company_id = $1 and account = $2', [
    shut.account,
  ])
  await run(`insert into store (company_id, store_code, name) values ($1, 'S3', 'Pier')`, [])
  const gone = await clerk('store-gone', 'S3')
  await run(`update store set active = false where company_id = $1 and store_code = 'S3'`, [])
  return [
    { why: 'logged out', token: out.token },
    { why: 'expired', token: late.token },
    { why: 'before a password change', token: changed.token },
    { why: 'of a disabled clerk', token: disabled.token },
    { why: 'of a store that is inactive', token: closed.token },
    { why: 'live, of a clerk who is disabled', token: shut.token },
    { why: 'live, of a store that is inactive', token: gone.token },
  ]
}

function bytesOf(token: string): Buffer {
  return Buffer.from(token, 'base64url')
}

function join(...parts: Buffer[]): string {
  return Buffer.concat(parts).toString('base64url')
}
