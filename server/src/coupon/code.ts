import { randomInt } from 'node:crypto'
import {
  checkCharacter,
  couponAlphabet,
  couponRandomLength,
} from '@tillside/contract/rules/coupon-code'
import * as z from 'zod/mini'
import { statement, type Transaction } from '../database/database.ts'

/** A new coupon code: 55 random bits and a check character. */
export function makeCouponCode(): string {
  let code = ''
  for (let n = 0; n < couponRandomLength; n++) {
    code += couponAlphabet.charAt(randomInt(couponAlphabet.length))
  }
  return code + checkCharacter(code)
}

const readOwner = statement(
  'select member_id from coupon_key where company_id = $1 and coupon_code = $2',
  z.object({ member_id: z.string() }),
)

/**
 * The id of the member who has the coupon with this stored code; null when there is no such coupon.
 */
export async function ownerOfCode(
  tx: Transaction,
  companyId: string,
  code: string,
): Promise<string | null> {
  return (await tx.maybe(readOwner, [companyId, code]))?.member_id ?? null
}

/** Why a member does not have a coupon with this stored code. */
export async function whyNotOwn(
  tx: Transaction,
  companyId: string,
  code: string,
): Promise<'couponUnknown' | 'couponOtherMember'> {
  return (await ownerOfCode(tx, companyId, code)) === null ? 'couponUnknown' : 'couponOtherMember'
}

const readCodes = statement(
  'select coupon_code from coupon where company_id = $1 and member_id = $2',
  z.object({ coupon_code: z.string() }),
)
const moveKey = statement(
  'update coupon_key set member_id = $3 where company_id = $1 and coupon_code = $2',
  z.unknown(),
)

/** The codes of all coupons of a member. */
export async function codesOf(
  tx: Transaction,
  companyId: string,
  memberId: string,
): Promise<string[]> {
  const rows = await tx.all(readCodes, [companyId, memberId])
  return rows.map(({ coupon_code: code }) => code)
}

/** Lets codes find the member to whom a merge or its undo moved their coupons. */
export async function moveCouponKeys(
  tx: Transaction,
  companyId: string,
  codes: readonly string[],
  memberId: string,
): Promise<void> {
  await Promise.all(codes.map((code) => tx.run(moveKey, [companyId, code, memberId])))
}
