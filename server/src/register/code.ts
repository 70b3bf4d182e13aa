import { randomInt } from 'node:crypto'
import * as z from 'zod/mini'
import { statement, type Transaction } from '../database/database.ts'
import { codeKey } from '../member/key.ts'

/** Letters and digits that look different from each other. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'

/**
 * The numbers assigned to a new member. They are random, so they cannot be guessed and do not
 * reveal the number of members.
 */
export type MemberNumbers = { memberCode: string; cardNumber: string; uniCustomerNo: string }

const findKey = statement(
  'select from member_key where company_id = $1 and kind = $2 and value = $3',
  z.unknown(),
)

/** Makes numbers that no member of the company has. */
export async function newMemberNumbers(
  tx: Transaction,
  company: { id: string },
): Promise<MemberNumbers> {
  for (;;) {
    const names = {
      memberCode: `M${characters(10, alphabet)}`,
      cardNumber: cardNumber(),
      uniCustomerNo: `U${characters(14, alphabet)}`,
    }
    const keys = { code: names.memberCode, card: names.cardNumber, uni: names.uniCustomerNo }
    const known = await Promise.all(
      Object.entries(keys).map(([kind, value]) =>
        tx.run(findKey, [company.id, kind, codeKey(value)]),
      ),
    )
    if (known.every((count) => count === 0)) return names
  }
}

/** Sixteen digits; the last is a check digit (ISO/IEC 7812-1, Annex B). */
function cardNumber(): string {
  const digits = characters(1, '123456789') + characters(14, '0123456789')
  const sum = Array.from(digits, Number).reduce((total, digit, index) => {
    const weighed = index % 2 === 0 ? digit * 2 : digit
    return total + (weighed > 9 ? weighed - 9 : weighed)
  }, 0)
  return digits + String((10 - (sum % 10)) % 10)
}

function characters(count: number, of: string): string {
  return Array.from({ length: count }, () => of.charAt(randomInt(of.length))).join('')
}
