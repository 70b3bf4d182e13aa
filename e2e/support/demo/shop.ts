import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { LoginInfo } from '@tillside/contract/auth'
import type { Permission } from '@tillside/contract/wire/permissions'
import type { Definition } from '@tillside/server/company/definition'
import { companyNamed } from '@tillside/server/company/find'
import { issueCoupons } from '@tillside/server/coupon/issue'
import { projectRoot } from '@tillside/server/process/config'
import { type Database, sqlState, statement } from '@tillside/server/database/database'
import { NewMember } from '@tillside/server/member/create'
import { createPractice } from '@tillside/server/practice/create'
import { createMember } from '@tillside/server/register/create'
import { findMemberId } from '@tillside/server/member/look-up'
import { applyCompany } from '@tillside/server/setup/apply'
import { readFolder } from '@tillside/server/setup/folder'
import { changePermission } from '@tillside/server/setup/permissions'
import { addStaff } from '@tillside/server/staff/accounts'
import { createLink } from '@tillside/server/staff/link'
import { hashPassword } from '@tillside/server/staff/password'
import { openSession } from '@tillside/server/staff/session'
import { noCompany } from '@tillside/server/staff/throttle/address'
import * as z from 'zod/mini'
import { password } from './api.ts'

const readOpening = statement(
  `select now() as now, (now() at time zone time_zone)::date as today,
     (select min(store_code) from store where company_id = $1 and active) as store
   from company where company_id = $1`,
  z.object({ now: z.string(), today: z.string(), store: z.string() }),
)

const dropAttempts = statement('delete from login_address where company_id = $1', z.unknown())

/** A customer at the counter, with all of their identifiers. */
export type Customer = {
  memberCode: string
  cardNumber: string
  countryCode: string
  mobile: string
  email: string
}

/**
 * The back office. It gives every journey its own members and coupons, so that no journey
 * depends on another.
 */
export type Shop = {
  /** A new company like one of the demo's, or with an identifier a change of such a company. */
  company(
    like?: string,
    change?: (definition: Definition) => Definition,
    identifier?: string,
  ): Promise<string>
  /** The practice company of another one; its accounts are `full` and `viewer`. */
  practice(company: string): Promise<string>
  /** An account of its own at a store; its password is `password`. */
  clerk(company: string, group?: string, store?: string): Promise<string>
  customer(company: string, name?: { firstName: string; lastName: string }): Promise<Customer>
  /** A session as the login opens it, without comparing the password, which takes long. */
  session(company: string, account: string): Promise<LoginInfo>
  /** A link's token, which logs this account in, once. */
  link(company: string, account: string): Promise<string>
  /** Issues a coupon, at the first store unless said otherwise, and answers its code. */
  coupon(company: string, customer: Customer, couponId?: string, at?: string): Promise<string>
  revoke(company: string, group: string, permission: Permission): Promise<void>
  /** Forgets the wrong passwords of this machine's address, which all journeys share. */
  forgetAttempts(): Promise<void>
}

// Ranges apart from the numbers of the demo's members.
const mobiles = new Map([['harbour', { countryCode: '852', area: '514', digits: 5 }]])
const american = { countryCode: '1', area: '2014', digits: 6 }

function newCustomer(company: string): Customer {
  const { countryCode, area, digits } = mobiles.get(company) ?? american
  const memberCode = `E${randomBytes(6).toString('hex').toUpperCase()}`
  return {
    memberCode,
    cardNumber: `77${randomInt(10 ** 10, 10 ** 11)}`,
    countryCode,
    mobile: `${area}${randomInt(10 ** (digits - 1), 10 ** digits)}`,
    email: `${memberCode.toLowerCase()}@example.com`,
  }
}

async function linkOf(database: Database, company: string, account: string): Promise<string> {
  const id = await companyNamed(database, company)
  const { token } = await database.transaction(id, (tx) => createLink(tx, id, account, 10))
  return token
}

