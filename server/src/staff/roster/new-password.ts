import { randomInt } from 'node:crypto'
import type { Transaction } from '../../database/database.ts'
import { hashPassword } from '../password.ts'
import { contextNames, passwordProblem } from '../passwords/problem.ts'

/** Generates a password: 14 of 56 characters, without those that look alike, about 81 bits. */
export function makePassword(): string {
  const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
  return Array.from({ length: 14 }, () => alphabet[randomInt(alphabet.length)]).join('')
}

/**
 * Describes why a new password is not allowed; null: it is.
 * @param context of `passwordProblem`
 */
export function describePasswordProblem(
  password: string,
  context: readonly string[],
): string | null {
  const problem = passwordProblem(password, context)
  if (problem === 'format')
    return 'a password must have 8 to 16 visible characters and no white space'
  return problem === 'tooCommon' ? 'this password is too common' : null
}

/**
 * Hashes a new password.
 * @param own names of the account's owner
 * @throws Error when it is not allowed
 */
export async function hashAllowed(
  tx: Transaction,
  companyId: string,
  password: string,
  own: readonly string[],
): Promise<string> {
  const context = [...(await contextNames(tx, companyId)), ...own]
  const problem = describePasswordProblem(password, context)
  if (problem !== null) throw new Error(problem)
  return hashPassword(password)
}
