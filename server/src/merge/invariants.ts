import { invariant } from '../database/invariant.ts'

/** The invariants of merged members. */
export const mergeInvariants = {
  /** I12: a merged member has nothing; the survivor has it. */
  mergedIsEmpty: invariant(
    'I12',
    `select g.merged_id as member_id, 'a merged member has keys, coupons, consents or receipts'
       as found
     from member_merge g
     where g.company_id = $1 and g.undone_at is null and (
       exists (select from member_key x where x.company_id = $1 and x.member_id = g.merged_id)
       or exists (select from coupon x where x.company_id = $1 and x.member_id = g.merged_id)
       or exists (select from consent x where x.company_id = $1 and x.member_id = g.merged_id)
       or exists (select from transaction x where x.company_id = $1 and x.member_id = g.merged_id)
       or exists (select from point_entry e where e.company_id = $1
         and e.member_id = g.merged_id))`,
  ),
}
