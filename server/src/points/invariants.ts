import { comparison, invariant } from '../database/invariant.ts'
import { monthSums } from './books/months.ts'
import { stockFaults } from './gift/invariants.ts'
import { notCancelled } from './spending.ts'

const givenGifts = `select r.gift_id as item_id, sum(r.quantity) as given from gift_redemption r
  where r.company_id = $1 and ${notCancelled('r')} group by r.gift_id`

/**
 * The invariants of the ledger. Each is a query of one company that must return no rows; `found`
 * describes the fault in numbers.
 */
export const pointInvariants = {
  /** I1: a member's balance is the sum of the entries, and the account has their exact number. */
  balanceIsSum: invariant(
    'I1',
    `select a.member_id, format('balance %s of %s entries, entries say %s in %s', a.balance,
       a.entries, coalesce(e.points, 0), coalesce(e.number, 0)) as found
     from point_account a left join (
       select member_id, sum(points) as points, count(*) as number, max(seq) as seq,
         sum(points) filter (where points > 0) as came
       from point_entry where company_id = $1 group by member_id
     ) e using (member_id)
     where a.company_id = $1 and (a.balance <> coalesce(e.points, 0)
       or a.entries <> coalesce(e.number, 0) or a.entries <> coalesce(e.seq, 0)
       or a.earned <> coalesce(e.came, 0))`,
  ),
  /** I2: no balance is below zero, unless the company lets returns make a debt. */
  noDebt: invariant(
    'I2',
    `select a.member_id, format('balance %s', a.balance) as found
     from point_account a join company c using (company_id)
     where a.company_id = $1 and a.balance < 0 and coalesce(
       c.settings #>> '{points,refundPolicy}', c.settings #>> '{points,refund}', 'debt') <> 'debt'`,
  ),
  /** I8: an entry's balance is the previous balance plus the entry's points. */
  balancesFollow: invariant(
    'I8',
    `select member_id,
       format('entry %s: %s after %s and %s', seq, balance_after, before, points) as found
     from (
       select member_id, seq, points, balance_after,
         coalesce(lag(balance_after) over (partition by member_id order by seq), 0) as before
       from point_entry where company_id = $1
     ) e where balance_after <> before + points`,
  ),
  /** I9: the lots together hold exactly the balance; they are empty if it is below zero. */
  lotsHoldBalance: invariant(
    'I9',
    `select a.member_id, format('balance %s, lots %s', a.balance, coalesce(l.remaining, 0)) as found
     from point_account a left join (
       select member_id, sum(remaining) as remaining from point_lot
       where company_id = $1 group by member_id
     ) l using (member_id)
     where a.company_id = $1 and coalesce(l.remaining, 0) <> greatest(a.balance, 0)`,
  ),
  /** I9: the points missing from a lot are the sum of its burns. */
  burnsExplainLots: invariant(
    'I9',
    `select l.member_id, format('lot %s: %s of %s left, %s taken', l.lot_id, l.remaining, l.points,
       coalesce(b.taken, 0)) as found
     from point_lot l left join (
       select member_id, lot_id, sum(points) as taken from point_burn where company_id = $1
       group by member_id, lot_id
     ) b using (member_id, lot_id)
     where l.company_id = $1 and l.points - l.remaining <> coalesce(b.taken, 0)`,
  ),
  /** I9: a lot's original points are those of its entry. */
  lotsAreEarnings: invariant(
    'I9',
    `select e.member_id, format('entry %s gave %s, its lot has %s', e.seq, e.points, l.points)
       as found
     from point_lot l join point_entry e
       on e.company_id = $1 and e.member_id = l.member_id and e.entry_id = l.lot_id
     where l.company_id = $1 and l.points <> e.points`,
  ),
  /** I8: an entry that reverses another one is later and has the opposite sign. */
  reversalsFitOriginals: invariant(
    'I8',
    `select r.member_id, format('entry %s of %s takes back entry %s of %s', r.seq, r.points, e.seq,
       e.points) as found
     from point_entry r join point_entry e
       on e.company_id = $1 and e.member_id = r.member_id and e.entry_id = r.reverses
     where r.company_id = $1 and r.reverses is not null
       and (r.seq <= e.seq or sign(r.points) = sign(e.points))`,
  ),
  /** I11: a closed month has the sums and the entries that it had when it was closed. */
  closedMonthsHold: invariant(
    'I11',
    `select null::uuid as member_id, format('%s has opening %s, closing %s and %s entries, stored '
         || 'are %s, %s and %s%s', to_char(month, 'YYYY-MM'), s.opening, s.closing, s.entries,
       f.opening, f.closing, f.entries,
       case when s.hash <> f.hash then '; the entries are others' end) as found
     from point_month_figures f join (
       ${monthSums('select month from point_month_figures where company_id = $1')}
     ) s using (month)
     where f.company_id = $1 and (s.opening, s.closing, s.entries, s.forgiven, s.types, s.hash)
       is distinct from (f.opening, f.closing, f.entries, f.forgiven, f.types, f.hash)`,
  ),
  /** I7: the stock counts each gift that was not returned, and no more than there may be. */
  giftsCounted: invariant('I7', stockFaults('gift', 'gift', 'gift_id', givenGifts)),
  /** I8: no entry is reversed for more than its points. */
  reversedOnce: invariant(
    'I8',
    `select e.member_id, format('entry %s of %s is taken back for %s', e.seq, e.points,
       r.points) as found
     from point_entry e join (
       select member_id, reverses, sum(points) as points from point_entry
       where company_id = $1 and reverses is not null group by member_id, reverses
     ) r on r.member_id = e.member_id and r.reverses = e.entry_id
     where e.company_id = $1 and abs(r.points) > abs(e.points)`,
  ),
}

const noId = '00000000-0000-0000-0000-000000000000'

/** The rules about sales that points paid for, whose rows are with their references. */
export const saleComparisons = {
  /** I7: a sale names each member who has a redemption for it. */
  payerNamed: comparison({
    rule: 'I7',
    start: [noId, noId, ''],
    pageSize: 10_000,
    page: `select array[member_id::text, entry_id::text, kind] as place, member_id,
       array[jsonb_build_array(kind, reference, member_id)::text] as names,
       format('%s %s', kind, reference) as what
     from sale_redemption
     where company_id = $1 and (member_id, entry_id, kind)
       > (($2::text[])[1]::uuid, ($2::text[])[2]::uuid, ($2::text[])[3])
     order by member_id, entry_id, kind limit $3`,
    find: [
      `with n as materialized (
         select name, name::jsonb ->> 0 as kind, name::jsonb ->> 1 as reference,
           array[(name::jsonb ->> 2)::uuid] as payers
         from unnest($2::text[]) name
       )
       select n.name from n join paid_sale s on s.company_id = $1
         and s.kind = n.kind and s.reference = n.reference
       where s.payers @> n.payers`,
    ],
    must: 'exist',
    describe: (what) => `${what} does not name this member`,
  }),
}
