import { type CallTargets, validInputs } from './calls.ts'
import { password, type TestCompany } from '../factories/company.ts'
import type { Known } from './known.ts'

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
