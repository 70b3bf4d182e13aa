import { forgetOperations } from '../kit/operation.ts'
import { forgetStaffTraces } from '../staff/forget.ts'
import type { Job } from './job.ts'

const together = 1000

/** Lets go of what is kept only so long: answers of requests, ended sessions, wrong tries. */
export const retentionJob: Job = {
  name: 'retention',
  everyMinutes: 60,
  async batch(tx, { id }) {
    const [answers, traces] = await Promise.all([
      forgetOperations(tx, id, together),
      forgetStaffTraces(tx, id, together),
    ])
    return { done: answers + traces, left: answers >= together || traces >= together }
  },
}
