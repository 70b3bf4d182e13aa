import type { Definition } from '../company/definition.ts'
import { NewMember } from '../member/create.ts'
import type { Clock } from './clock.ts'
import { mobileOf, personOf } from './people.ts'

/** The members of each practice company. */
export const practiceMemberCount = 24

/**
 * The fictitious members. The portal's tasks name them by card numbers, which are therefore the
 * same in every practice company: 9900000010001 and the next ones.
 */
export function practiceMembers(definition: Definition, clock: Clock): NewMember[] {
  const { languages, callingCodes, terms } = definition
  const stores = definition.stores.filter(({ active }) => active).map(({ code }) => code)
  return Array.from({ length: practiceMemberCount }, (_, index) => {
    const number = 10_001 + index
    const language = languages[index % languages.length] ?? 'en-US'
    const registered = clock.daysAgo(120 + index)
    const storeCode = stores[index % stores.length] ?? null
    const countryCode = callingCodes[0] ?? null
    return NewMember.parse({
      ...personOf(language, index),
      memberCode: `P${number}`,
      cardNumber: `99000000${number}`,
      uniCustomerNo: `UP${number}`,
      birthday: `19${70 + index}-0${1 + (index % 9)}-15`,
      countryCode,
      mobile: countryCode === null ? null : mobileOf(countryCode, index),
      email: `practice.${number}@example.com`,
      registrationDate: registered,
      registrationStore: storeCode,
      marketingOptIn: index % 2 === 0,
      consent: { version: terms.version, language, at: clock.at(registered, 14 * 60), storeCode },
    })
  })
}
