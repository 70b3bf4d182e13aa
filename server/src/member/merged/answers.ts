import * as z from 'zod/mini'
import { statement, type Transaction } from '../../database/database.ts'

/** A member's answers about terms and marketing, as the database writes them. */
export type Answers = z.infer<typeof Answers>
const Answers = z.json()

const readAnswers = statement(
  `select jsonb_build_object('version', tnc_version, 'at', tnc_accepted_at,
     'marketing', marketing_opt_in) as answers
   from member where company_id = $1 and member_id = $2`,
  z.object({ answers: Answers }),
)
const setAnswers = `update member set tnc_version = $3::jsonb ->> 'version',
  tnc_accepted_at = ($3::jsonb ->> 'at')::timestamptz,
  marketing_opt_in = ($3::jsonb ->> 'marketing')::boolean
  where company_id = $1 and member_id = $2`
const takeIfNewer = statement(
  `${setAnswers} and ($3::jsonb ->> 'at')::timestamptz > coalesce(tnc_accepted_at, '-infinity')`,
  z.unknown(),
)
const restoreIfTaken = statement(
  `${setAnswers} and tnc_accepted_at = ($4::jsonb ->> 'at')::timestamptz`,
  z.unknown(),
)

/** Reads a member's answers about terms and marketing. */
export async function answersOf(
  tx: Transaction,
  companyId: string,
  memberId: string,
): Promise<Answers> {
  return (await tx.one(readAnswers, [companyId, memberId])).answers
}

/** Gives the survivor of a merge the merged member's answers, if these are newer. */
export async function takeAnswers(
  tx: Transaction,
  companyId: string,
  survivorId: string,
  merged: Answers,
): Promise<void> {
  await tx.run(takeIfNewer, [companyId, survivorId, merged])
}

/** Gives a survivor the answers from before a merge back, unless they have answered since. */
export async function restoreAnswers(
  tx: Transaction,
  companyId: string,
  survivorId: string,
  { before, merged }: { before: Answers; merged: Answers },
): Promise<void> {
  await tx.run(restoreIfTaken, [companyId, survivorId, before, merged])
}
