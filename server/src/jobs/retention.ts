import { forgetDelivered } from '../outbox/forget.ts'
import { forgetOperations } from '../database/operation.ts'
import { forgetShiftNotes } from '../activity/forget-notes.ts'
import { forgetStaffTraces } from '../staff/forget.ts'
import { forgetVerification } from '../verification/forget.ts'
import type { Job } from './job.ts'

const batchSize = 1000

/**
 * Deletes data whose retention period has ended: stored answers, ended sessions, failed login
 * attempts, expired links and codes, delivered messages, events, hand-over notes.
 */
export const retentionJob: Job = {
  name: 'retention',
  everyMinutes: 60,
  async batch(tx, { id }) {
    const forgotten = await Promise.all([
      forgetOperations(tx, id, batchSize),
      forgetStaffTraces(tx, id, batchSize),
      forgetVerification(tx, id, batchSize),
      forgetDelivered(tx, id, batchSize),
      forgetShiftNotes(tx, id, batchSize),
    ])
    return {
      done: forgotten.reduce((sum, count) => sum + count, 0),
      left: forgotten.some((count) => count >= batchSize),
    }
  },
}
