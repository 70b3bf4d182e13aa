import type { Fault } from './fault.ts'

/** Mistakes in the contract and in the files that operators use. */
export const contractFaults: Fault[] = [
  {
    name: 'refusal-code',
    kind: 'wrong refusal code',
    file: 'contract/src/wire/failures.ts',
    find: 'code: 113005',
    replace: 'code: 113015',
    tests: ['contract/src/wire/failures.test.ts'],
  },
  {
    name: 'refusal-list',
    kind: 'refusal missing from an endpoint’s list',
    file: 'contract/src/coupon.ts',
    find: `    'couponUnknown',
    'couponOtherMember',
    'couponUsed',`,
    replace: `    'couponOtherMember',
    'couponUsed',`,
    tests: ['server/src/http/bad-input.test.ts'],
  },
  {
    name: 'look-alikes',
    kind: 'look-alike characters are not read',
    file: 'contract/src/rules/coupon-code.ts',
    find: `.replaceAll('O', '0')`,
    replace: '',
    tests: ['contract/src/rules/coupon-code.test.ts'],
  },
  {
    name: 'bidirectional-text',
    kind: 'text that reorders the screen is accepted',
    file: 'contract/src/wire/shapes.ts',
    find: String.raw`\u2028-\u202e\u2066-\u2069`,
    replace: String.raw`\u2028-\u2029`,
    tests: ['contract/src/wire/shapes.test.ts'],
  },
  {
    name: 'unit-variable',
    kind: 'service unit sets a variable that the program does not know',
    file: 'ops/tillside-shop.service',
    find: 'TRUST_PROXY=127.0.0.1',
    replace: 'TRUST_PROXIES=127.0.0.1',
    tests: ['tools/operations.test.ts'],
  },
  {
    name: 'alert-metric',
    kind: 'alert on a metric that the program does not expose',
    file: 'ops/alerts.yml',
    find: 'max(tillside_database_up)',
    replace: 'max(tillside_db_up)',
    tests: ['server/src/metrics/metrics.test.ts'],
  },
  {
    name: 'migration-incompatible',
    kind: 'migration that the version before cannot work with',
    file: 'server/migrations/0027_code_allowance.sql',
    find: `call protect('code_allowance', 'select, insert, update');`,
    replace: `call protect('code_allowance', 'select, insert, update');
alter table contact_code drop column message_id;`,
    tests: ['tools/operations.test.ts'],
  },
  {
    name: 'cut-text',
    kind: 'text cut in one locale',
    file: 'portal/src/locales/zh-HK.po',
    find: `msgid "shift.title"
msgstr "我的更次"`,
    replace: `msgid "shift.title"
msgstr "我的更"`,
    tests: ['tools/manual.test.ts'],
  },
  {
    name: 'traditional-chinese',
    kind: 'language that the reader does not read',
    file: 'contract/src/rules/language-fit.ts',
    find: `region === 'HK' || region === 'MO'`,
    replace: `region === 'HK'`,
    tests: ['contract/src/rules/language-fit.test.ts'],
  },
  {
    name: 'invisible-name',
    kind: 'two names that look alike',
    file: 'contract/src/wire/shapes.ts',
    find: `!invisible.test(value.replaceAll(emojiJoiner, '$1'))`,
    replace: 'value !== String(emojiJoiner && invisible)',
    tests: ['contract/src/wire/shapes.test.ts'],
  },
]
