import type { validateEmailCaptcha, validateMobileCaptcha } from '@tillside/contract/verification'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import { writeAudit } from '../database/audit.ts'
import { emailKey, mobileKey } from '../values/contact.ts'
import type { StepsContext } from '../database/context.ts'
import { statement } from '../database/database.ts'
import { inOneRoundTrip } from '../database/single-transaction.ts'
import { verifyPassword } from '../staff/password.ts'
import { type Contact, createProof } from './proof.ts'

const maxAttempts = 5
const isOpen = `code_hash is not null and expires_at > now()
  and tries < ${maxAttempts}`
// Without it, attempts that can only be refused would queue for the lock of the row.
const findTry = statement(
  `select 1 as found from contact_code
   where company_id = $1 and purpose = $2 and contact = $3 and value = $4 and ${isOpen}`,
  z.object({ found: z.literal(1) }),
)
// The attempt is counted in a transaction of its own before the code is compared. So no more than
// `maxAttempts` concurrent attempts, on any server process, are compared.
const takeTry = statement(
  `update contact_code set tries = tries + 1
   where company_id = $1 and purpose = $2 and contact = $3 and value = $4 and ${isOpen}
   returning code_hash, tries`,
  z.object({ code_hash: z.string(), tries: z.int() }),
)
const useCode = statement(
  `update contact_code set code_hash = null
   where company_id = $1 and purpose = $2 and contact = $3 and value = $4 and code_hash = $5`,
  z.unknown(),
)

/** Exchanges the code sent to a mobile number for a proof that the number is the customer's. */
export function validateMobileCode(
  context: StepsContext<typeof validateMobileCaptcha>,
  { countryCode, mobile, captcha }: Input<typeof validateMobileCaptcha>,
): Promise<Data<typeof validateMobileCaptcha>> {
  const value = mobileKey(countryCode, mobile)
  return validate(context, { purpose: 'register', contact: 'mobile', value }, captcha)
}

/** Exchanges the code sent to an e-mail address in the same way. */
export function validateEmailCode(
  context: StepsContext<typeof validateEmailCaptcha>,
  { email, captcha }: Input<typeof validateEmailCaptcha>,
): Promise<Data<typeof validateEmailCaptcha>> {
  return validate(
    context,
    { purpose: 'register', contact: 'email', value: emailKey(email) },
    captcha,
  )
}

type Proving = StepsContext<typeof validateMobileCaptcha>

/** Order of refusals: no code to compare with, the code is wrong. */
async function validate(context: Proving, of: Contact, captcha: string) {
  const { database, company, fail } = context
  const { purpose, contact, value } = of
  const key = [company.id, purpose, contact, value]
  const found = await database.reading(company.id, (tx) => tx.maybe(findTry, key))
  const taken =
    found === null
      ? null
      : await inOneRoundTrip(database, company.id, (tx) => tx.maybe(takeTry, key))
  if (taken === null) return fail('captchaMissing', { field: contact })
  if (!(await verifyPassword(captcha, taken.code_hash))) {
    return fail('captchaWrong', { attemptsLeft: maxAttempts - taken.tries })
  }
  const verification = await database.transaction(company.id, async (tx) => {
    // Another request used the code first, or a new code replaced it.
    if ((await tx.run(useCode, [...key, taken.code_hash])) === 0) return null
    const change = { action: 'verification.prove', memberId: null, details: { contact } }
    writeAudit(tx, context, context.requestId, change)
    return createProof(tx, company, of)
  })
  return verification === null ? fail('captchaMissing', { field: contact }) : { verification }
}