const findAccount = statement(
  'select staff_id from staff where company_id = $1 and account_key = lower($2)',
  z.object({ staff_id: z.string() }),
)

async function sessionOf(database: Database, company: string, account: string): Promise<LoginInfo> {
  const companyId = await companyNamed(database, company)
  return database.transaction(companyId, async (tx) => {
    const { staff_id: staffId } = await tx.one(findAccount, [companyId, account])
    const opening = {
      companyId,
      staffId,
      passwordHash: null,
      requestId: 'e2e',
      by: 'link',
    } as const
    const session = await openSession(tx, opening)
    if (typeof session === 'string') throw new Error(`${account} of ${company}: ${session}`)
    return session
  })
}

/** Makes a company of a demo's folder, or changes one that was made so. */
async function companyLike(
  database: Database,
  like = 'aurora',
  change = (definition: Definition) => definition,
  identifier = `e2e-${randomBytes(5).toString('hex')}`,
): Promise<string> {
  const source = await readFolder(join(projectRoot, 'companies', like))
  const definition = change({ ...source.definition, identifier })
  await applyCompany(database, { ...source, definition, checksum: randomUUID() })
  return identifier
}

async function practiceOf(database: Database, company: string): Promise<string> {
  const made = await createPractice(database, await companyNamed(database, company))
  return made.identifier
}

// Every account has the same password, and a hash takes long by design.
let passwordHash: string | undefined

export function shopOf(database: Database): Shop {
  return {
    company: (like, change, identifier) => companyLike(database, like, change, identifier),
    practice: (company) => practiceOf(database, company),
    clerk: async (company, group = 'full', store) => {
      const account = `clerk-${randomBytes(5).toString('hex')}`
      const id = await companyNamed(database, company)
      passwordHash ??= await hashPassword(password)
      const hash = passwordHash
      const person = { account, firstName: 'Kim', lastName: 'Porter', groupCode: group }
      await database.transaction(id, async (tx) => {
        const storeCode = store ?? (await tx.one(readOpening, [id])).store
        await addStaff(tx, id, { ...person, storeCode, passwordHash: hash })
      })
      return account
    },
    session: (company, account) => sessionOf(database, company, account),
    link: (company, account) => linkOf(database, company, account),
    customer: async (company, name = { firstName: 'Ada', lastName: 'Byron' }) => {
      const id = await companyNamed(database, company)
      for (;;) {
        const customer = newCustomer(company)
        try {
          await database.transaction(id, async (tx) => {
            const { today: registrationDate } = await tx.one(readOpening, [id])
            const uniCustomerNo = `U${customer.memberCode}`
            const member = { ...customer, ...name, uniCustomerNo, registrationDate }
            await createMember(tx, { id }, NewMember.parse(member))
          })
          return customer
        } catch (error) {
          // Another member has the number: try the next.
          if (sqlState(error) !== '23505') throw error
        }
      }
    },
    coupon: async (company, { memberCode }, couponId = 'BIRTHDAY', at) => {
      const id = await companyNamed(database, company)
      return database.transaction(id, async (tx) => {
        const { now, today, store } = await tx.one(readOpening, [id])
        const memberId = (await findMemberId(tx, id, memberCode)) ?? ''
        const issued = await issueCoupons(
          tx,
          { id },
          {
            memberId,
            couponId,
            quantity: 1,
            at: now,
            today,
            storeCode: at ?? store,
            staffId: null,
            paidWithPoints: false,
          },
        )
        const code = issued.outcome === 'issued' ? issued.codes[0] : undefined
        if (code === undefined) throw new Error(`coupon ${couponId} was not issued`)
        return code
      })
    },
    revoke: async (company, group, permission) => {
      const id = await companyNamed(database, company)
      await database.transaction(id, (tx) => changePermission(tx, id, group, permission, false))
    },
    forgetAttempts: async () => {
      await database.transaction(noCompany, (tx) => tx.run(dropAttempts, [noCompany]))
    },
  }
}
