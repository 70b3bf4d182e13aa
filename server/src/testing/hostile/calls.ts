import type { Endpoint } from '@tillside/contract/wire/endpoint'
import type { EndpointName } from '@tillside/contract/endpoints'
import { failures, implicitFailures } from '@tillside/contract/wire/failures'
import { redeemCoupon } from '@tillside/contract/coupon'
import { redeemPoints } from '@tillside/contract/points'
import * as z from 'zod/mini'
import { type Answer, logIn, ok, password, type TestCompany } from '../factories/company.ts'
import { testCoupon } from '../factories/coupon.ts'
import { testMember } from '../factories/member.ts'
import { givePoints } from '../factories/points.ts'
import { testSale } from '../factories/receipt.ts'
import { newForm } from '../factories/registration.ts'
import { testLink } from '../factories/staff.ts'
import { sentCode, testMobile } from '../verification.ts'

/** Valid values of one company for the fields of all calls. */
export type CallTargets = {
  identifier: string
  memberCode: string
  couponCode: string
  invoiceNumber: string
  key: string
  /** A spending that can still be cancelled. */
  entryId: string
  /** The token of an unused login link. */
  accessToken: string
  /** Verification codes, each with the contact that it was sent to. */
  codes: Awaited<ReturnType<typeof sentCode>>
}

type MemberChanges = Parameters<typeof testMember> extends [unknown, ...infer R] ? R : never

/** Creates a member with a coupon, points and a receipt, for the calls that need one. */
export async function callTargets(
  company: TestCompany,
  ...changes: MemberChanges
): Promise<CallTargets> {
  const member = await testMember(company, ...changes)
  await givePoints(company, member, 1_000_000)
  const spent = { memberCode: member.memberCode, kind: 'gift', giftId: 'MUG', quantity: 1 }
  const { entry } = await ok(company, redeemPoints, spent, { token: await logIn(company) })
  return {
    identifier: company.identifier,
    memberCode: member.memberCode,
    couponCode: await testCoupon(company, member),
    invoiceNumber: await testSale(company, member),
    key: crypto.randomUUID(),
    entryId: entry.id,
    accessToken: await testLink(company, 'amy'),
    codes: await sentCode(company),
  }
}

/** A valid input for every endpoint. The type requires an entry for each new endpoint. */
export function validInputs(of: CallTargets): Record<EndpointName, Record<string, unknown>> {
  const { identifier, memberCode, couponCode, invoiceNumber, key, entryId } = of
  const gift = { memberCode, kind: 'gift', giftId: 'MUG', quantity: 2 }
  return {
    ...accountInputs(of),
    getCustomTheme: { xcrmIdentifier: identifier },
    getSupportedLanguages: {},
    setLanguage: { language: 'zh-HK' },
    getPermission: {},
    getDictionary: { types: ['gender', 'tier', 'region'], parent: 'HK' },
    getOtherConfig: {},
    getCustomRegisterConfig: {},
    listStores: {},
    getOneCustomer: { code: memberCode },
    createCustomer: {
      firstName: 'Mei',
      lastName: 'Chan',
      gender: 'F',
      birthday: '1990-02-28',
      countryCode: '852',
      mobile: '51118888',
      email: 'mei.chan@example.com',
      address: { country: 'HK', city: '810200', district: '810205' },
      likes: ['tea'],
      tncVersion: '2',
      marketingOptIn: true,
    },
    updateCustomer: { memberCode, version: 1, changes: { firstName: 'May' } },
    resignTnc: { memberCode, tncVersion: '2', marketingOptIn: true },
    listConsents: { memberCode },
    searchByName: { name: 'Cha' },
    revealContact: { memberCode, field: 'mobile' },
    membershipInfo: { memberCode },
    getByCodes: { codes: ['undoMinutes', 'points.perUnit'] },
    getRuleBook: {},
    listTiers: {},
    explainTier: { memberCode },
    pointHistory: {
      memberCode,
      types: [100000002, 100000004],
      from: '2026-01-01',
      to: '2026-12-31',
      pageSize: 10,
    },
    explainPoints: { memberCode },
    listGifts: { memberCode },
    previewPoints: gift,
    redeemPoints: gift,
    cancelPoints: { memberCode, entryId, reason: 'another gift' },
    getCustomerCoupons: { memberCode, status: 'ISSUED', pageSize: 10 },
    getStoreAssignedCoupons: { memberCode },
    couponCodeDetail: { couponCode },
    issueCoupon: { memberCode, couponId: 'TREAT', quantity: 2 },
    issueCouponByPoints: { memberCode, couponId: 'LATTE', quantity: 1 },
    redeemCoupon: { couponCode, memberCode, invoiceNumber: 'POS-1' },
    cancelCouponRedeem: { couponCode, memberCode, reason: 'wrong coupon' },
    batchRedeemCoupons: { couponCodes: [couponCode], memberCode, invoiceNumber: 'POS-2' },
    listTransactions: {
      memberCode,
      from: '2026-01-01',
      to: '2026-12-31',
      status: 'completed',
      pageSize: 10,
    },
    transactionDetail: { memberCode, invoiceNumber },
    operationStatus: { key },
    ...shiftInputs(),
  }
}

/**
 * Prepares a call, and returns a valid input for it. Example: an undo needs a redeemed coupon. Each
 * registration is of a new customer.
 */
export async function prepareInput(
  company: TestCompany,
  name: EndpointName,
  of: CallTargets,
): Promise<Record<string, unknown>> {
  const { memberCode, couponCode } = of
  if (name === 'createCustomer') return newForm()
  if (name === 'cancelCouponRedeem') {
    await ok(company, redeemCoupon, { memberCode, couponCode }, { token: await logIn(company) })
  }
  return validInputs(of)[name]
}

/** Inputs of the calls about the acts of clerks and their notes. */
function shiftInputs() {
  return {
    staffActivity: { date: '2026-01-05' },
    storeActivity: { date: '2026-01-05' },
    searchHistoryKey: {},
    listShiftNotes: {},
    writeShiftNote: { text: 'The fridge is being repaired at 15:00.\nKeys: drawer.' },
    readShiftNote: { noteId: crypto.randomUUID() },
  }
}

/** Inputs of the calls about accounts and verification. */
function accountInputs({ identifier, accessToken, codes }: CallTargets) {
  const newPassword = 'Another#2026'
  return {
    login: { identifier, account: 'amy', password },
    logout: {},
    noPasswordLogin: { accessToken },
    changePassword: { originPassword: password, newPassword, confirm_password: newPassword },
    confirmPassword: { password },
    sendMobileCaptcha: testMobile(),
    validateMobileCaptcha: codes.mobile,
    sendEmailCaptcha: { email: `${crypto.randomUUID()}@example.com` },
    validateEmailCaptcha: codes.email,
  }
}

const WithRequestId = z.object({ requestId: z.uuid() })

/**
 * Whether the contract allows this answer from the endpoint: its data, a declared refusal with that
 * refusal's data, or an HTTP status below 500 with a request id.
 */
export function isDeclared(endpoint: Endpoint, answer: Answer): boolean {
  const { status, code, data } = answer
  if (status !== 200) {
    return status < 500 && code === status && WithRequestId.safeParse(data).success
  }
  if (code === 0) return z.safeParse(endpoint.data, data).success
  const refusal = [...implicitFailures, ...endpoint.refusals]
    .map((name) => failures[name])
    .find((failure) => failure.code === code)
  return refusal !== undefined && z.safeParse<z.ZodMiniType>(refusal.data, data).success
}
