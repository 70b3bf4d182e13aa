import * as z from 'zod/mini'
import type { Definition } from '../company/definition.ts'
import { findCompany, type FoundCompany } from '../company/find.ts'
import { writeAudit } from '../database/audit.ts'
import { type Database, statement, type Transaction } from '../database/database.ts'
import { createMembers } from '../register/create.ts'
import { addStaff } from '../staff/accounts.ts'
import { hashPassword } from '../staff/password.ts'
import { record } from '../transaction/record.ts'
import { clockOf } from '../practice/clock.ts'
import { giveCoupons } from './coupons.ts'
import { shops } from './goods.ts'
import { historyOf, type DemoContext } from './history.ts'
import { memberCount, membersOf } from './members.ts'
import { randomOf } from '../practice/random.ts'
import { recordShowcase } from './showcase.ts'
import { todaySql } from '../database/reads/today.ts'

export const demoPassword = 'Counter#2026'
/** The number of members whose receipts are sent to the database concurrently. */
const batchSize = 12
/** The batches after which the plans of prepared statements are discarded. */
const replanAfter = new Set([1, 5, 15])

// A second process waits for this lock and then finds the members.
const lockCompany = statement(
  `select ${todaySql('company')} as today,
     exists (select from member where company_id = $1) as has_members
   from company where company_id = $1 for update`,
  z.object({ today: z.string(), has_members: z.boolean() }),
)
// A plan made for empty tables is slow once they have rows.
const discardPlans = statement('discard plans', z.unknown())
const readAccounts = statement(
  'select staff_id, account_key from staff where company_id = $1',
  z.object({ staff_id: z.string(), account_key: z.string() }),
)

/**
 * Seeds a demo company that has no members: its four accounts, and members with receipts, points,
 * coupons and consents, in one transaction. For development only.
 * @param onProgress receives the number of members that were added since the last call
 * @param count the number of members; the first ones are the same for every number
 * @returns false if the company already has members
 * @throws Error in production, or if the company has not been applied
 */
export async function seedDemo(
  database: Database,
  definition: Definition,
  onProgress: (members: number) => void = () => {},
  count = memberCount,
): Promise<boolean> {
  if (process.env['NODE_ENV'] === 'production') throw new Error('demo data is for development only')
  const shop = shops[definition.identifier]
  const company = await findCompany(database, definition.identifier)
  if (shop === undefined || company === null) {
    throw new Error(`${definition.identifier} is not an applied demo company`)
  }
  const passwordHash = await hashPassword(demoPassword)
  return database.transaction(company.id, async (tx) => {
    const { today, has_members: isSeeded } = await tx.one(lockCompany, [company.id])
    if (isSeeded) return false
    const context: DemoContext = { definition, shop, clock: clockOf(company.timeZone, today) }
    const staffId = await addAccounts(tx, company.id, definition, passwordHash)
    await fill(tx, company, context, staffId, onProgress, count)
    const actor = { company, staff: null, store: null }
    writeAudit(tx, actor, 'demo', { action: 'demo.seed', memberId: null, details: {} })
    return true
  })
}

async function fill(
  tx: Transaction,
  company: FoundCompany,
  context: DemoContext,
  staffId: string,
  onProgress: (members: number) => void,
  count: number,
): Promise<void> {
  const { definition, shop, clock } = context
  const random = randomOf(`${definition.identifier} members`)
  const members = membersOf(definition, shop, clock, random, count)
  const ids = await createMembers(tx, company, members)
  const owners = members.flatMap((member, index) => {
    const memberId = ids[index]
    return memberId === undefined ? [] : [{ memberId, member, index }]
  })
  for (let from = 0; from < owners.length; from += batchSize) {
    const group = owners.slice(from, from + batchSize)
    await Promise.all(
      group.map(async ({ memberId, member, index }) => {
        if (index === 0) return recordShowcase(tx, company, memberId, context)
        for (const receipt of historyOf(context, member, index)) {
          const { outcome } = await record(tx, company, memberId, receipt)
          if (outcome !== 'created') throw new Error(`${receipt.invoiceNumber} was ${outcome}`)
        }
      }),
    )
    onProgress(group.length)
    if (replanAfter.has(from / batchSize)) await tx.run(discardPlans, [])
  }
  await giveCoupons(tx, company.id, context, owners, staffId)
}

/**
 * amy has all permissions that the company grants, ben can only view, cleo's store is inactive, dan
 * has no menus.
 */
async function addAccounts(
  tx: Transaction,
  companyId: string,
  { stores }: Definition,
  passwordHash: string,
): Promise<string> {
  const [first, second = first] = stores.filter((store) => store.active)
  const closed = stores.find((store) => !store.active)
  if (first === undefined || second === undefined || closed === undefined) {
    throw new Error('a demo company needs an active and an inactive store')
  }
  const accounts = [
    { account: 'amy', firstName: 'Amy', lastName: 'Hart', group: 'full', store: first },
    { account: 'ben', firstName: 'Ben', lastName: 'Ito', group: 'viewer', store: first },
    { account: 'cleo', firstName: 'Cleo', lastName: 'Marsh', group: 'full', store: closed },
    { account: 'dan', firstName: 'Dan', lastName: 'Reyes', group: 'empty', store: second },
  ]
  const before = await tx.all(readAccounts, [companyId])
  for (const { account, group: groupCode, store, firstName, lastName } of accounts) {
    if (before.some((row) => row.account_key === account)) continue
    const storeCode = store.code
    await addStaff(tx, companyId, {
      account,
      firstName,
      lastName,
      groupCode,
      storeCode,
      passwordHash,
    })
  }
  const amy = (await tx.all(readAccounts, [companyId])).find((row) => row.account_key === 'amy')
  if (amy === undefined) throw new Error('amy was not added')
  return amy.staff_id
}
