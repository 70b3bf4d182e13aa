import type { Endpoint } from '@tillside/contract/wire/endpoint'
import { postPoints } from '@tillside/contract/integration/points'
import { postTransactions } from '@tillside/contract/integration/transactions'
import * as z from 'zod/mini'
import { emailKey, mobileKey } from '../../values/contact.ts'
import { codeKey } from '../../member/key.ts'
import { type Answer, call, type CallOptions, logIn, testCompany } from '../factories/company.ts'
import { sendItems, testKey } from '../factories/key.ts'
import { placement } from './node-layout.ts'
import { type Key, openNodes, type Touch } from './node-router.ts'
import { startNodes } from './nodes.ts'

export type World = Awaited<ReturnType<typeof companyOnNodes>>

/** The resources that a call used. */
export type Cost = {
  /** Look-ups in the directory before the call. */
  probes: number
  /** The number of nodes that its statements ran on. */
  nodes: number
  statements: number
  /** Statements on tables that grow with the number of members. */
  large: number
  /** Entries of the directory that were added or removed, on any node. */
  entries: number
}

// The tables that grow with the number of members and calls. Every node has a copy of all other
// tables.
const grows = Object.keys(placement).filter((name) => placement[name] === 'home')
const large = new RegExp(`\\b(?:from|join|into|update)\\s+(?:${grows.join('|')})\\b`)
const table = /\b(?:from|join|into|update)\s+[a-z_]/

const Named = z.object({
  memberCode: z.optional(z.string()),
  code: z.optional(z.string()),
  cardNumber: z.optional(z.string()),
  uniCustomerNo: z.optional(z.string()),
  email: z.optional(z.string()),
  countryCode: z.optional(z.string()),
  mobile: z.optional(z.string()),
})

/**
 * The key by which a request names its member: the router needs no other information about a call.
 */
export function keyOf(input: unknown): Key | null {
  const named = Named.safeParse(input)
  if (!named.success) return null
  const { memberCode, code, cardNumber, uniCustomerNo, email, countryCode, mobile } = named.data
  const byCode = memberCode ?? code
  if (byCode !== undefined) return { kind: 'code', value: codeKey(byCode) }
  if (cardNumber !== undefined) return { kind: 'card', value: codeKey(cardNumber) }
  if (uniCustomerNo !== undefined) return { kind: 'uni', value: codeKey(uniCustomerNo) }
  if (countryCode !== undefined && mobile !== undefined)
    return { kind: 'mobile', value: mobileKey(countryCode, mobile) }
  return email === undefined ? null : { kind: 'email', value: emailKey(email) }
}

/** A company on a desk and two nodes, with one server. */
export async function companyOnNodes(changes: Parameters<typeof testCompany>[0] = {}) {
  const nodes = await startNodes(['a', 'b'])
  const database = openNodes(nodes)
  const company = await testCompany(changes, database)
  const [token, { key }] = await Promise.all([logIn(company), testKey(company)])

  /** Calls an endpoint on the node of the member that the input names. */
  function ask(endpoint: Endpoint, input: unknown, options: CallOptions = {}): Promise<Answer> {
    return database.about(company.id, keyOf(input), () =>
      call(company, endpoint, input, { token, ...options }),
    )
  }

  /** All entries of the directory, read from every node. */
  async function listed(): Promise<Set<string>> {
    const parts = await Promise.all(
      nodes.all.map(({ name, ask: query }) => query(`select * from directory_${name}`)),
    )
    return new Set(parts.flat().map((row) => JSON.stringify(row)))
  }

  return {
    nodes,
    database,
    company,
    token,
    ask,
    sell: (...items: unknown[]) => sendItems(company, postTransactions, items, key),
    move: (...items: unknown[]) => sendItems(company, postPoints, items, key),
    /** Makes a call and returns its answer and cost. */
    async costOf<T>(work: () => Promise<T>): Promise<{ answer: T; cost: Cost }> {
      const before = await listed()
      const { answer, touches } = await database.traced(work)
      const after = await listed()
      const changed = [...before, ...after].filter(
        (row) => before.has(row) !== after.has(row),
      ).length
      return { answer, cost: { ...countTouches(company.id, touches), entries: changed } }
    },
    async stop() {
      await company.close()
      await nodes.stop()
    },
  }
}

/**
 * @throws Error if a statement on a company's rows does not have the company's id as a parameter
 */
function countTouches(companyId: string, touches: readonly Touch[]): Omit<Cost, 'entries'> {
  const verbs = touches.filter(({ by }) => by === 'verb')
  for (const { text, values } of verbs) {
    if (table.test(text) && !values.includes(companyId)) {
      throw new Error(`a statement names no company: ${text}`)
    }
  }
  return {
    probes: touches.length - verbs.length,
    nodes: new Set(verbs.map(({ node }) => node)).size,
    statements: verbs.length,
    large: verbs.filter(({ text }) => large.test(text)).length,
  }
}
