import { getOneCustomer, type Member, updateCustomer } from '@tillside/contract/member'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Answer,
  call,
  logIn,
  ok,
  testCompany,
  type TestCompany,
} from '../testing/factories/company.ts'
import { naughtyFor } from '../testing/hostile/naughty-strings.ts'
import { signUp, memberIn, refusedFields } from '../testing/factories/registration.ts'

// Every field of a new member and of a member's profile is given the Big List of Naughty Strings.
let company: TestCompany
let token: string
beforeAll(async () => {
  const editable = ['firstName', 'lastName', 'mobile', 'email', 'address', 'petName', 'locker']
  company = await testCompany({ profileFields: { shown: [], editable } })
  token = await logIn(company)
})
afterAll(() => company.close())

type Place = {
  name: string
  typed: (text: string) => Record<string, unknown>
  kept: (member: Member) => unknown
}
const abroad = { country: 'US', province: 'New York' }
const places: Place[] = [
  { name: 'firstName', typed: (text) => ({ firstName: text }), kept: (m) => m.firstName },
  { name: 'lastName', typed: (text) => ({ lastName: text }), kept: (m) => m.lastName },
  { name: 'email', typed: (text) => ({ email: text }), kept: (m) => m.email },
  {
    name: 'mobile',
    typed: (text) => ({ mobile: text, countryCode: '852' }),
    kept: (m) => m.mobile,
  },
  {
    name: 'petName',
    typed: (text) => ({ petName: text }),
    kept: (m) => m.customFields?.['petName'],
  },
  { name: 'locker', typed: (text) => ({ locker: text }), kept: (m) => m.customFields?.['locker'] },
  ...(['country', 'province', 'city', 'district', 'detail'] as const).map((part) => ({
    name: `address.${part}`,
    typed: (text: string) => ({ address: { ...abroad, [part]: text } }),
    kept: (m: Member) => m.address?.[part],
  })),
]
const numbered = places.map((place, n) => ({ name: place.name, place, n }))
/** Fields with a fixed set or form of values: none of the strings is one. */
const chosen = ['gender', 'birthday', 'size', 'likes', 'anniversary', 'children', 'tncVersion'].map(
  (name, n) => ({ name, n }),
)
const proofs = ['mobileVerification', 'emailVerification'].map((name, n) => ({ name, n }))

/** Stored exactly, normalised and trimmed, or refused at the field. */
function expectKeptOrRefused(answer: Answer, text: string, { name, kept }: Place, prefix = '') {
  const told = [text, answer.status, answer.code]
  if (answer.code === 0) {
    expect([...told, kept(memberIn(answer))]).toEqual([text, 200, 0, normal(text)])
  } else if (answer.code === 111103) {
    // The list contains its few numbers several times.
    expect([...told, answer.data]).toEqual([text, 200, 111103, { field: name }])
  } else {
    const fields = refusedFields(answer)
    const blamed = fields.every((field) => isAt(field, prefix + name))
    expect([...told, blamed]).toEqual([text, 200, 422, true])
  }
}

const normal = (text: string) => text.normalize('NFC').trim()
const isAt = (field: string, name: string) => field.startsWith(`${name}:`)

/** Tries the strings of one place, twenty at once. */
async function eachString(place: number, work: (text: string) => Promise<void>): Promise<void> {
  const strings = naughtyFor(place)
  for (let n = 0; n < strings.length; n += 20) {
    await Promise.all(strings.slice(n, n + 20).map(work))
  }
}

describe('the naughty strings', () => {
  test.each(numbered)('are kept or refused as $name of a new member', async ({ place, n }) => {
    await eachString(n, async (text) => {
      expectKeptOrRefused(await signUp(company, token, place.typed(text)), text, place)
    })
  })

  test.each(chosen)('are refused as $name', async ({ name, n }) => {
    await eachString(n, async (text) => {
      const answer = await signUp(company, token, { [name]: text })
      expect([
        text,
        answer.code,
        refusedFields(answer).every((field) => isAt(field, name)),
      ]).toEqual([text, 422, true])
    })
  })

  test('are no calling code of that number', async () => {
    await eachString(0, async (countryCode) => {
      const answer = await signUp(company, token, { mobile: '51110001', countryCode })
      const told = refusedFields(answer)
      const blamed = told.every((one) => isAt(one, 'countryCode') || isAt(one, 'mobile'))
      expect([countryCode, answer.code, blamed]).toEqual([countryCode, 422, true])
    })
  })

  test.each(proofs)('prove nothing as $name', async ({ name, n }) => {
    await eachString(n, async (text) => {
      const answer = await signUp(company, token, { [name]: text })
      expect([text, [422, 112002].includes(answer.code)]).toEqual([text, true])
    })
  })

  test.each(numbered)(
    'are kept or refused as $name of an existing member',
    async ({ place, n }) => {
      const { memberCode } = memberIn(await signUp(company, token))
      let version = 1
      for (const text of naughtyFor(n)) {
        const input = { memberCode, version, changes: place.typed(text) }
        const answer = await call(company, updateCustomer, input, { token })
        expectKeptOrRefused(answer, text, place, 'changes.')
        if (answer.code === 0) version = memberIn(answer).version
      }
      const member = await ok(company, getOneCustomer, { code: memberCode }, { token })
      expect(member.version).toBe(version)
    },
  )
})
