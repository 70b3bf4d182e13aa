import type { listMembers } from '@tillside/contract/integration/members'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import { wholeCompany } from '../database/reads/whole.ts'
import type { KeyReadContext } from '../http/keys/serve-key.ts'
import { openCursor, sealCursor } from '../http/keys/cursor.ts'
import {
  joinTier,
  memberColumns,
  memberOf,
  MemberRow,
  memberTermsOf,
  toInstant,
} from '../member/member.ts'
import { invalidField } from '../text/invalid.ts'
import { cutPage, readCursor, writeCursor } from '../values/cursor.ts'

// An erased member has no card number.
// A change gets its time when its transaction begins and is seen when it ends, at most ten seconds
// later. Newer changes wait, so that no page passes one that is not committed yet.
const readChanged = wholeCompany(
  `select ${memberColumns}, m.changed_at::text as changed_key, m.changed_at
   from member m ${joinTier('m.member_id')}
   where m.company_id = $1 and m.card_number <> '' and m.changed_at < now() - interval '10 seconds'
     and m.changed_at >= coalesce($2::timestamptz, '-infinity')
     and ($3::timestamptz is null or (m.changed_at, m.member_id) > ($3, $4::uuid))
   order by m.changed_at, m.member_id limit $5`,
  z.extend(MemberRow, { changed_key: z.string(), changed_at: z.string() }),
)
const list = '/members'
/** PostgreSQL's own text of a time, which has its microseconds. */
const ChangedKey = z.string().check(z.regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[\d.:+-]*$/))

/** Members in the order of their last change, oldest first. */
export async function listChanged(
  context: KeyReadContext<typeof listMembers>,
  { changedSince, after, limit }: Input<typeof listMembers>,
): Promise<Data<typeof listMembers>> {
  const { tx, company, key, language } = context
  const opened = after === undefined ? null : openCursor(after, key.hash, list)
  const cursor = opened === null ? null : readCursor(opened, ChangedKey)
  if (after !== undefined && cursor === null) {
    return context.fail('invalid', invalidField('after', 'format', language))
  }
  const values = [company.id, changedSince, cursor?.[0], cursor?.[1], limit + 1]
  const [rows, terms] = await Promise.all([tx.all(readChanged, values), memberTermsOf(tx, company)])
  const page = cutPage(rows, limit, (row) => writeCursor(row.changed_key, row.member_id))
  const items = page.rows.map(async (row) => ({
    member: await memberOf(row, terms, context),
    changedAt: toInstant(row.changed_at),
  }))
  const next = page.nextCursor && sealCursor(page.nextCursor, key.hash, list)
  return { items: await Promise.all(items), next }
}
