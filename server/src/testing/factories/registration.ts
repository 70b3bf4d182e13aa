import { failures } from '@tillside/contract/wire/failures'
import { createCustomer, type Member } from '@tillside/contract/member'
import { type Answer, call, type CallOptions, dataOf, type TestCompany } from './company.ts'

let joined = 0

/** The input of a registration with a unique mobile number. */
export function newForm(changes: Record<string, unknown> = {}): Record<string, unknown> {
  joined += 1
  return {
    firstName: 'Mei',
    lastName: 'Chan',
    countryCode: '852',
    mobile: `5${String(2_000_000 + joined)}`,
    tncVersion: '2',
    marketingOptIn: false,
    ...changes,
  }
}

/** Sends a registration as the portal does. */
export function signUp(
  company: TestCompany,
  token: string,
  changes: Record<string, unknown> = {},
  options: CallOptions = {},
): Promise<Answer> {
  return call(company, createCustomer, newForm(changes), { token, ...options })
}

/** The refused fields of an answer, as `path:reason`. */
export function refusedFields(answer: Answer): string[] {
  if (answer.code !== 422) return [`${answer.code} ${answer.message}`]
  const { fields } = failures.invalid.data.parse(answer.data)
  return [...new Set(fields.map(({ path, reason }) => `${path}:${reason}`))]
}

/** The member that a registration has made. @throws Error if it was refused */
export function memberIn(answer: Answer): Member {
  return dataOf(createCustomer, answer)
}
