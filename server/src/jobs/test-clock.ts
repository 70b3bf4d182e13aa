import { setTimeout } from 'node:timers/promises'
import { advanceTestClock, maxDaysAhead } from '@tillside/contract/integration/test-clock'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import pino from 'pino'
import { advanceClock } from '../company/clock.ts'
import { writeAudit } from '../database/audit.ts'
import { type KeyContext, serveKey } from '../http/keys/serve-key.ts'
import { actAs } from '../outbox/acting.ts'
import { KeyRefusal } from '../text/fail.ts'
import { invalidField } from '../text/invalid.ts'
import { expiryJob } from './expiry.ts'
import { type Job, runJob } from './job.ts'
import { tiersJob } from './tiers.ts'

// These jobs write no log.
const log = pino({ level: 'silent' })

const dayMs = 86_400_000
/** The time that a job of another process gets to finish. */
const busyTries = 100
const busyPauseMs = 100

/**
 * Moves the clock of the key's practice company forward, then runs the jobs that depend on the day,
 * so that the next call of the till sees their result.
 * @throws KeyRefusal `liveKey` for the key of a real company
 */
async function advanceTo(
  context: KeyContext<typeof advanceTestClock>,
  { advanceTo: to }: Input<typeof advanceTestClock>,
): Promise<Data<typeof advanceTestClock>> {
  const { company, database, key, requestId, language } = context
  if (!company.isPractice) throw new KeyRefusal('liveKey')
  if (Date.parse(to) > Date.now() + maxDaysAhead * dayMs) {
    return context.fail('invalid', invalidField('advanceTo', 'tooLarge', language))
  }
  // First up to the present: the first run after a reset only remembers where the events of expired
  // coupons begin.
  await runAsJob(context, [expiryJob])
  const time = await database.transaction(company.id, (tx) => {
    writeAudit(tx, { company, staff: null, store: null }, requestId, {
      action: 'test.clock',
      memberId: null,
      details: { keyId: key.id, advanceTo: to },
    })
    return advanceClock(tx, company.id, to)
  })
  await runAsJob(context, [expiryJob, tiersJob])
  return time
}

/** The events of the jobs name no actor, as those of the scheduled ones. */
function runAsJob(context: KeyContext, jobs: readonly Job[]): Promise<void> {
  return actAs({ actor: null, store: null }, async () => {
    for (const job of jobs) await finish(context, job)
  })
}

/** Runs a job, after the process that may be running it now. */
async function finish({ database, company }: KeyContext, job: Job): Promise<void> {
  for (let tries = 0; tries < busyTries; tries += 1) {
    const { outcome } = await runJob(database, company.id, job, log, { now: true })
    if (outcome !== 'busy') return
    await setTimeout(busyPauseMs)
  }
}

/** `POST /test/clock`. It is here because it runs jobs. */
export const testClockRoute = serveKey(advanceTestClock, advanceTo)
