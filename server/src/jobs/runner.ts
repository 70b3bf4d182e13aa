import { setTimeout } from 'node:timers/promises'
import { everyCompany } from '../company/find.ts'
import { type Database, isUnavailable } from '../database/database.ts'
import { deliverOutbox } from '../outbox/webhooks.ts'
import type { Log } from '../process/log.ts'
import { dueChannels, sendMessages } from '../verification/deliver.ts'
import type { Channel } from '../verification/message.ts'
import type { Senders } from '../verification/sender.ts'
import { expiryJob } from './expiry.ts'
import { invariantsJob } from './invariants.ts'
import { type Job, type JobName, runJob } from './job.ts'
import { retentionJob } from './retention.ts'
import { tiersJob } from './tiers.ts'

/** What is done without anybody asking, in the order in which it is done for a company. */
export const jobs: Readonly<Record<JobName, Job>> = {
  expiry: expiryJob,
  tiers: tiersJob,
  retention: retentionJob,
  invariants: invariantsJob,
}

const roundMs = 60_000

export type Runner = {
  /** Ends after the batch in hand. */
  stop(): Promise<void>
}

/**
 * Looks every minute or so for what is due, company by company. Every server process may have one:
 * they begin at random moments, and what one has in hand the others leave to it.
 * @param pauseMs how long to wait before the next round
 */
export function startJobs(
  database: Database,
  log: Log,
  pauseMs: () => number = () => roundMs * (0.5 + Math.random()),
): Runner {
  const stopping = new AbortController()
  const ended = (async () => {
    while (await pause(pauseMs(), stopping.signal)) {
      await round(database, log, stopping.signal).catch((error: unknown) => {
        const state = error instanceof Error && isUnavailable(error) ? 'away' : 'failed'
        log.error({ err: error, state }, 'job round failed')
      })
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await ended
    },
  }
}

const deliveryPauseMs = 2_000

type Company = { id: string; identifier: string }

export type DeliverySettings = {
  /** Who sends messages to people; null: this process sends none. */
  senders: Senders | null
  /** How long to wait before looking again. */
  pauseMs?: () => number
  companies?: () => Promise<Company[]>
}

/**
 * Delivers what companies want to be told, and messages to people, every two seconds or so. Beside
 * the jobs, company by company and channel by channel, so that a slow receiver keeps nobody else
 * waiting. Every server process may have one.
 */
export function startDelivery(
  database: Database,
  log: Log,
  {
    senders,
    pauseMs = () => deliveryPauseMs * (0.5 + Math.random()),
    companies = () => everyCompany(database),
  }: DeliverySettings,
): Runner {
  const stopping = new AbortController()
  const { signal } = stopping
  const inHand = new Map<string, Promise<void>>()
  const failed = (error: unknown): void => log.error({ err: error }, 'delivery failed')
  const begin = (name: string, work: () => Promise<void>): void => {
    if (signal.aborted || inHand.has(name)) return
    const delivery = work()
      .catch(failed)
      .finally(() => inHand.delete(name))
    inHand.set(name, delivery)
  }
  const look = async (): Promise<void> => {
    for (const company of await companies()) {
      if (signal.aborted) return
      begin(company.id, () => deliverTo(database, log, company, signal))
      if (senders === null) continue
      for (const channel of await dueChannels(database, company.id)) {
        const send = () => sendFor(database, log, company, channel, senders, signal)
        begin(`${company.id} ${channel}`, send)
      }
    }
  }
  const ended = (async () => {
    while (await pause(pauseMs(), signal)) await look().catch(failed)
  })()
  return {
    async stop() {
      stopping.abort()
      await ended
      await Promise.all(inHand.values())
    },
  }
}

async function deliverTo(
  database: Database,
  log: Log,
  { id, identifier }: Company,
  signal: AbortSignal,
): Promise<void> {
  const { done, problems } = await deliverOutbox(database, id, { signal })
  if (done > 0) log.info({ job: 'outbox', company: identifier, done }, 'delivered')
  if (problems.length > 0) log.warn({ company: identifier, problems }, 'not delivered')
}

async function sendFor(
  database: Database,
  log: Log,
  { id, identifier }: Company,
  channel: Channel,
  senders: Senders,
  signal: AbortSignal,
): Promise<void> {
  const { done, problems } = await sendMessages(database, id, channel, senders, { signal })
  if (done > 0) log.info({ job: 'outbox', company: identifier, channel, done }, 'sent')
  if (problems.length > 0) log.warn({ company: identifier, problems }, 'not sent')
}

/** Everything that is due, once. A job that fails keeps no other from its turn. */
async function round(database: Database, log: Log, signal: AbortSignal): Promise<void> {
  for (const company of await everyCompany(database)) {
    for (const job of Object.values(jobs)) {
      if (signal.aborted) return
      const began = performance.now()
      try {
        const { done, outcome } = await runJob(database, company.id, job, log, { signal })
        const ms = Math.round(performance.now() - began)
        const { identifier } = company
        if (done > 0) log.info({ job: job.name, company: identifier, done, outcome, ms }, 'job')
      } catch (error) {
        if (error instanceof Error && isUnavailable(error)) throw error
        log.error({ err: error, job: job.name, company: company.identifier }, 'job failed')
      }
    }
  }
}

/** @returns false when it was stopped */
async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  await setTimeout(ms, undefined, { signal }).catch(() => {})
  return !signal.aborted
}
