import type { sendEmailCaptcha, sendMobileCaptcha } from '@tillside/contract/verification'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import type { StepsContext } from '../database/context.ts'
import { statement, type Transaction } from '../database/database.ts'
import { invalidField } from '../text/invalid.ts'
import { emailKey, validMobileKey } from '../values/contact.ts'
import type { Contact } from '../verification/proof.ts'
import { sendCode } from '../verification/send.ts'

const findOwner = statement(
  'select from member_key where company_id = $1 and kind = $2 and value = $3',
  z.unknown(),
)

/** Sends a code to a mobile number that does not belong to a member. */
export async function sendMobileCode(
  context: StepsContext<typeof sendMobileCaptcha>,
  { countryCode, mobile }: Input<typeof sendMobileCaptcha>,
): Promise<Data<typeof sendMobileCaptcha>> {
  const value = validMobileKey(countryCode, mobile)
  if (value === null) {
    return context.fail('invalid', invalidField('mobile', 'format', context.language))
  }
  return sendCode(context, { purpose: 'register', contact: 'mobile', value }, value, isKeyTaken)
}

/** Sends a code to an e-mail address, written as it was typed. */
export function sendEmailCode(
  context: StepsContext<typeof sendEmailCaptcha>,
  { email }: Input<typeof sendEmailCaptcha>,
): Promise<Data<typeof sendEmailCaptcha>> {
  return sendCode(
    context,
    { purpose: 'register', contact: 'email', value: emailKey(email) },
    email,
    isKeyTaken,
  )
}

async function isKeyTaken(
  tx: Transaction,
  companyId: string,
  { contact, value }: Contact,
): Promise<boolean> {
  return (await tx.run(findOwner, [companyId, contact, value])) > 0
}
