import { setTimeout } from 'node:timers/promises'
import { everyCompany } from '../company/find.ts'
import { type Database, isUnavailable } from '../kit/database.ts'
import { deliverOutbox } from '../integration/deliver.ts'
import type { Log } from '../kit/log.ts'
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
        log.error({ err: error, state }, 'a round of jobs ended early')
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

/**
 * Delivers what companies want to be told, every two seconds or so. Beside the jobs and company by
 * company, so that a slow receiver keeps nobody else waiting. Every server process may have one.
 * @param pauseMs how long to wait before looking again
 */
export function startDelivery(
  database: Database,
  log: Log,
  pauseMs: () => number = () => deliveryPauseMs * (0.5 + Math.random()),
): Runner {
  const stopping = new AbortController()
  const { signal } = stopping
  const inHand = new Map<string, Promise<void>>()
  const failed = (error: unknown): void => log.error({ err: error }, 'a delivery ended early')
  const look = async (): Promise<void> => {
    for (const { id, identifier } of await everyCompany(database)) {
      if (signal.aborted || inHand.has(id)) continue
      const delivery = deliverTo(database, log, { id, identifier }, signal)
      inHand.set(
        id,
        delivery.catch(failed).finally(() => inHand.delete(id)),
      )
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
  { id, identifier }: { id: string; identifier: string },
  signal: AbortSignal,
): Promise<void> {
  const { done, problems } = await deliverOutbox(database, id, { signal })
  if (done > 0) log.info({ job: 'outbox', company: identifier, done }, 'delivered')
  if (problems.length > 0) log.warn({ company: identifier, problems }, 'not delivered')
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
        log.error({ err: error, job: job.name, company: company.identifier }, 'a job failed')
      }
    }
  }
}

/** @returns false when it was stopped */
async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  await setTimeout(ms, undefined, { signal }).catch(() => {})
  return !signal.aborted
}
