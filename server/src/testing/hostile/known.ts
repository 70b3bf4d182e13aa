import { randomBytes, randomUUID } from 'node:crypto'
import type { Endpoint } from '@tillside/contract/wire/endpoint'
import { listShiftNotes, writeShiftNote } from '@tillside/contract/activity'
import {
  sendEmailCaptcha,
  sendMobileCaptcha,
  validateEmailCaptcha,
  validateMobileCaptcha,
} from '@tillside/contract/verification'
import * as z from 'zod/mini'
import { makeCouponCode } from '../../coupon/code.ts'
import { makeToken } from '../../staff/token.ts'
import { type CallTargets, callTargets } from './calls.ts'
import { logIn, ok, testCompany, type TestCompany } from '../factories/company.ts'
import { testDefinition } from '../factories/definition.ts'
import { testMember } from '../factories/member.ts'
import { testClerk } from '../factories/staff.ts'
import { testMobile, waitingCode } from '../verification.ts'

/**
 * For each field name, a value that exists in the company. `proven`: the contact that the company
 * has proofs of.
 */
export type Known = { proven: Contact } & Record<
  | 'account'
  | 'accessToken'
  | 'memberCode'
  | 'code'
  | 'cardNumber'
  | 'uniCustomerNo'
  | 'mobile'
  | 'email'
  | 'couponCode'
  | 'couponCodes'
  | 'couponId'
  | 'giftId'
  | 'entryId'
  | 'invoiceNumber'
  | 'key'
  | 'storeCode'
  | 'registrationStore'
  | 'mobileVerification'
  | 'emailVerification'
  | 'operationId'
  | 'noteId',
  string
>

/** A contact that two companies verify independently. */
export type Contact = { countryCode: string; mobile: string; email: string }
export const newContact = (): Contact => ({ ...testMobile(), email: `${randomUUID()}@example.com` })

/** A company with its own codes, which requires verified contacts. */
export function companyWithOwnCodes(mark: string): Promise<TestCompany> {
  const { coupons, gifts, stores, register } = testDefinition('any')
  const names = { 'en-US': mark, 'zh-HK': mark }
  return testCompany({
    coupons: [...coupons, { id: mark, names, kind: 'gift', validity: { days: 30 } }],
    gifts: [...gifts, { id: mark, names, points: 50 }],
    stores: [...stores, { code: mark, name: mark }],
    register: { ...register, verification: { mobile: true, email: true } },
  })
}

/** Values of everything in a company made by `companyWithOwnCodes`, and proofs of a contact. */
export async function knownOf(
  company: TestCompany,
  mark: string,
  of: Contact,
): Promise<{ known: Known; things: CallTargets }> {
  const things = await callTargets(company)
  const account = `clerk-${mark}`
  const noteId = await noteOf(company, await testClerk(company, account))
  const contact = newContact()
  const member = await testMember(company, contact)
  const known = {
    account,
    accessToken: things.accessToken,
    memberCode: things.memberCode,
    code: things.memberCode,
    cardNumber: member.memberCode.replace('M', 'C'),
    uniCustomerNo: member.memberCode.replace('M', 'U'),
    mobile: contact.mobile,
    email: contact.email,
    couponCode: things.couponCode,
    couponCodes: things.couponCode,
    couponId: mark,
    giftId: mark,
    entryId: things.entryId,
    invoiceNumber: things.invoiceNumber,
    key: things.key,
    storeCode: mark,
    registrationStore: mark,
    ...(await proofsOf(company, of)),
    proven: of,
    operationId: `OP-${mark}`,
    noteId,
  }
  return { known, things }
}

/** A note that amy has not confirmed. */
async function noteOf(company: TestCompany, token: string): Promise<string> {
  await ok(company, writeShiftNote, { text: 'Keys: drawer' }, { token })
  const { items } = await ok(company, listShiftNotes, {}, { token })
  return items[0]?.noteId ?? ''
}

async function proofsOf(company: TestCompany, { countryCode, mobile, email }: Contact) {
  const token = await logIn(company)
  const number = { countryCode, mobile }
  await ok(company, sendMobileCaptcha, number, { token })
  await ok(company, sendEmailCaptcha, { email }, { token })
  const byMobile = { ...number, captcha: await waitingCode(company, `+${countryCode}${mobile}`) }
  const byEmail = { email, captcha: await waitingCode(company, email) }
  const proven = await ok(company, validateMobileCaptcha, byMobile, { token })
  const alsoProven = await ok(company, validateEmailCaptcha, byEmail, { token })
  return { mobileVerification: proven.verification, emailVerification: alsoProven.verification }
}

/** Values in the same format that do not exist. @param at the company of the unknown link */
export function unknownValues(at: TestCompany): Omit<Known, 'proven'> {
  const word = randomBytes(6).toString('hex').toUpperCase()
  const { mobile, email } = newContact()
  const unknownCoupon = makeCouponCode()
  return {
    account: `clerk-${word}`,
    accessToken: makeToken(at.id, randomUUID()).token,
    memberCode: `M${word}`,
    code: `M${word}`,
    cardNumber: `C${word}`,
    uniCustomerNo: `U${word}`,
    mobile,
    email,
    couponCode: unknownCoupon,
    couponCodes: unknownCoupon,
    couponId: word,
    giftId: word,
    entryId: randomUUID(),
    invoiceNumber: `R${word}`,
    key: randomUUID(),
    storeCode: word,
    registrationStore: word,
    mobileVerification: randomBytes(32).toString('base64url'),
    emailVerification: randomBytes(32).toString('base64url'),
    operationId: `OP-${word}`,
    noteId: randomUUID(),
  }
}

/**
 * The paths of all fields of an input, such as `changes.email`; list items have the path of the
 * list.
 */
export function pathsOf({ input }: Pick<Endpoint, 'input'>): string[] {
  return [...new Set(walk(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }), ''))]
}

function walk(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const found: string[] = []
  for (const [word, inside] of Object.entries(schema)) {
    if (word === 'properties' && typeof inside === 'object' && inside !== null) {
      for (const [name, field] of Object.entries(inside)) {
        const at = path === '' ? name : `${path}.${name}`
        found.push(at, ...walk(field, at))
      }
    } else found.push(...walk(inside, path))
  }
  return found
}

/** The same input with every value at the path replaced. */
export function replaced(input: unknown, path: string, value: string): unknown {
  if (Array.isArray(input)) {
    return input.map((item: unknown) => (path === '' ? value : replaced(item, path, value)))
  }
  if (path === '') return value
  if (typeof input !== 'object' || input === null) return input
  const [first = '', ...rest] = path.split('.')
  return Object.fromEntries(
    Object.entries(input).map(([name, v]) =>
      name === first ? [name, replaced(v, rest.join('.'), value)] : [name, v],
    ),
  )
}
