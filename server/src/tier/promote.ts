import * as z from 'zod/mini'
import type { Settings } from '../company/definition.ts'
import { statement, type Transaction } from '../database/database.ts'
import { wholeCompany } from '../database/reads/whole.ts'
import { enqueueEvent } from '../member/events.ts'
import { moveToTier } from '../member/tier.ts'
import { ladderOf } from '../company/ladder.ts'
import { tierEnd } from './qualify.ts'
import { reaches } from '../company/ladder.ts'
import type { TierChange } from './review.ts'
import { windowStart } from './window.ts'

// A sale moves a member up at once. When the company lowers the threshold of a tier, or adds a
// tier, there is no sale, so the tiers job looks through the members: a part in each batch, in the
// order of their ids.

const membersPerBatch = 1000

const begin = statement(
  `insert into tier_promotion (company_id, tier_code) values ($1, unnest($2::text[]))
   on conflict (company_id, tier_code) do update set after_member = null, done = false`,
  z.unknown(),
)
const readNext = statement(
  `select tier_code, after_member from tier_promotion join tier t using (company_id, tier_code)
   where company_id = $1 and not done order by t.level desc limit 1`,
  z.object({ tier_code: z.string(), after_member: z.nullable(z.string()) }),
)
const readPart = wholeCompany(
  `select mt.member_id, coalesce(held.level < t.level, false) as below, t.threshold
   from member_tier mt
   join tier held on held.company_id = $1 and held.tier_code = mt.tier_code
   left join tier t on t.company_id = $1 and t.tier_code = $2 and not t.stopped
   where mt.company_id = $1 and ($3::uuid is null or mt.member_id > $3)
   order by mt.member_id limit ${membersPerBatch}`,
  z.object({ member_id: z.string(), below: z.boolean(), threshold: z.nullable(z.string()) }),
)
const readSpent = wholeCompany(
  `select member_id, sum(amount) as spent from qualifying_spend
   where company_id = $1 and member_id = any ($2::uuid[])
     and spent_on between ${windowStart('$3::date', '$4::text')} and $3
   group by member_id`,
  z.object({ member_id: z.string(), spent: z.string() }),
)
const advance = statement(
  'update tier_promotion set after_member = $3 where company_id = $1 and tier_code = $2',
  z.unknown(),
)
const end = statement(
  'update tier_promotion set done = true where company_id = $1 and tier_code = $2',
  z.unknown(),
)
const readHeld = statement(
  `select mt.tier_code, t.level, (
     select coalesce(sum(amount), 0.00) from qualifying_spend
     where company_id = $1 and member_id = $2
       and spent_on between ${windowStart('$3::date', '$4::text')} and $3
   ) as spent
   from member_tier mt join tier t using (company_id, tier_code)
   where mt.company_id = $1 and mt.member_id = $2`,
  z.object({ tier_code: z.string(), level: z.int(), spent: z.string() }),
)

/** Starts the promotion to these tiers; the tiers job does it. */
export async function beginPromotion(
  tx: Transaction,
  companyId: string,
  tierCodes: readonly string[],
): Promise<void> {
  if (tierCodes.length > 0) await tx.run(begin, [companyId, tierCodes])
}

/** A part of the members, and those of it who reach the tier. */
export type PromotionPart = {
  tierCode: string
  /** The last member of the part; null: there are no more members. */
  last: string | null
  members: string[]
}

/**
 * Reads the next part of the members for a tier whose threshold was lowered.
 * @param today the company's day
 * @returns null when nothing is to be done
 */
export async function readPromotionPart(
  tx: Transaction,
  companyId: string,
  today: string,
  rules: Settings['tierRules'],
): Promise<PromotionPart | null> {
  const next = await tx.maybe(readNext, [companyId])
  if (next === null) return null
  const { tier_code: tierCode, after_member: after } = next
  const part = await tx.all(readPart, [companyId, tierCode, after])
  const below = part.filter((row) => row.below).map(({ member_id: id }) => id)
  const spends = await tx.all(readSpent, [companyId, below, today, rules.window])
  const spent = new Map(spends.map((row) => [row.member_id, row.spent]))
  const threshold = part[0]?.threshold ?? null
  const members = below.filter(
    (id) => threshold !== null && reaches(spent.get(id) ?? '0', threshold),
  )
  return { tierCode, last: part.at(-1)?.member_id ?? null, members }
}

/** Records that this part is done. */
export async function finishPromotionPart(
  tx: Transaction,
  companyId: string,
  { tierCode, last }: PromotionPart,
): Promise<void> {
  if (last === null) await tx.run(end, [companyId, tierCode])
  else await tx.run(advance, [companyId, tierCode, last])
}

/**
 * Moves a member up to the highest tier that the spend of today's window reaches. The tier begins
 * today. The caller must hold the point account's lock.
 * @returns the change; null when the member has the tier already
 */
export async function promote(
  tx: Transaction,
  company: { id: string; revision: number },
  memberId: string,
  today: string,
  rules: Settings['tierRules'],
): Promise<TierChange | null> {
  const [held, ladder] = await Promise.all([
    tx.one(readHeld, [company.id, memberId, today, rules.window]),
    ladderOf(tx, company),
  ])
  const { tier_code: from, spent } = held
  const tier = ladder.findLast(({ threshold }) => reaches(spent, threshold))
  if (tier === undefined || tier.level <= held.level) return null
  const { code: to } = tier
  const [startDate, expiryDate] = [today, tierEnd(today, rules)]
  await moveToTier(tx, company, memberId, { code: to, startDate, expiryDate })
  enqueueEvent(tx, company.id, 'tier.changed', memberId, { from, to, startDate, expiryDate })
  return { action: 'tier.upgrade', from, to, startDate, expiryDate, spent }
}
