import type { Command } from 'commander'
import * as z from 'zod/mini'
import { companyNamed, inCompany } from '../../company/find.ts'
import { writeAudit } from '../../database/audit.ts'
import { actCommand, columns, jsonCommand, print, withDatabase } from '../../database/command.ts'
import { SecretVariable } from '../../outbox/definition.ts'
import { readDeliveries } from '../../outbox/log.ts'
import { enqueueAgain, readWebhooks } from '../../outbox/overview.ts'
import { post } from '../../outbox/post.ts'
import { readReceivers } from '../../outbox/webhooks.ts'
import type { ActOptions } from '../../process/author.ts'
import { counted } from '../../text/counted.ts'
import { newId } from '../../values/id.ts'
import { addSecret, dropSecret } from './secrets.ts'

/** `tillside webhook …` */
export function registerWebhooks(program: Command): void {
  const webhook = program.command('webhook').description('Manage the webhooks of a company')
  registerReads(webhook)
  registerSending(webhook)
  registerSecrets(webhook)
}

type LogOptions = {
  json?: boolean
  webhook?: string
  event?: string
  failed?: boolean
  limit: string
}

function registerReads(webhook: Command): void {
  jsonCommand(webhook, 'list <company>', 'List the webhooks with their queues').action(
    async (company: string, { json }: { json?: boolean }) => {
      const webhooks = await inCompany(company, readWebhooks)
      const head = ['WEBHOOK', 'STATE', 'WAITING', 'OLDEST', 'LAST ANSWER', 'URL']
      const lines = webhooks.map(({ id, stopped, waiting, oldest, last, url }) => [
        id,
        stopped ? 'stopped' : 'active',
        String(waiting),
        oldest ?? '-',
        last === null ? '-' : `${last.at} ${last.problem ?? 'accepted'}`,
        url,
      ])
      print(json, webhooks, lines.length === 0 ? [] : columns([head, ...lines]))
    },
  )
  jsonCommand(webhook, 'log <company>', 'List the answers of receivers, the newest first')
    .option('--webhook <id>', 'only of this webhook')
    .option('--event <id>', 'only to this event')
    .option('--failed', 'only failures')
    .option('--limit <n>', 'how many at most', '50')
    .action(async (company: string, { json, webhook: id, event, failed, limit }: LogOptions) => {
      const filter = {
        webhook: id ?? null,
        event: event === undefined ? null : idOf(event),
        onlyFailed: failed ?? false,
        limit: z.parse(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(10_000)), limit),
      }
      const log = await inCompany(company, (tx, companyId) => readDeliveries(tx, companyId, filter))
      const head = ['AT', 'WEBHOOK', 'EVENT', 'EVENT ID', 'TRY', 'MS', 'STATUS', 'ANSWER']
      const lines = log.map((one) => [
        one.at,
        one.webhook,
        one.event,
        one.eventId,
        String(one.attempt),
        String(one.ms),
        String(one.status ?? '-'),
        one.excerpt || (one.problem ?? ''),
      ])
      print(json, log, lines.length === 0 ? [] : columns([head, ...lines]))
    })
}

function registerSending(webhook: Command): void {
  actCommand(webhook, 'send-again <company> <webhook> [event-id...]', 'Send events again')
    .option('--since <time>', 'all events since this time, such as 2026-11-02T15:00:00Z')
    .action(
      async (
        company: string,
        id: string,
        given: string[],
        { since, ...options }: ActOptions & { since?: string },
      ) => {
        const eventIds = given.map(idOf)
        if (since !== undefined && !z.iso.datetime({ offset: true }).safeParse(since).success) {
          throw new Error('--since must be a time such as 2026-11-02T15:00:00Z')
        }
        if (eventIds.length === 0 && since === undefined) {
          throw new Error('name event ids, or a time with --since')
        }
        const sent = await inCompany(
          company,
          async (tx, companyId) => {
            const count = await enqueueAgain(tx, companyId, id, { eventIds, since: since ?? null })
            const actor = { company: { id: companyId }, staff: null, store: null }
            const details = { webhook: id, events: count, since: since ?? null }
            const action = 'webhook.sendAgain'
            writeAudit(tx, actor, 'command', { action, memberId: null, details })
            return count
          },
          options,
        )
        print(options.json, { company, webhook: id, events: sent }, [
          `${counted(sent, 'event')} will be sent to ${id} again`,
        ])
      },
    )
  jsonCommand(
    webhook,
    'test <company> <webhook>',
    'Send a signed test event and print the answer',
  ).action(sendTest)
}

/** The event is not stored: it says nothing about a member. */
async function sendTest(company: string, id: string, { json }: { json?: boolean }): Promise<void> {
  const answer = await withDatabase(async ({ database }) => {
    const { receivers, problems } = await readReceivers(
      database,
      await companyNamed(database, company),
    )
    const receiver = receivers.find((one) => one.id === id)
    if (receiver === undefined) {
      const problem = problems.find((one) => one.startsWith(`${id}: `))
      throw new Error(problem ?? `there is no webhook "${id}"`)
    }
    const at = new Date().toISOString()
    const about = { sequence: 0, at, store: null, actor: null, data: { memberCode: 'TEST' } }
    return post(receiver, { id: newId(), event: 'webhook.test', ...about }, 10_000)
  })
  const { status, ms, excerpt, problem } = answer
  const said = status === null ? (problem ?? '') : `answered ${status} in ${ms} ms`
  print(json, answer, [`${id} ${said}`, ...(excerpt === '' ? [] : [excerpt])])
  if (problem !== null) throw new Error(`${id}: ${problem}`)
}

function registerSecrets(webhook: Command): void {
  const secret = webhook.command('secret').description('Replace the secret that signs events')
  const acts = [
    ['add', 'Let a second secret sign events too', addSecret],
    ['drop', 'Drop one of two secrets', dropSecret],
  ] as const
  for (const [verb, does, work] of acts) {
    actCommand(secret, `${verb} <company> <webhook> <variable>`, does).action(
      async (company: string, id: string, variable: string, options: ActOptions) => {
        if (!SecretVariable.safeParse(variable).success) {
          throw new Error('the variable must be WEBHOOK_SECRET or begin with WEBHOOK_SECRET_')
        }
        await inCompany(company, (tx, companyId) => work(tx, companyId, id, variable), options)
        const says = verb === 'add' ? 'now signs' : 'no longer signs'
        print(options.json, { company, webhook: id, variable, signs: verb === 'add' }, [
          `${variable} ${says} the events of ${id}`,
        ])
      },
    )
  }
}

function idOf(text: string): string {
  if (!z.uuid().safeParse(text).success) throw new Error(`"${text}" is not an event id`)
  return text.toLowerCase()
}
