import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Problem } from '@tillside/contract/integration/problems'
import * as z from 'zod/mini'

// The answers that the documentation shows, as a server gave them. `examples.test.ts` writes and
// checks them.

export const answersFile = join(import.meta.dirname, 'answers.json')
const Answers = z.record(z.string(), z.object({ data: z.unknown(), problem: z.nullable(Problem) }))
export type Answers = z.infer<typeof Answers>

/** The answers to the examples, by the names of the calls. */
export function readAnswers(): Answers {
  return Answers.parse(JSON.parse(readFileSync(answersFile, 'utf8')))
}
