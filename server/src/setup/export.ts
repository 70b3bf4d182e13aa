import { stringify } from 'yaml'
import * as z from 'zod/mini'
import { statement, type Transaction } from '../database/database.ts'
import { revisionLine } from './revision/stamp.ts'
import { type Row, tables } from './rows.ts'

const readCompany = statement(
  'select identifier, revision, time_zone, settings, logo from company where company_id = $1',
  z.object({
    identifier: z.string(),
    revision: z.int(),
    time_zone: z.string(),
    settings: z.record(z.string(), z.json()),
    logo: z.string(),
  }),
)

/**
 * Exports a company as the folder that would create it; applying that folder changes nothing.
 * Stopped rows are left out, because a folder stops rows by not naming them.
 */
export async function exportCompany(
  tx: Transaction,
  companyId: string,
): Promise<{ identifier: string; revision: number; yaml: string; logo: string }> {
  const { identifier, revision, definition, logo } = await definitionOf(tx, companyId)
  const { identifier: _, ...rest } = definition
  const yaml = [
    '# yaml-language-server: $schema=../company.schema.json',
    `identifier: ${identifier}`,
    revisionLine(revision),
    stringify(rest),
  ].join('\n')
  return { identifier, revision, yaml, logo }
}

/** Reads the content of a company's company.yaml from its rows. */
export async function definitionOf(
  tx: Transaction,
  companyId: string,
): Promise<{ identifier: string; revision: number; definition: Row; logo: string }> {
  const [company, ...parts] = await Promise.all([
    tx.one(readCompany, [companyId]),
    ...tables.map((table) => tx.all(table.read, [companyId])),
  ])
  const [stores = [], groups = [], tiers = [], gifts = [], coupons = [], webhooks = []] = parts.map(
    (rows) => rows.filter((row) => row['stopped'] !== true),
  )
  const definition = {
    identifier: company.identifier,
    timeZone: company.time_zone,
    logo: 'logo.svg',
    ...company.settings,
    stores: stores.map((row) => renamed(row, { store_code: 'code' })),
    groups: groups.map((row) => renamed(row, { group_code: 'code' })),
    tiers: tiers
      .sort((a, b) => Number(a['level']) - Number(b['level']))
      .map((row) => renamed(row, { tier_code: 'code', level: null })),
    gifts: gifts.map((row) => renamed(row, { gift_id: 'id' })),
    coupons: coupons.map((row) => Object.assign(renamed(row, couponNames), validityOf(row))),
    webhooks: webhooks.map((row) => renamed(row, { webhook_id: 'id' })),
  }
  const { identifier, revision, logo } = company
  return { identifier, revision, definition, logo }
}

const couponNames = {
  coupon_id: 'id',
  start_date: null,
  end_date: null,
  valid_days: null,
  starts_after: null,
}

function validityOf(row: Row): Row {
  return row['valid_days'] === null
    ? { validity: { from: row['start_date'], to: row['end_date'] } }
    : { validity: { days: row['valid_days'], after: row['starts_after'] } }
}

/** Renames columns to the file's names: camel case, some renamed, null ones left out. */
function renamed(row: Row, names: Record<string, string | null>): Row {
  const entries = Object.entries(row).flatMap(([column, value]) => {
    const name = names[column] === undefined ? camelCase(column) : names[column]
    return name === null || column === 'stopped' ? [] : [[name, value] as const]
  })
  return Object.fromEntries(entries)
}

function camelCase(column: string): string {
  return column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
