import { comparison } from '../database/invariant.ts'

// Also tables whose rows a merge finds by their receipt or coupon.
const owned = ['member_key', 'coupon', 'coupon_redemption', 'consent', 'transaction'].concat([
  'qualifying_spend',
  'point_entry',
  'point_lot',
  'point_burn',
  'point_return',
  'gift_redemption',
  'sale_redemption',
])

/** The rules of merged members. */
export const mergeComparisons = {
  /** I12: a merged member has nothing; the survivor has it. */
  mergedIsEmpty: comparison({
    rule: 'I12',
    start: ['00000000-0000-0000-0000-000000000000'],
    pageSize: 10_000,
    page: `select array[merge_id::text] as place, merged_id as member_id,
       array[merged_id::text] as names, '' as what
     from member_merge
     where company_id = $1 and undone_at is null and merge_id > ($2::text[])[1]::uuid
     order by merge_id limit $3`,
    find: owned.map(
      (table) => `select distinct member_id::text as name from ${table}
       where company_id = $1 and member_id = any ($2::uuid[])`,
    ),
    must: 'not exist',
    describe: () => 'a merged member has keys, coupons, consents, receipts or points',
  }) /** I7: the account of a survivor names the merge. */,
  mergeNamed: comparison({
    rule: 'I7',
    start: ['00000000-0000-0000-0000-000000000000'],
    pageSize: 10_000,
    page: `select array[merge_id::text] as place, survivor_id as member_id,
       array[concat(survivor_id, ' ', merge_id)] as names, format('merge %s', merge_id) as what
     from member_merge
     where company_id = $1 and undone_at is null and merge_id > ($2::text[])[1]::uuid
     order by merge_id limit $3`,
    find: [
      `with n as materialized (
         select name, split_part(name, ' ', 1)::uuid as member_id,
           array[split_part(name, ' ', 2)::uuid] as merges
         from unnest($2::text[]) name
       )
       select n.name from n join point_account a on a.company_id = $1
         and a.member_id = n.member_id
       where a.merges @> n.merges`,
    ],
    must: 'exist',
    describe: (what) => `${what} is not named by the account of the survivor`,
  }),
}
