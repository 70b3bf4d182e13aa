import type { FieldReason } from '@tillside/contract/wire/failures'
import type { createCustomer, CustomValue, updateCustomer } from '@tillside/contract/member'
import type { Input } from '@tillside/contract/wire/endpoint'
import type { Settings } from '../company/definition.ts'
import { maskCharacter } from '@tillside/contract/rules/person'
import { validMobileKey } from '../values/contact.ts'
import { birthdayProblem } from '@tillside/contract/rules/day'
import { Address, invalidPart } from './address.ts'
import { checkValue, type FormField } from './field.ts'

/** The input of a clerk: the known fields and the company's own. */
type Typed = Omit<
  Input<typeof createCustomer>,
  'tncVersion' | 'marketingOptIn' | 'consentLanguage' | 'mobileVerification' | 'emailVerification'
> &
  Input<typeof updateCustomer>['changes']

export type Problem = { path: string; reason: FieldReason }

/** The validated input as it is stored; fields without input are absent. */
export type Profile = {
  firstName?: string
  lastName?: string
  gender?: 'F' | 'M' | null
  birthday?: string | null
  countryCode?: string | null
  mobile?: string | null
  email?: string | null
  address?: Address
  customFields: Record<string, CustomValue>
}

type Rules = {
  settings: Settings
  /** The company's day. */
  today: string
  /**
   * `true`: a registration, absent fields count as empty. `false`: an update, absent fields stay.
   */
  whole: boolean
}

/** Validates input against the company's register form. */
export async function checkForm(
  typed: Typed,
  rules: Rules,
): Promise<{ profile: Profile; problems: Problem[] }> {
  const { register } = rules.settings
  const known = new Set(register.fields.map(({ name }) => name))
  if (known.has('mobile')) known.add('countryCode')
  const problems: Problem[] = Object.keys(typed)
    .filter((name) => !known.has(name))
    .map((path) => ({ path, reason: 'unknownField' }))
  const profile: Profile = { customFields: {} }
  for (const field of register.fields) {
    const given = isGiven(field.name, typed)
    if (!given && !rules.whole) continue
    problems.push(...(await checkField(field, typed, rules, profile)))
  }
  const nameless = rules.whole && !profile.firstName && !profile.lastName
  if (nameless && problems.length === 0) problems.push({ path: 'firstName', reason: 'required' })
  return { profile, problems }
}

function isGiven(name: string, typed: Typed): boolean {
  return Object.hasOwn(typed, name) || (name === 'mobile' && Object.hasOwn(typed, 'countryCode'))
}

/** Validates one field and stores its value in the profile. */
async function checkField(
  field: FormField,
  typed: Typed,
  rules: Rules,
  profile: Profile,
): Promise<Problem[]> {
  const { name, required } = field
  const missing = (empty: boolean): Problem[] =>
    required && empty ? [{ path: name, reason: 'required' }] : []
  switch (name) {
    case 'firstName':
    case 'lastName': {
      profile[name] = typed[name] ?? ''
      if (profile[name] === '') return missing(true)
      return problemOf(name, checkValue(field, profile[name]))
    }
    case 'gender': {
      profile.gender = typed.gender ?? null
      if (profile.gender === null) return missing(true)
      return problemOf(name, checkValue(field, profile.gender))
    }
    case 'birthday': {
      profile.birthday = typed.birthday ?? null
      if (profile.birthday === null) return missing(true)
      const { birthdayMinAge } = rules.settings
      const reason = birthdayProblem(profile.birthday, rules.today, birthdayMinAge)
      return reason === null ? [] : [{ path: name, reason }]
    }
    case 'mobile':
      return checkMobile(typed, profile) ?? missing(profile.mobile === null)
    case 'email': {
      profile.email = typed.email ?? null
      if (profile.email?.includes(maskCharacter)) return [{ path: name, reason: 'format' }]
      return missing(profile.email === null)
    }
    case 'address': {
      profile.address = Address.parse(typed.address ?? {})
      const wrong = await invalidPart(profile.address)
      if (wrong !== null) return [{ path: `address.${wrong.path}`, reason: wrong.reason }]
      return missing(profile.address.country === null)
    }
    default: {
      const value = typed[name] ?? null
      if (value === null || (Array.isArray(value) && value.length === 0)) {
        profile.customFields[name] = null
        return missing(true)
      }
      // A required checkbox must be ticked.
      if (field.type === 'boolean' && required && value === false) return missing(true)
      const checked = checkValue(field, value)
      if ('value' in checked) profile.customFields[name] = checked.value
      return problemOf(name, checked)
    }
  }
}

function problemOf(path: string, checked: ReturnType<typeof checkValue>): Problem[] {
  return 'reason' in checked ? [{ path, reason: checked.reason }] : []
}

/** @returns null when it is valid */
function checkMobile(typed: Typed, profile: Profile): Problem[] | null {
  const [countryCode, mobile] = [typed.countryCode ?? null, typed.mobile ?? null]
  Object.assign(profile, { countryCode: null, mobile: null })
  if (mobile === null && countryCode === null) return null
  if (mobile === null) return [{ path: 'mobile', reason: 'required' }]
  if (countryCode === null) return [{ path: 'countryCode', reason: 'required' }]
  const key = validMobileKey(countryCode, mobile)
  if (key === null) return [{ path: 'mobile', reason: 'format' }]
  // The national number without its trunk prefix.
  Object.assign(profile, { countryCode, mobile: key.slice(countryCode.length + 1) })
  return null
}
