import { mayBePractice } from '../practice/definition.ts'
import { resetPractice } from '../practice/reset.ts'
import type { Job } from './job.ts'

/** Resets practice companies every night. */
export const practiceJob: Job = {
  name: 'practice',
  everyMinutes: 30,
  asOwner: true,
  isFor: mayBePractice,
  async batch(tx, company) {
    return { done: await resetPractice(tx, company, company.finishedAt), left: false }
  },
}
