import { decimal } from '@tillside/contract/rules/decimal'
import { currencyDecimals, moneyText } from '@tillside/contract/rules/money'
import * as z from 'zod/mini'
import type { Definition } from '../company/definition.ts'
import { type Statement, statement } from '../database/database.ts'

// Maps a definition to rows of the database. Each table defines how its rows are read, derived from
// the definition, stopped when they are missing in it, and written.

/** The columns of one row as JSON values, without the company's id. */
export type Row = Record<string, unknown>

export type Table = {
  /** The name of a row in messages. */
  noun: string
  key: string
  read: Statement<Row>
  /** Writes one row; the parameters are `valuesOf` it. */
  write: Statement<unknown>
  valuesOf(companyId: string, row: Row): unknown[]
  wanted(definition: Definition): Row[]
  /**
   * The columns to set when a row is missing in the definition. Rows are never deleted, because
   * other rows refer to them.
   */
  stopped: Row
}

/** `columns`: name and SQL type, the key first. */
function table(
  name: string,
  noun: string,
  columns: Record<string, string>,
  stopped: Row,
  wanted: (definition: Definition) => Row[],
  onWrite: string[] = [],
): Table {
  const names = Object.keys(columns)
  const [key = ''] = names
  const given = names.map((column, n) => `$${n + 2}::${columns[column]}`)
  const updates = names.slice(1).map((column) => `${column} = excluded.${column}`)
  return {
    noun,
    key,
    read: statement(
      `select ${names.join(', ')} from ${name} where company_id = $1 order by ${key}`,
      z.record(z.string(), z.unknown()),
    ),
    write: statement(
      `insert into ${name} (company_id, ${names.join(', ')})
       values ($1, ${given.join(', ')})
       on conflict (company_id, ${key}) do update set ${[...updates, ...onWrite].join(', ')}`,
      z.unknown(),
    ),
    valuesOf: (companyId, row) => [
      companyId,
      // An array of a JSON column is no array of PostgreSQL.
      ...names.map((column) => {
        const value = row[column] ?? null
        return columns[column] === 'jsonb' && value !== null ? JSON.stringify(value) : value
      }),
    ],
    wanted,
    stopped,
  }
}

/** In the order of their foreign keys. */
export const tables: readonly Table[] = [
  table(
    'store',
    'store',
    { store_code: 'text', name: 'text', active: 'boolean', country: 'text' },
    { active: false },
    ({ stores }) => stores.map(({ code, ...store }) => ({ store_code: code, ...store })),
  ),
  table(
    'staff_group',
    'group',
    { group_code: 'text', permissions: 'text[]', menus: 'text[]' },
    { permissions: [], menus: [] },
    ({ groups }) =>
      groups.map((group) => ({
        group_code: group.code,
        permissions: [...new Set(group.permissions)].sort(),
        menus: [...new Set(group.menus)].sort(),
      })),
    // Only changed rows are written, so sessions must notice every write.
    ['version = staff_group.version + 1'],
  ),
  table(
    'tier',
    'tier',
    {
      tier_code: 'text',
      level: 'int',
      names: 'jsonb',
      threshold: 'numeric',
      renew_threshold: 'numeric',
      multiplier: 'numeric',
      benefits: 'jsonb',
      stopped: 'boolean',
    },
    { stopped: true },
    ({ tiers, currency }) =>
      tiers.map((tier, index) => ({
        tier_code: tier.code,
        level: index + 1,
        names: tier.names,
        threshold: decimals(tier.threshold, currencyDecimals(currency.code)),
        renew_threshold: decimals(tier.renewThreshold, currencyDecimals(currency.code)),
        multiplier: decimals(tier.multiplier, 3),
        benefits: tier.benefits,
        stopped: false,
      })),
  ),
  table(
    'gift',
    'gift',
    {
      gift_id: 'text',
      names: 'jsonb',
      descriptions: 'jsonb',
      points: 'int',
      stock: 'int',
      per_member_limit: 'int',
      stopped: 'boolean',
    },
    { stopped: true },
    ({ gifts }) =>
      gifts.map((gift) => ({
        gift_id: gift.id,
        names: gift.names,
        descriptions: gift.descriptions,
        points: gift.points,
        stock: gift.stock,
        per_member_limit: gift.perMemberLimit,
        stopped: false,
      })),
  ),
  table(
    'coupon_definition',
    'coupon',
    {
      coupon_id: 'text',
      names: 'jsonb',
      descriptions: 'jsonb',
      kind: 'text',
      value: 'numeric',
      union_code: 'text',
      start_date: 'date',
      end_date: 'date',
      valid_days: 'int',
      starts_after: 'int',
      stock: 'int',
      per_member_limit: 'int',
      points_cost: 'int',
      issue_stores: 'text[]',
      redeem_stores: 'text[]',
      stopped: 'boolean',
    },
    { stopped: true },
    ({ coupons, currency }) =>
      coupons.map((coupon) => couponRow(coupon, currencyDecimals(currency.code))),
    // The inserted row has a new one: a process remembers a definition by its version.
    ['version = excluded.version'],
  ),
  table(
    'webhook',
    'webhook',
    {
      webhook_id: 'text',
      url: 'text',
      secret_variable: 'text',
      second_secret_variable: 'text',
      events: 'text[]',
      stopped: 'boolean',
    },
    { stopped: true },
    ({ webhooks }) =>
      webhooks.map((webhook) => ({
        webhook_id: webhook.id,
        url: webhook.url,
        secret_variable: webhook.secretVariable,
        second_secret_variable: webhook.secondSecretVariable,
        events: [...new Set(webhook.events)].sort(),
        stopped: false,
      })),
  ),
]

function couponRow(coupon: Definition['coupons'][number], places: number): Row {
  const { validity } = coupon
  const fixed = 'from' in validity
  return {
    coupon_id: coupon.id,
    names: coupon.names,
    descriptions: coupon.descriptions,
    kind: coupon.kind,
    value:
      coupon.value === null ? null : decimals(coupon.value, coupon.kind === 'percent' ? 2 : places),
    union_code: coupon.unionCode,
    start_date: fixed ? validity.from : null,
    end_date: fixed ? validity.to : null,
    valid_days: fixed ? null : validity.days,
    starts_after: fixed ? 0 : validity.after,
    stock: coupon.stock,
    per_member_limit: coupon.perMemberLimit,
    points_cost: coupon.pointsCost,
    issue_stores: coupon.issueStores,
    redeem_stores: coupon.redeemStores,
    stopped: false,
  }
}

/** Formats an amount like PostgreSQL's numeric, so that equal amounts are equal texts. */
function decimals(amount: string, places: number): string {
  return moneyText(decimal(amount), places)
}
