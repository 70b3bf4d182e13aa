import { walkNames } from '../member/names/keys.ts'
import type { Job } from './job.ts'

const batchSize = 500

/** Folds the names of members for the search, after a company has permitted it to a group. */
export const namesJob: Job = {
  name: 'names',
  everyMinutes: 5,
  batch: (tx, { id }) => walkNames(tx, id, batchSize),
}
