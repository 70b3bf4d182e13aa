import { randomInt } from 'node:crypto'
import { sendEmailCaptcha, sendMobileCaptcha } from '@tillside/contract/verification'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { logIn, ok, type TestCompany } from './factories/company.ts'

const readTexts = statement(
  `select content ->> 'text' as text from message
   where company_id = $1 and recipient = $2 order by message_id desc limit 1`,
  z.object({ text: z.string() }),
)

/** An unused Hong Kong mobile number. */
export function testMobile(): { countryCode: string; mobile: string } {
  return { countryCode: '852', mobile: `6${randomInt(3_000_000, 6_000_000)}` }
}

/** The code waiting to be sent to a recipient: a number in E.164, or an e-mail address. */
export async function waitingCode(
  { database, id }: Pick<TestCompany, 'database' | 'id'>,
  recipient: string,
): Promise<string> {
  const { text } = await database.reading(id, (tx) => tx.one(readTexts, [id, recipient]))
  const code = /\d{6}/.exec(text)?.[0]
  if (code === undefined) throw new Error('a message without a code')
  return code
}

/** Sends codes to a new number and address, as a clerk does. @returns the input of `validate…` */
export async function sentCode(company: TestCompany) {
  const token = await logIn(company)
  const number = testMobile()
  const email = `${crypto.randomUUID()}@example.com`
  await ok(company, sendMobileCaptcha, number, { token })
  await ok(company, sendEmailCaptcha, { email }, { token })
  return {
    mobile: { ...number, captcha: await waitingCode(company, `+852${number.mobile}`) },
    email: { email, captcha: await waitingCode(company, email) },
  }
}
