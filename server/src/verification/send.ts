import { randomInt } from 'node:crypto'
import type { sendMobileCaptcha } from '@tillside/contract/verification'
import type { Data } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import { textIn } from '../company/definition.ts'
import { settingsOf } from '../company/settings.ts'
import { writeAudit } from '../database/audit.ts'
import type { StepsContext } from '../database/context.ts'
import { statement, type Transaction } from '../database/database.ts'
import { lockOf } from '../database/lock.ts'
import { hashPassword } from '../staff/password.ts'
import { takeCodeAllowance, waitForCodeAllowance } from './allowance.ts'
import { cancelMessage, enqueueMessage } from './message.ts'
import type { Contact } from './proof.ts'
import { codeMessage } from './texts.ts'

const state = `array(
    select x from unnest(sends) x
    where x > clock_timestamp() - interval '1 day' order by x) as recent,
  clock_timestamp() as now, message_id`
const State = z.object({
  recent: z.array(z.date()),
  now: z.string(),
  message_id: z.nullable(z.string()),
})
const readRow = statement(
  `select ${state} from contact_code
   where company_id = $1 and purpose = $2 and contact = $3 and value = $4`,
  State,
)
const makeRow = statement(
  `insert into contact_code (company_id, purpose, contact, value, sends, expires_at)
   values ($1, $2, $3, $4, '{}', now()) on conflict do nothing`,
  z.unknown(),
)
// The transaction that locks the row sends. Concurrent ones do not wait for it: the contact gets a
// code at this moment, so they are too early in any case.
const lockRow = lockOf(
  'contact_code',
  ['company_id', 'purpose', 'contact', 'value'],
  `${readRow.text} for update skip locked`,
  State,
)
const writeCode = statement(
  `update contact_code set sends = $5, code_hash = $6, tries = 0, message_id = $7,
     expires_at = now() + make_interval(secs => $8)
   where company_id = $1 and purpose = $2 and contact = $3 and value = $4`,
  z.unknown(),
)

const readPractice = statement(
  'select practice from company where company_id = $1',
  z.object({ practice: z.boolean() }),
)
/** Nothing is sent in a practice company, so every clerk there knows the code. */
const practiceCode = '123456'

type IsTaken = (tx: Transaction, companyId: string, contact: Contact) => Promise<boolean>

const lifeSeconds = 300
/** How long a clerk waits before the same contact can get a new code. */
export const pauseSeconds = 60
const sendsADay = 10
const daySeconds = 86_400

/** The context of the endpoints that send a code; both have the same refusals. */
export type Sending = StepsContext<typeof sendMobileCaptcha>

type Wanted = { of: Contact; recipient: string; isTaken: IsTaken }

/**
 * Sends a code to a contact.
 * Order of refusals: the contact is a member's, too many codes were sent. Both are decided twice:
 * first without a lock, so that a refused request neither waits nor hashes, and again when the
 * row is locked.
 * @param recipient the contact as it was typed
 * @param isTaken says whether a member has the contact; its query is sent with the others
 */
export async function sendCode(
  context: Sending,
  of: Contact,
  recipient: string,
  isTaken: IsTaken,
): Promise<Data<typeof sendMobileCaptcha>> {
  const { database, company } = context
  const key = [company.id, of.purpose, of.contact, of.value]
  const practice = await database.reading(company.id, async (tx) => {
    const [taken, row, waitOfClerk, found] = await Promise.all([
      isTaken(tx, company.id, of),
      tx.maybe(readRow, key),
      waitForCodeAllowance(tx, context),
      tx.one(readPractice, [company.id]),
    ])
    if (taken) return context.fail('contactTaken', { field: of.contact })
    refuseTooOften(context, Math.max(waitOfClerk, row === null ? 0 : secondsToWait(row)))
    return found.practice
  })
  const code = practice ? practiceCode : randomInt(1_000_000).toString().padStart(6, '0')
  // Hashed before the row is locked, because hashing is slow on purpose. The row is made in a
  // transaction of its own: a concurrent insert would wait for the whole transaction that sends.
  const [hash] = await Promise.all([
    hashPassword(code),
    database.transaction(company.id, async (tx) => tx.atCommit(makeRow, key)),
  ])
  await database.transaction(company.id, (tx) =>
    replaceCode(context, tx, { of, recipient, isTaken }, { code, hash }),
  )
  return { expiresIn: lifeSeconds, resendAfter: pauseSeconds }
}

async function replaceCode(
  context: Sending,
  tx: Transaction,
  { of, recipient, isTaken }: Wanted,
  { code, hash }: { code: string; hash: string },
): Promise<void> {
  const { company, language } = context
  const { purpose, contact, value } = of
  const key = [company.id, purpose, contact, value]
  const [taken, row, settings] = await Promise.all([
    isTaken(tx, company.id, of),
    tx.maybe(lockRow, key),
    settingsOf(tx, company),
  ])
  if (taken) return context.fail('contactTaken', { field: contact })
  if (row === null) return context.fail('captchaTooOften', { retryAfter: pauseSeconds })
  refuseTooOften(context, secondsToWait(row))
  // All clerks of a company lock one row here, so it is the last one before the commit.
  refuseTooOften(context, await takeCodeAllowance(tx, context))

  if (row.message_id !== null) cancelMessage(tx, company, row.message_id)
  const channel = contact === 'mobile' ? 'sms' : 'email'
  const content = codeMessage(language, textIn(settings.names, language, settings), code)
  const messageId = enqueueMessage(tx, company, channel, recipient, content, lifeSeconds)
  const sends = [...row.recent, row.now]
  tx.atCommit(writeCode, [...key, sends, hash, messageId, lifeSeconds])
  const change = { action: 'verification.send', memberId: null, details: { contact } }
  writeAudit(tx, context, context.requestId, change)
}

function refuseTooOften(context: Sending, retryAfter: number): void {
  if (retryAfter > 0) context.fail('captchaTooOften', { retryAfter })
}

/** Seconds until another code may be sent; 0 for now. */
function secondsToWait(row: z.infer<typeof State>): number {
  const now = Date.parse(row.now)
  const [oldest, newest] = [row.recent.at(-sendsADay), row.recent.at(-1)]
  const until = (sent: Date | undefined, seconds: number): number =>
    sent === undefined ? 0 : Math.ceil(seconds - (now - sent.getTime()) / 1000)
  return Math.max(0, until(newest, pauseSeconds), until(oldest, daySeconds))
}
