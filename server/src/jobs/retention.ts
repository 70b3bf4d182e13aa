import { forgetDelivered } from '../outbox/webhooks.ts'
import { forgetOperations } from '../database/operation.ts'
import { forgetStaffTraces } from '../staff/forget.ts'
import { forgetVerification } from '../verification/forget.ts'
import type { Job } from './job.ts'

const together = 1000

/**
 * Lets go of what is kept only so long: answers of requests, ended sessions, wrong tries, links and
 * codes that are over, messages that have arrived.
 */
export const retentionJob: Job = {
  name: 'retention',
  everyMinutes: 60,
  async batch(tx, { id }) {
    const forgotten = await Promise.all([
      forgetOperations(tx, id, together),
      forgetStaffTraces(tx, id, together),
      forgetVerification(tx, id, together),
      forgetDelivered(tx, id, together),
    ])
    return {
      done: forgotten.reduce((sum, count) => sum + count, 0),
      left: forgotten.some((count) => count >= together),
    }
  },
}
