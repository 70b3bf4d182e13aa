import type { searchByName } from '@tillside/contract/member'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import { maskedMobile, maskedName } from '@tillside/contract/rules/person'
import * as z from 'zod/mini'
import type { Context } from '../../database/context.ts'
import { statement } from '../../database/database.ts'
import { wholeCompany } from '../../database/reads/whole.ts'
import { loadNameFolding } from './fold.ts'

const mostResults = 20
const longestName = 60
/** Each member has six keys at most, so these are more than twenty members. */
const mostKeys = 200

// A bitmap scan would read and sort every key of a frequent beginning; a hash or merge join, every
// member of the company.
export const readInOrder = statement(
  `select set_config('enable_bitmapscan', 'off', true), set_config('enable_hashjoin', 'off', true),
     set_config('enable_mergejoin', 'off', true)`,
  z.unknown(),
)
// The order of the keys, so that the same beginning gives the same members. An erased member has no
// keys. A beginning names no member, so each node searches its own keys.
export const findByName = wholeCompany(
  `with found as materialized (
     select member_id, min(key) as key from (
       select member_id, key from member_name_key
       where company_id = $1 and key >= $2 and key < $3
       order by company_id, key, member_id limit ${mostKeys}
     ) nearest group by member_id
   )
   select m.member_code, m.first_name, m.last_name, m.country_code, m.mobile
   from found join member m
     on m.company_id = $1 and m.member_id = found.member_id and not m.merged
   order by found.key, m.member_code limit ${mostResults + 1}`,
  z.object({
    member_code: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    country_code: z.nullable(z.string()),
    mobile: z.nullable(z.string()),
  }),
)

/** The last character of Unicode: every key with the same beginning sorts before it. */
export const lastCharacter = '\u{10FFFF}'

/** The folded text of a search. Order of refusals: it cannot be searched, it is too short. */
export async function foldedName(
  context: Context<typeof searchByName>,
  { name }: Input<typeof searchByName>,
): Promise<string> {
  if (Array.from(name).length > longestName || /[%_*?\\]/.test(name)) {
    return context.fail('nameNotSearchable')
  }
  const { fold } = await loadNameFolding()
  const beginning = fold(name)
  return Array.from(beginning).length < 2 ? context.fail('nameTooShort') : beginning
}

/**
 * Finds members by the beginning of a name. Each use writes an audit row with the number of
 * results, without the name that was typed. The results are masked; opening one is a look-up of its
 * own.
 * @param beginning folded
 * @param search the id of this search, by which the limit of look-ups counts it
 */
export async function findNames(
  context: Context<typeof searchByName>,
  beginning: string,
  search: string,
): Promise<Data<typeof searchByName>> {
  const { tx, company } = context
  const range = [company.id, beginning, beginning + lastCharacter]
  const [, rows] = await Promise.all([tx.one(readInOrder, []), tx.all(findByName, range)])
  const items = rows.slice(0, mostResults)
  const details = { found: items.length, search }
  context.changed({ action: 'member.searchByName', memberId: null, details })
  return {
    items: items.map((row) => ({
      memberCode: row.member_code,
      name: maskedName({ firstName: row.first_name, lastName: row.last_name }),
      countryCode: row.country_code,
      mobile: row.mobile && maskedMobile(row.mobile),
    })),
    more: rows.length > mostResults,
  }
}
