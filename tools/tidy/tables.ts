import { pointTypes } from '@tillside/contract/wire/codes'
import { describe, expect, test } from 'vitest'
import { featureOf, files, lines, read, source } from './files.ts'

/** Each table has one owner: the feature whose folder holds every statement that writes it. */
const tablesOf: Record<string, string> = {
  database: 'audit operation',
  outbox: 'delivery event event_position outbox outbox_member webhook',
  company: 'company company_address store tier',
  staff: `access_link api_key login_address login_device login_throttle look_up session
    session_epoch staff staff_group`,
  verification: 'code_allowance contact_code contact_proof message',
  member: 'consent member member_key member_name_key member_name_walk member_origin member_tier',
  allowance: 'given_today',
  tier: 'qualifying_spend tier_promotion',
  points: `gift gift_redemption paid_sale point_account point_burn point_entry point_forgiven
    point_lot point_month point_month_figures point_promotion point_report point_return
    sale_redemption stock`,
  coupon: 'coupon coupon_definition coupon_expiry_walk coupon_key coupon_redemption',
  transaction: 'receipt_key transaction transaction_coupon transaction_item transaction_return',
  merge: 'member_merge member_merge_row',
  activity: 'search_history_key shift_note shift_note_reader',
  integration: 'point_operation',
  setup: 'company_revision',
  jobs: 'job',
}
/** Rows of these tables are a company's definition, so setup writes them too. */
const definitions = new Set(
  'company company_address coupon_definition gift staff_group store tier webhook'.split(' '),
)
/** They prepare or damage data on purpose. Tests, bench and e2e are exempt for the same reason. */
const exempt = new Set(['demo', 'testing', 'faults'])

const ownerOf = new Map(
  Object.entries(tablesOf).flatMap(([owner, names]) =>
    names.split(/\s+/).map((table) => [table, owner] as const),
  ),
)

describe('tables', () => {
  test('every table of the migrations has an owner, and every owner has tables', () => {
    const migrations = files.filter((file) => /^server\/migrations\/.*\.sql$/.test(file))
    const created = migrations.flatMap((file) =>
      Array.from(read(file).matchAll(/^create table (\w+)/gm), ([, table = '']) => table),
    )
    expect(new Set(ownerOf.keys())).toEqual(new Set(created))
  })
  test('a table is written only by its owner', () => {
    const wrong = uses().filter(
      ({ feature, table, writes }) =>
        writes &&
        feature !== ownerOf.get(table) &&
        !(feature === 'setup' && definitions.has(table)),
    )
    expect(wrong.map(({ file, table }) => `${file} writes ${table}`)).toEqual([])
  })
  test('a table is read only by its owner and by features to its right', () => {
    const wrong = uses().filter(({ feature, table }) => isLeftOf(feature, ownerOf.get(table) ?? ''))
    expect(wrong.map(({ file, table }) => `${file} reads ${table}`)).toEqual([])
  })
  test('point type codes are written only in contract/src/wire/codes.ts', () => {
    const codes = new Set(Object.values(pointTypes).map(({ code }) => String(code)))
    const wrong = source.filter(
      (file) =>
        /^(contract|server|portal|bench)\/src\//.test(file) &&
        !/\.test\.|\/testing\/|wire\/codes\.ts$/.test(file) &&
        (read(file).replaceAll('_', '').match(/\d+/g) ?? []).some((one) => codes.has(one)),
    )
    expect(wrong).toEqual([])
  })
})

function isLeftOf(one: string, other: string): boolean {
  return lines.server.indexOf(one) < lines.server.indexOf(other)
}

type Use = { file: string; feature: string; table: string; writes: boolean }

/** Where the server's SQL names a table: behind `from`, `join`, `update` and the like. */
function uses(): Use[] {
  const change = String.raw`insert\s+into|update|delete\s+from|merge\s+into`
  const look = String.raw`from\s+\w+(?:\s+\w+)?\s*,|from|join|using`
  const named = new RegExp(String.raw`\b(${change}|${look})\s+(\w+)`, 'gi')
  return source
    .filter((file) => file.startsWith('server/src/') && !file.includes('.test.'))
    .filter((file) => !exempt.has(featureOf(file)))
    .flatMap((file) =>
      [...withoutComments(read(file)).matchAll(named)].flatMap(([, verb = '', table = '']) =>
        ownerOf.has(table)
          ? { file, feature: featureOf(file), table, writes: /^(insert|upd|del|mer)/i.test(verb) }
          : [],
      ),
    )
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
}
