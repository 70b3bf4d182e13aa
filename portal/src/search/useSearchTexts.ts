import { useLingui } from '@lingui/react/macro'
import type { Kind, Method, SearchErrorCode } from './text/parse.ts'

/** The texts of the search, by kind and by error. */
export function useSearchTexts() {
  const { t } = useLingui()
  const methodNames: Record<Method, string> = {
    mobile: t({ id: 'search.mobile', message: 'Mobile' }),
    card: t({ id: 'search.card', message: 'Card no.' }),
    code: t({ id: 'search.code', message: 'Member code' }),
    email: t({ id: 'search.email', message: 'Email' }),
  }
  const kinds: Record<Kind, string> = {
    ...methodNames,
    coupon: t({ id: 'search.coupon', message: 'Coupon code' }),
    customer: t({ id: 'search.memberQr', message: 'Member QR code' }),
  }
  const errorTexts: Record<SearchErrorCode, string> = {
    anyReq: t({
      id: 'search.anyReq',
      message: 'Please enter a mobile number, card number, member code or email',
    }),
    mobileReq: t({ id: 'search.mobileReq', message: 'Please enter the mobile number' }),
    cardReq: t({ id: 'search.cardReq', message: 'Please enter the card number' }),
    codeReq: t({ id: 'search.codeReq', message: 'Please enter the member code' }),
    emailReq: t({ id: 'search.emailReq', message: 'Please enter the email' }),
    mobileBad: t({ id: 'search.mobileBad', message: 'Please enter a valid mobile number' }),
    codeBad: t({ id: 'search.codeBad', message: 'Only a-Z/0-9' }),
    emailBad: t({ id: 'search.emailBad', message: 'Please enter the correct email' }),
    nameReq: t({
      id: 'search.nameReq',
      message: 'Type at least two characters of a name, or a number, a code or an email',
    }),
    notMember: t({ id: 'scan.notMember', message: "This code isn't a member code." }),
  }
  return { methodNames, kinds, errorTexts }
}
