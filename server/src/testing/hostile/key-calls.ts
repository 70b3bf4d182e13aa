import { type EndpointName, endpoints } from '@tillside/contract/endpoints'
import { type IntegrationEndpoint } from '@tillside/contract/integration/endpoint'
import { integrationEndpoints } from '@tillside/contract/integration/endpoints'
import type { TestCompany } from '../factories/company.ts'
import { receipt } from '../factories/receipt.ts'
import { type CallTargets, validInputs } from './calls.ts'
import type { Known } from './known.ts'
import { samplesOf } from './samples.ts'

export const keyCalls = Object.entries<IntegrationEndpoint>(integrationEndpoints)

/** The name of the counter's call by whose verb a call of a key is answered; null: by its own. */
export function counterNameOf(endpoint: IntegrationEndpoint): EndpointName | null {
  const found = Object.entries(endpoints).find(([, one]) => one === endpoint.counter?.endpoint)
  return found === undefined ? null : (Object.keys(endpoints).find(isNamed(found[0])) ?? null)
}

function isNamed(wanted: string): (name: string) => name is EndpointName {
  return (name): name is EndpointName => name === wanted
}

/** An input of the counter with the names that the call of a key has. */
export function keyInputOf(endpoint: IntegrationEndpoint, input: object): Record<string, unknown> {
  const given: Record<string, unknown> = { ...input }
  if (endpoint.counter?.shape === 'changes') {
    const { changes, ...rest } = given
    return { ...rest, ...Object(changes) }
  }
  if (endpoint.counter?.shape !== 'page') return given
  const { pageSize: limit, cursor: after, types: _types, ...rest } = given
  return {
    ...rest,
    ...(limit === undefined ? {} : { limit }),
    ...(after === undefined ? {} : { after }),
  }
}

/** The name that a field of the counter's call has in the call of a key. */
export function keyPathOf(path: string): string {
  if (path === 'cursor') return 'after'
  return path === 'pageSize' ? 'limit' : path.replace(/^changes\./, '')
}

/** A valid input for every call of a key. */
export function validKeyInputs(of: CallTargets): Record<string, Record<string, unknown>> {
  const { memberCode } = of
  const counter = validInputs(of)
  const shared = keyCalls.flatMap(([name, endpoint]) => {
    const counterName = counterNameOf(endpoint)
    return counterName === null ? [] : [[name, keyInputOf(endpoint, counter[counterName])] as const]
  })
  return {
    ...Object.fromEntries(shared),
    postTransactions: { items: [receipt([['TEA', '1.00', 1]], { memberCode })] },
    calculateTransaction: { ...receipt([['TEA', '1.00', 1]], { memberCode }) },
    postMembers: { items: [newMember] },
    postPoints: { items: [movementOf(memberCode)] },
    readMember: { memberCode },
    findMember: { memberCode },
    advanceTestClock: { advanceTo: '2026-01-01T00:00:00Z' },
    readEvents: { since: '2026-01-01T00:00:00Z', limit: 10 },
    listMembers: { changedSince: '2026-01-01T00:00:00Z', limit: 10 },
    readPointReport: { from: '2026-01-01', to: '2026-01-31' },
  }
}

/**
 * Inputs of a call of a key that are valid except that the value `x` must be replaced. Together
 * they contain every field that refers to something.
 */
export function keySamplesOf(
  name: string,
  company: Pick<TestCompany, 'identifier'>,
  known: Known,
  things: CallTargets,
): unknown[] {
  const endpoint = keyCalls.find(([one]) => one === name)?.[1]
  if (endpoint === undefined) throw new Error(`${name} is no call of a key`)
  const counterName = counterNameOf(endpoint)
  if (counterName !== null) {
    return samplesOf(counterName, company, known, things).map((sample) =>
      keyInputOf(endpoint, Object(sample)),
    )
  }
  const { memberCode } = things
  const original = { invoiceNumber: 'x', source: 100000028 }
  const returned = receipt([['TEA', '1.00', -1]], { memberCode, original })
  const own: Record<string, unknown[]> = {
    findMember: [
      { cardNumber: 'x' },
      { uniCustomerNo: 'x' },
      { email: 'x' },
      { countryCode: '852', mobile: 'x' },
      { memberCode: 'x' },
      { couponCode: 'x' },
    ],
    postTransactions: [{ items: [returned] }],
    calculateTransaction: [returned],
  }
  return own[name] ?? [validKeyInputs(things)[name]]
}

const newMember = {
  memberCode: 'NEW1',
  uniCustomerNo: 'UNEW1',
  cardNumber: 'CNEW1',
  firstName: 'Mei',
  registrationStore: 'S1',
}

function movementOf(memberCode: string) {
  return {
    operationId: 'OP',
    memberCode,
    type: 'adjustmentUp',
    points: 1,
    reason: 'why',
    storeCode: 'S1',
  }
}
