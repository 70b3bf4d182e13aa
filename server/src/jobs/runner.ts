import { setTimeout } from 'node:timers/promises'
import { everyCompany } from '../company/find.ts'
import { type Database, isUnavailable, openDatabase } from '../database/database.ts'
import type { Receiver } from '../outbox/post.ts'
import { deliverTo, readReceivers } from '../outbox/webhooks.ts'
import type { Log } from '../process/log.ts'
import { dueChannels, sendMessages } from '../verification/deliver.ts'
import type { Channel } from '../verification/message.ts'
import type { Senders } from '../verification/sender.ts'
import { expiryJob } from './expiry.ts'
import { invariantsJob } from './invariants.ts'
import { type Job, type JobName, runJob } from './job.ts'
import { namesJob } from './names.ts'
import { practiceJob } from './practice.ts'
import { retentionJob } from './retention.ts'
import { tiersJob } from './tiers.ts'

/** The scheduled jobs, in the order in which they run for a company. */
export const jobs: Readonly<Record<JobName, Job>> = {
  practice: practiceJob,
  names: namesJob,
  expiry: expiryJob,
  tiers: tiersJob,
  retention: retentionJob,
  invariants: invariantsJob,
}

const roundMs = 60_000

export type Runner = {
  /** Stops after the current batch. */
  stop(): Promise<void>
}

/**
 * Runs due jobs about every minute, company by company. Every server process may do so: they start
 * at random moments, and a running job is left to its process.
 * @param pauseMs the time until the next round, in milliseconds
 * @param ownerUrl the connection URL of the database's owner; null: jobs that need it do not run
 */
export function startJobs(
  database: Database,
  log: Log,
  pauseMs: () => number = () => roundMs * (0.5 + Math.random()),
  ownerUrl: string | null = null,
): Runner {
  const stopping = new AbortController()
  // Connects only when a job needs it.
  const owner = ownerUrl === null ? null : openDatabase(ownerUrl, 1)
  const ended = (async () => {
    while (await pause(pauseMs(), stopping.signal)) {
      await round({ database, owner }, log, stopping.signal).catch((error: unknown) => {
        const state = error instanceof Error && isUnavailable(error) ? 'away' : 'failed'
        log.error({ err: error, state }, 'job round failed')
      })
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await ended
      await owner?.close()
    },
  }
}

const deliveryPauseMs = 2_000

type Company = { id: string; identifier: string }

export type DeliverySettings = {
  /** Sends messages to people; null: this process sends none. */
  senders: Senders | null
  /** The time until the next round, in milliseconds. */
  pauseMs?: () => number
  companies?: () => Promise<Company[]>
}

/**
 * Delivers webhook events and messages to people about every two seconds. Each receiver of a
 * company and each channel has a delivery of its own, so a receiver that does not answer delays no
 * other. Every server process may do so.
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
  const running = new Map<string, Promise<void>>()
  const failed = (error: unknown): void => log.error({ err: error }, 'delivery failed')
  const begin = (name: string, work: () => Promise<void>): void => {
    if (signal.aborted || running.has(name)) return
    const delivery = work()
      .catch(failed)
      .finally(() => running.delete(name))
    running.set(name, delivery)
  }
  const startDue = async (): Promise<void> => {
    for (const company of await companies()) {
      if (signal.aborted) return
      const { receivers, problems } = await readReceivers(database, company.id)
      if (problems.length > 0) log.warn({ company: company.identifier, problems }, 'not delivered')
      for (const receiver of receivers) {
        const deliver = () => deliverFor(database, log, company, receiver, signal)
        begin(`${company.id} webhook ${receiver.id}`, deliver)
      }
      if (senders === null) continue
      for (const channel of await dueChannels(database, company.id)) {
        const send = () => sendFor(database, log, company, channel, senders, signal)
        begin(`${company.id} ${channel}`, send)
      }
    }
  }
  const ended = (async () => {
    while (await pause(pauseMs(), signal)) await startDue().catch(failed)
  })()
  return {
    async stop() {
      stopping.abort()
      await ended
      await Promise.all(running.values())
    },
  }
}

async function deliverFor(
  database: Database,
  log: Log,
  { id, identifier }: Company,
  receiver: Receiver,
  signal: AbortSignal,
): Promise<void> {
  const { done, problems } = await deliverTo(database, id, receiver, { signal })
  if (done > 0) {
    log.info({ job: 'outbox', company: identifier, webhook: receiver.id, done }, 'delivered')
  }
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

/** Runs every due job once. A failed job does not prevent the others. */
async function round(
  { database, owner }: { database: Database; owner: Database | null },
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  for (const company of await everyCompany(database)) {
    for (const job of Object.values(jobs)) {
      if (signal.aborted) return
      const actor = job.asOwner === true ? owner : database
      if (actor === null || job.isFor?.(company.identifier) === false) continue
      const began = performance.now()
      try {
        const { done, outcome } = await runJob(actor, company.id, job, log, { signal })
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

/** @returns false if it was stopped */
async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  await setTimeout(ms, undefined, { signal }).catch(() => {})
  return !signal.aborted
}
