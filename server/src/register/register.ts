import type { createCustomer } from '@tillside/contract/member'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import { settingsOf } from '../company/settings.ts'
import { emailKey, mobileKey } from '../values/contact.ts'
import type { Context } from '../database/context.ts'
import { wrongFields } from '../text/invalid.ts'
import { consumeProof } from '../verification/proof.ts'
import { newMemberNumbers } from './code.ts'
import { KeysTaken, NewMember } from '../member/create.ts'
import { createMember } from './create.ts'
import { checkForm, type Profile } from '../member/form.ts'
import { readMember } from '../member/member.ts'

type Register = Context<typeof createCustomer>
type References = { mobile: string | undefined; email: string | undefined }

/** Registers a member with the fields of the company's register form. */
export async function register(
  context: Context<typeof createCustomer>,
  input: Input<typeof createCustomer>,
): Promise<Data<typeof createCustomer>> {
  const { tx, company, store, staff, today, now, language } = context
  const { tncVersion, marketingOptIn, mobileVerification, emailVerification, ...rest } = input
  const { consentLanguage = language, ...typed } = rest
  const settings = await settingsOf(tx, company)
  const { profile, problems } = await checkForm(typed, { settings, today, whole: true })
  if (tncVersion !== settings.terms.version) {
    problems.push({ path: 'tncVersion', reason: 'outdated' })
  }
  if (rest.consentLanguage && !settings.languages.includes(rest.consentLanguage)) {
    problems.push({ path: 'consentLanguage', reason: 'notAllowed' })
  }
  if (problems.length > 0) return context.fail('invalid', wrongFields(problems, language))
  const [names, proven] = await Promise.all([
    newMemberNumbers(tx, company),
    prove(context, profile, { mobile: mobileVerification, email: emailVerification }),
  ])
  for (const contact of ['mobile', 'email'] as const) {
    // A system has verified the contacts that it sends.
    const wanted =
      !context.isSystem && settings.register.verification[contact] && profile[contact] != null
    if (proven[contact] === false || (wanted && proven[contact] === null)) {
      return context.fail('captchaMissing', { field: contact })
    }
  }
  const memberId = await make(context, {
    ...names,
    firstName: '',
    lastName: '',
    ...profile,
    registrationDate: today,
    registrationStore: store.code,
    marketingOptIn,
    consent: {
      version: tncVersion,
      language: consentLanguage,
      at: now,
      staffId: staff.id,
      storeCode: store.code,
    },
  })
  context.changed({
    action: 'member.create',
    memberId,
    details: { mobileProven: proven.mobile === true, emailProven: proven.email === true },
  })
  return readMember(context, memberId)
}

/**
 * Consumes the proofs of the contacts; null for a contact without one. A later refusal rolls this
 * back.
 */
async function prove({ tx, company }: Register, profile: Profile, references: References) {
  const { countryCode, mobile, email } = profile
  const keys = {
    mobile: countryCode && mobile ? mobileKey(countryCode, mobile) : null,
    email: email ? emailKey(email) : null,
  }
  const proofOf = async (contact: 'mobile' | 'email') => {
    const [reference, value] = [references[contact], keys[contact]]
    if (reference === undefined) return null
    if (value === null) return false
    return consumeProof(tx, company, { purpose: 'register', contact, value }, reference)
  }
  const [mobileProven, emailProven] = await Promise.all([proofOf('mobile'), proofOf('email')])
  return { mobile: mobileProven, email: emailProven }
}

async function make(context: Register, input: Parameters<typeof NewMember.parse>[0]) {
  try {
    return await createMember(context.tx, context.company, NewMember.parse(input))
  } catch (error) {
    if (!(error instanceof KeysTaken)) throw error
    const field = (['mobile', 'email'] as const).find((kind) => error.kinds.includes(kind))
    if (field === undefined) throw error
    return context.fail('contactTaken', { field })
  }
}
