import type { Endpoint } from '@tillside/contract/wire/endpoint'
import { postMembers } from '@tillside/contract/integration/members'
import { postPoints } from '@tillside/contract/integration/points'
import { postTransactions } from '@tillside/contract/integration/transactions'
import { getOneCustomer } from '@tillside/contract/member'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contentsOf } from '../testing/contents.ts'
import { callWithKey, testKey, itemResult } from '../testing/factories/key.ts'
import { testMember } from '../testing/factories/member.ts'
import {
  toleratedValues,
  fieldsOf,
  refusedInText,
  alwaysRefused,
} from '../testing/hostile/hostile-values.ts'
import { receipt } from '../testing/factories/receipt.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'

// Every field of every item with values that break programs: refused at that field, alone, and
// nothing of it is done.
let s: Shop
let key: string
let memberCode: string
beforeAll(async () => {
  s = await testShop()
  key = (await testKey(s)).key
  memberCode = (await testMember(s)).memberCode
})
afterAll(() => s.close())

const name = { memberCode: 'BAD1', uniCustomerNo: 'UBAD1', cardNumber: 'CBAD1' }
const mobile = { countryCode: '852', mobile: '51110007' }
const cases = [
  { endpoint: postTransactions, valid: () => receipt([['A', '1.00', 1]], { memberCode }) },
  { endpoint: postMembers, valid: () => ({ ...name, ...mobile, firstName: 'Mei' }) },
  {
    endpoint: postPoints,
    valid: () => ({
      operationId: 'BAD1',
      memberCode,
      type: 'adjustmentUp',
      points: 1,
      reason: 'bad',
    }),
  },
]

/** An item with one field written as it is. */
function written(item: object, field: string, json: string): string {
  const rest = Object.entries(item).filter(([known]) => known !== field)
  const members = rest.map(([known, value]) => `${JSON.stringify(known)}:${JSON.stringify(value)}`)
  return `{${[...members, `${JSON.stringify(field)}:${json}`].join(',')}}`
}

test.each(cases.map((one) => [one.endpoint.path, one] as const))(
  '%s takes no mischief in any field',
  async (_path, { endpoint, valid }) => {
    const asEndpoint: Endpoint = { ...getOneCustomer, input: endpoint.item }
    const attacks = fieldsOf(asEndpoint).flatMap((field) =>
      [...alwaysRefused(field), ...refusedInText].flatMap(({ what, json }) => {
        // Some fields accept null, a list, an object or a boolean; their contents are checked
        // below.
        const fits = endpoint.item.safeParse({ ...valid(), [field.name]: parsed(json) }).success
        return json === undefined || fits ? [] : [{ field: field.name, what, json }]
      }),
    )
    expect(attacks.length).toBeGreaterThan(80)
    const before = await contentsOf(s)
    for (let n = 0; n < attacks.length; n += 500) {
      const some = attacks.slice(n, n + 500)
      const items = some.map(({ field, json }) => written(valid(), field, json))
      const answer = await callWithKey(s, endpoint, `{"items":[${items.join(',')}]}`, key)
      const told = endpoint.data.parse(answer.data).items.map(itemResult)
      const wrong = some.filter(({ field }, index) => !(told[index] ?? '').includes(` ${field}`))
      expect(wrong).toEqual([])
      expect(told.filter((text) => !text.startsWith('invalid '))).toEqual([])
    }
    expect(await contentsOf(s)).toEqual(before)
  },
)

test.each(cases.map((one) => [one.endpoint.path, one] as const))(
  '%s breaks on nothing that may be taken',
  async (_path, { endpoint, valid }) => {
    const asEndpoint: Endpoint = { ...getOneCustomer, input: endpoint.item }
    const items = fieldsOf(asEndpoint).flatMap((field) =>
      toleratedValues.flatMap(({ json }) =>
        json === undefined ? [] : [written(valid(), field.name, json)],
      ),
    )
    const answer = await callWithKey(s, endpoint, `{"items":[${items.join(',')}]}`, key)
    expect(answer.code).toBe(0)
    const told = endpoint.data.parse(answer.data).items.map(itemResult)
    expect(told.filter((text) => text.startsWith('internal'))).toEqual([])
    expect(await s.violations()).toEqual([])
  },
)

function parsed(json: string | undefined): unknown {
  return json === undefined ? undefined : JSON.parse(json)
}
