import { type CallTargets, validInputs } from './calls.ts'
import { password, type TestCompany } from '../factories/company.ts'
import type { Known } from './known.ts'
import { receipt } from '../factories/receipt.ts'

/**
 * Valid inputs of a call, except that the value `x` must be replaced. Together they contain every
 * field that refers to something.
 */
export function samplesOf(
  name: string,
  { identifier }: Pick<TestCompany, 'identifier'>,
  known: Known,
  things: CallTargets,
): unknown[] {
  const { memberCode } = things
  const valid = Object.entries(validInputs(things)).find(([call]) => call === name)?.[1]
  return (
    {
      ...ofTills(memberCode),
      noPasswordLogin: [{ accessToken: 'x', identifier }],
      login: [{ identifier, account: 'x', password }],
      getOneCustomer: [
        { cardNumber: 'x' },
        { uniCustomerNo: 'x' },
        { email: 'x' },
        { countryCode: '852', mobile: 'x' },
        { code: 'x' },
      ],
      createCustomer: [
        {
          firstName: 'Mei',
          ...known.proven,
          mobileVerification: known.mobileVerification,
          emailVerification: known.emailVerification,
          tncVersion: '2',
          marketingOptIn: true,
        },
      ],
      previewPoints: [
        { memberCode, kind: 'gift', giftId: 'MUG', quantity: 1 },
        { memberCode, kind: 'coupon', couponId: 'LATTE', quantity: 1 },
      ],
      listTransactions: [{ memberCode, invoiceNumber: 'x' }],
    }[name] ?? [valid]
  )
}

function ofTills(memberCode: string) {
  const original = { invoiceNumber: 'x', source: 100000028 }
  const movement = {
    operationId: 'OP',
    memberCode,
    type: 'adjustmentUp',
    points: 1,
    reason: 'why',
    storeCode: 'S1',
  }
  const member = {
    memberCode: 'NEW1',
    uniCustomerNo: 'UNEW1',
    cardNumber: 'CNEW1',
    firstName: 'Mei',
    registrationStore: 'S1',
  }
  return {
    readMember: [{ code: 'x' }],
    readPointReport: [{ from: '2026-01-01', to: '2026-01-31' }],
    postTransactions: [{ items: [receipt([['TEA', '1.00', -1]], { memberCode, original })] }],
    postPoints: [{ items: [movement] }],
    postMembers: [{ items: [member] }],
  }
}
