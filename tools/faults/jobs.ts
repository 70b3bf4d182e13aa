import type { Fault } from './fault.ts'

/** Mistakes in jobs, deliveries, stocks, the audit and the checks of the books. */
export const jobFaults: Fault[] = [
  {
    name: 'claim-locked',
    kind: 'job does not skip a locked row',
    file: 'server/src/outbox/webhooks.ts',
    find: 'for update of o skip locked',
    replace: 'for update of o',
    tests: ['server/src/outbox/webhooks.test.ts'],
  },
  {
    name: 'expiry-audit',
    kind: 'dropped audit row',
    file: 'server/src/jobs/expiry.ts',
    find: `writeAudit(tx, actor, 'job', {`,
    replace: `void (actor && writeAudit && {`,
    tests: ['server/src/jobs/jobs.test.ts'],
  },
  {
    name: 'webhook-signature',
    kind: 'wrong signature of a webhook',
    file: 'server/src/outbox/post.ts',
    find: 'signatureOf(secret, timestamp, body)}',
    replace: 'signatureOf(secret, message.at, body)}',
    tests: ['server/src/outbox/webhooks.test.ts'],
  },
  {
    name: 'webhook-retry',
    kind: 'failed delivery is never retried',
    file: 'server/src/outbox/webhooks.ts',
    find: 'delivered_at = seconds_after(now(), $7)',
    replace: 'delivered_at = least(now(), seconds_after(now(), $7))',
    tests: ['server/src/outbox/webhooks.test.ts'],
  },
  {
    name: 'doctor-coupons',
    kind: 'check of the books left out',
    file: 'server/src/jobs/invariants.ts',
    find: '  ...couponInvariants,\n',
    replace: '',
    tests: ['server/src/jobs/commands.test.ts'],
  },
  {
    name: 'replay-audit',
    kind: 'audit row left out for a change',
    file: 'server/src/http/serve.ts',
    find: 'for (const change of changes) writeAudit',
    replace: 'for (const change of changes.slice(1)) writeAudit',
    tests: ['server/src/coupon/redeem.test.ts'],
  },
  {
    name: 'function-stock-lock',
    kind: 'more coupons than there are',
    file: 'server/migrations/0129_hold_stock.sql',
    find: `kind = 'coupon' and item_id = p_coupon_id for no key update`,
    replace: `kind = 'coupon' and item_id = p_coupon_id`,
    tests: ['server/src/coupon/issue.test.ts'],
  },
  {
    name: 'function-gift-stock',
    kind: 'more gifts than there are',
    file: 'server/migrations/0104_stock.sql',
    find: 's.issued + p_quantity <= g.stock',
    replace: 's.issued <= g.stock',
    tests: ['server/src/points/races.test.ts'],
  },
]
