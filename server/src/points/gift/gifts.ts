import type { listGifts } from '@tillside/contract/points'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import { Texts, textIn } from '../../company/definition.ts'
import { ofRevision, settingsOf } from '../../company/settings.ts'
import type { Context } from '../../database/context.ts'
import { statement } from '../../database/database.ts'
import { readIfKnown } from '../../member/look-up.ts'
import { notCancelled } from '../spending.ts'
import { readTotals } from '../totals.ts'
import { withRemaining } from './stock.ts'

const readGifts = statement(
  `select g.gift_id, g.names, g.descriptions, g.points, g.stock,
     g.per_member_limit, coalesce(own.quantity, 0)::int as own
   from gift g left join (
     select r.gift_id, sum(r.quantity) as quantity from gift_redemption r
     where r.company_id = $1 and r.member_id = $2 and ${notCancelled('r', '$2')}
     group by r.gift_id
   ) own using (gift_id)
   where g.company_id = $1 and not g.stopped
   order by g.points, g.gift_id`,
  z.object({
    gift_id: z.string(),
    names: Texts,
    descriptions: z.nullable(Texts),
    points: z.int(),
    stock: z.nullable(z.int()),
    per_member_limit: z.nullable(z.int()),
    own: z.int(),
  }),
)

const readTerms = statement(
  `select gift_id, names, points, per_member_limit from gift
   where company_id = $1 and not stopped`,
  z.object({
    gift_id: z.string(),
    names: Texts,
    points: z.int(),
    per_member_limit: z.nullable(z.int()),
  }),
)
type Terms = { names: Texts; points: number; perMemberLimit: number | null }

const remembered = ofRevision(async (tx, companyId): Promise<ReadonlyMap<string, Terms>> => {
  const rows = await tx.all(readTerms, [companyId])
  return new Map(
    rows.map(({ gift_id: id, per_member_limit: perMemberLimit, ...gift }) => [
      id,
      { ...gift, perMemberLimit },
    ]),
  )
})
/** The names, prices and limits of the gifts by id, at the revision that this request has read. */
export const giftsOf = remembered.read
/** The gifts of exactly this revision, if this process knows them. */
export const giftsAt = remembered.known

/** Lists the company's gifts, cheapest first, and whether the member has enough points today. */
export async function readGiftList(
  context: Context<typeof listGifts>,
  _query: Input<typeof listGifts>,
  memberId: string | null,
): Promise<Data<typeof listGifts>> {
  const { tx, company, today, language } = context
  const [rows, { valid }, settings] = await readIfKnown(context, memberId, (member) =>
    Promise.all([
      tx.all(readGifts, [company.id, member]),
      readTotals(tx, company.id, member, today),
      settingsOf(tx, company),
    ]),
  )
  const gifts = await withRemaining(tx, company.id, rows, (row) => ['gift', row.gift_id])
  return {
    items: gifts.map((gift) => ({
      giftId: gift.gift_id,
      name: textIn(gift.names, language, settings),
      description: gift.descriptions && textIn(gift.descriptions, language, settings),
      image: null,
      points: gift.points,
      remaining: gift.remaining,
      perMemberLimit: gift.per_member_limit,
      memberHas: gift.own,
      affordable: gift.points <= valid,
    })),
  }
}
