import type { Fault } from './fault.ts'

const undoSpending = '0127_undo_once'
const claimed = 'points/at-once/claimed'
const ofMember = 'server/migrations/0086_coupons_of_member.sql'
const parts = 'server/migrations/0069_at_once.sql'
const together = 'server/migrations/0131_redeem_together.sql'
const redeem = 'server/migrations/0134_redeem_by_codes.sql'
const hold = 'server/migrations/0129_hold_stock.sql'
const spend = 'server/migrations/0124_spend_on_more_at_once.sql'
const [issued, undone, redeemed] = [
  'server/src/coupon/at-once/issue.test.ts',
  'server/src/coupon/at-once/undo.test.ts',
  'server/src/coupon/at-once.test.ts',
]

/** Mistakes in the functions of the database for changes in one round trip. */
export const functionFaults: Fault[] = [
  {
    name: 'function-claim',
    kind: 'a function claims no key',
    file: redeem,
    find: `v_answer := format(p_envelope, v_coupons);
  perform claim_key(p_company, p_staff, p_key, p_endpoint, p_hash, v_answer);`,
    replace: 'v_answer := format(p_envelope, v_coupons);',
    tests: [redeemed],
  },
  {
    name: 'function-audit',
    kind: 'dropped audit row',
    file: 'server/migrations/0089_placed_audit_rows.sql',
    find: 'insert into audit (',
    replace: 'return; insert into audit (',
    tests: [issued],
  },
  {
    name: 'function-audits',
    kind: 'dropped audit row',
    file: together,
    find: 'insert into audit (',
    replace: 'return; insert into audit (',
    tests: [redeemed],
  },
  {
    name: 'function-subscriber',
    kind: 'lost event',
    file: 'server/migrations/0125_undo_spending_at_once.sql',
    find: 'not stopped and p_event = any (events)',
    replace: 'stopped and p_event = any (events)',
    tests: [redeemed],
  },
  {
    name: 'function-allowance',
    kind: 'limit of a clerk ignored',
    file: parts,
    find: '>= p_warn_at, true)',
    replace: '>= p_limit, false)',
    tests: [issued],
  },
  {
    name: 'function-used',
    kind: 'a coupon is redeemed twice',
    file: redeem,
    find: 'and not c.used and c.voided_reason is null',
    replace: 'and c.voided_reason is null',
    tests: ['server/src/coupon/redeem.test.ts'],
  },
  {
    name: 'function-all',
    kind: 'some coupons of a batch are redeemed',
    file: redeem,
    find: `if v_count < cardinality(p_codes) then
    raise exception 'not redeemable'`,
    replace: `if v_count < 1 then
    raise exception 'not redeemable'`,
    tests: [redeemed],
  },
  {
    name: 'function-epoch',
    kind: 'revocation ignored',
    file: 'server/src/staff/held.ts',
    find: `and e.epoch = \${epoch} and`,
    replace: `and e.epoch >= least(e.epoch, \${epoch}) and`,
    tests: [redeemed],
  },
  {
    name: 'function-version',
    kind: 'stale cache',
    file: hold,
    find: 'or d.version = p_version)',
    replace: 'or d.version is not null)',
    tests: [issued],
  },
  {
    name: 'function-day',
    kind: 'off by one day of an issue',
    file: 'server/src/coupon/issue.ts',
    find: `where h.today = \${dayPlace}`,
    replace: `where h.today >= \${dayPlace}`,
    tests: ['server/src/coupon/midnight.test.ts'],
  },
  {
    name: 'function-stopped',
    kind: 'a withdrawn coupon is issued',
    file: hold,
    find: `not d.stopped
      and d.withdrawn_at is null`,
    replace: 'not d.stopped',
    tests: [issued],
  },
  {
    name: 'function-stock',
    kind: 'off by one in a stock',
    file: hold,
    find: 'if p_quantity > v_remaining then',
    replace: 'if p_quantity >= v_remaining then',
    tests: [issued],
  },
  {
    name: 'function-undo',
    kind: 'an old redemption is undone again',
    file: ofMember,
    find: `and r.coupon_code = v_code
        and r.cancelled_at is null`,
    replace: 'and r.coupon_code = v_code',
    tests: [undone],
  },
  {
    name: 'function-balance',
    kind: 'a repeat answers another balance',
    file: spend,
    find: 'if v_answer <> v_claimed then',
    replace: 'if false then',
    tests: ['server/src/points/at-once/spend.test.ts'],
  },
  {
    name: 'function-possible',
    kind: 'more points are spent than there are',
    file: spend,
    find: 'if v_claimed is null or p_possible is not true then',
    replace: 'if v_claimed is null then',
    tests: ['server/src/points/at-once/spend.test.ts'],
  },
  {
    name: 'function-price',
    kind: 'stale cache',
    file: 'server/migrations/0104_stock.sql',
    find: 'is distinct from p_points',
    replace: '< p_points',
    tests: ['server/src/coupon/at-once/by-points.test.ts'],
  },
  ...[
    ['undo-balance', undoSpending, 'v_answer <> v_claimed', 'false', 'spending/at-once'],
    ['undo-possible', undoSpending, 'p_possible is not true', 'false', 'spending/at-once'],
    ['undo-stock', undoSpending, 'v_item, -v_quantity)', 'v_item, 0)', 'spending/at-once'],
    ['undo-used', '0125_undo_spending_at_once', 'and not used and', 'and', 'spending/at-once'],
    ['claimed', '0076_claimed_here', 'is distinct from p_key::text', 'is null', claimed],
  ].map(([name = '', file = '', find = '', replace = '', tests = '']) => ({
    name: `function-${name}`,
    kind: 'key used twice, or an answer that is no longer right',
    find,
    replace,
    file: `server/migrations/${file}.sql`,
    tests: [`server/src/${tests}.test.ts`],
  })),
  ...[
    [
      'function-sale-lock',
      'lost update',
      ' and not merged and balance >= 0 for update',
      ' and not merged and balance >= 0',
    ],
    [
      'function-sale-tier',
      'a tier that is reached is not given',
      ">= (v_outcome ->> 'below')::numeric",
      '> 999999999',
    ],
    [
      'function-sale-period',
      'an ended period is not reviewed',
      ' or v_standing.expiry_date < p_day',
      '',
    ],
    ['function-sale-debt', 'a debt is not repaid', ' and balance >= 0 for update', ' for update'],
    [
      'function-sale-multiplier',
      'stale cache',
      "v_standing.multiplier <> (v_outcome ->> 'multiplier')::numeric",
      'false',
    ],
  ].map(([name = '', kind = '', find = '', replace = '']) => ({
    name,
    kind,
    find,
    replace,
    file: 'server/migrations/0075_sale_at_once.sql',
    tests: ['server/src/transaction/at-once.test.ts'],
  })),
]
