import { comparison } from '../database/invariant.ts'

const noId = '00000000-0000-0000-0000-000000000000'

// Not a subquery, which Citus does not run on the nodes.
const namesAt = (path: string) => `jsonb_path_query_array(o.answer, '${path} ? (@ != null)')`

/** I5: the rows that a stored answer names exist. `paths`: where an answer has names. */
function answered(what: string, paths: readonly string[], find: string) {
  return comparison({
    rule: 'I5',
    start: [noId, noId],
    // Each page looks through all entries, which have no index by their id.
    pageSize: 50_000,
    page: `select array[o.staff_id::text, o.key::text] as place, null::uuid as member_id,
       coalesce(${paths.map(namesAt).join(' || ')}, '[]') as names, '' as what
     from operation o
     where o.company_id = $1
       and (o.staff_id, o.key) > (($2::text[])[1]::uuid, ($2::text[])[2]::uuid)
     order by o.staff_id, o.key limit $3`,
    find: [find],
    must: 'exist',
    describe: (_, name) => `${what} ${name} of a stored answer does not exist`,
  })
}

/** The rules about stored answers, which are placed by their keys. */
export const answerComparisons = {
  answeredEntries: answered(
    'entry',
    ['$.data.entry.id', '$.data.entries[*].id'],
    `select distinct entry_id::text as name from point_entry
     where company_id = $1 and entry_id = any ($2::uuid[])`,
  ),
  answeredCoupons: answered(
    'coupon',
    ['$.data.coupons[*].code'],
    `select distinct n.name from coupon c
       cross join lateral (values (c.coupon_code), (c.printed_code)) n (name)
     where c.company_id = $1 and (c.coupon_code = any ($2) or c.printed_code = any ($2))
       and n.name = any ($2)`,
  ),
}
