import { sendEmailCaptcha, sendMobileCaptcha } from '@tillside/contract/verification'
import pino from 'pino'
import * as z from 'zod/mini'
import { readConfig } from '../process/config.ts'
import { statement } from '../database/database.ts'
import type { Delivered, DeliveryOptions } from '../outbox/deliver.ts'
import { sendMessages } from '../verification/deliver.ts'
import type { Channel } from '../verification/message.ts'
import { sendersOf } from '../verification/senders.ts'
import { logIn, ok, testCompany, type TestCompany } from './factories/company.ts'
import { testMobile } from './verification.ts'

const Row = z.object({
  outcome: z.nullable(z.string()),
  attempts: z.int(),
  problem: z.nullable(z.string()),
  recipient: z.nullable(z.string()),
  content: z.unknown(),
})

/** The environment variables of a provider, for a server that the test runs. */
export const smtp = (url: string) => ({ SMTP_URL: url, SMTP_FROM: 'counter@shop.example' })
export const sms = (url: string) => ({
  SMS_URL: url,
  SMS_BODY: '{"to":"{{to}}","text":"{{text}}"}',
})

/** A company for tests that send messages themselves. */
export type MessageFixture = {
  company: TestCompany
  token: string
  /** Sends a code to a new mobile number or e-mail address, and returns the recipient. */
  sendSms(): Promise<string>
  sendEmail(email?: string): Promise<string>
  /** Sends the waiting messages as a production server with these variables does. */
  deliver(
    channel: Channel,
    environment: Record<string, string>,
    options?: DeliveryOptions,
  ): Promise<Delivered>
  /** Runs one statement; `$1` is the company. */
  run(sql: string): Promise<number>
  messages(): Promise<z.infer<typeof Row>[]>
}

/** Creates the company. Its name has characters that mail and JSON must escape. */
export async function messageFixture(): Promise<MessageFixture> {
  const company = await testCompany({
    names: { 'en-US': 'Bean & Leaf “Café” 極光', 'zh-HK': '極光' },
  })
  const token = await logIn(company)
  const { database, id } = company
  const readAll = statement(
    `select outcome, attempts, problem, recipient, content from message
     where company_id = $1 order by message_id`,
    Row,
  )
  return {
    company,
    token,
    async sendSms() {
      const number = testMobile()
      await ok(company, sendMobileCaptcha, number, { token })
      return `+852${number.mobile}`
    },
    async sendEmail(email = `${crypto.randomUUID()}@example.com`) {
      await ok(company, sendEmailCaptcha, { email }, { token })
      return email
    },
    deliver(channel, environment, options = {}) {
      const config = readConfig({ NODE_ENV: 'production', ...environment })
      const senders = sendersOf(config, pino({ level: 'silent' }))
      return sendMessages(database, id, channel, senders, { now: true, ...options })
    },
    run: (sql) => database.transaction(id, (tx) => tx.run(statement(sql, z.unknown()), [id])),
    messages: () => database.reading(id, (tx) => tx.all(readAll, [id])),
  }
}

/** Opens servers for a test and closes them afterwards, in reverse order. */
export function openedServers() {
  const opened: { close(): Promise<void> }[] = []
  return {
    async open<T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> {
      const one = await starting
      opened.push(one)
      return one
    },
    async close(): Promise<void> {
      for (const one of opened.splice(0).toReversed()) await one.close()
    },
  }
}
