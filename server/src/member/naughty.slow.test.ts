import { existsSync, readFileSync } from 'node:fs'
import { join as path } from 'node:path'
import { getOneCustomer, type Member, updateCustomer } from '@tillside/contract/member'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { projectRoot } from '../process/config.ts'
import {
  type Answer,
  call,
  logIn,
  ok,
  testCompany,
  type TestCompany,
} from '../testing/factories/company.ts'
import { join, memberIn, refusedFields } from '../testing/factories/registration.ts'

// The Big List of Naughty Strings is public data that lies
// beside the project and not in it.
const file = path(projectRoot, '../shared/data/blns.json')
const there = existsSync(file)
if (!there) console.warn(`skipped: the naughty strings are not there (${file})`)
const strings = there ? z.array(z.string()).parse(JSON.parse(readFileSync(file, 'utf8'))) : []

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
  { name: 'petName', typed: (text) => ({ petName: text }), kept: (m) => m.customFields['petName'] },
  { name: 'locker', typed: (text) => ({ locker: text }), kept: (m) => m.customFields['locker'] },
  ...(['country', 'province', 'city', 'district', 'detail'] as const).map((part) => ({
    name: `address.${part}`,
    typed: (text: string) => ({ address: { ...abroad, [part]: text } }),
    kept: (m: Member) => m.address[part],
  })),
]
/** What is only chosen, or only ever known: none of the strings is one. */
const chosen = ['gender', 'birthday', 'size', 'likes', 'anniversary', 'children', 'tncVersion']

/** Kept to the letter, in the normal form and without space around it, or refused at the field. */
function expectKeptOrRefused(answer: Answer, text: string, { name, kept }: Place, prefix = '') {
  const told = [text, answer.status, answer.code]
  if (answer.code === 0) {
    expect([...told, kept(memberIn(answer))]).toEqual([text, 200, 0, normal(text)])
  } else if (answer.code === 111103) {
    // The list has its few numbers several times.
    expect([...told, answer.data]).toEqual([text, 200, 111103, { field: name }])
  } else {
    const fields = refusedFields(answer)
    const blamed = fields.every((field) => isAt(field, prefix + name))
    expect([...told, blamed]).toEqual([text, 200, 422, true])
  }
}

const normal = (text: string) => text.normalize('NFC').trim()
const isAt = (field: string, name: string) => field.startsWith(`${name}:`)

async function eachString(work: (text: string) => Promise<void>): Promise<void> {
  for (let n = 0; n < strings.length; n += 20) {
    await Promise.all(strings.slice(n, n + 20).map(work))
  }
}

describe.skipIf(!there)('the naughty strings', () => {
  test.each(places)('are kept or refused as $name of a new member', async (place) => {
    await eachString(async (text) => {
      expectKeptOrRefused(await join(company, token, place.typed(text)), text, place)
    })
  })

  test.each(chosen)('are refused as %s', async (name) => {
    await eachString(async (text) => {
      const answer = await join(company, token, { [name]: text })
      expect([
        text,
        answer.code,
        refusedFields(answer).every((field) => isAt(field, name)),
      ]).toEqual([text, 422, true])
    })
  })

  test('are no calling code of that number', async () => {
    await eachString(async (countryCode) => {
      const answer = await join(company, token, { mobile: '51110001', countryCode })
      const told = refusedFields(answer)
      const blamed = told.every((one) => isAt(one, 'countryCode') || isAt(one, 'mobile'))
      expect([countryCode, answer.code, blamed]).toEqual([countryCode, 422, true])
    })
  })

  test.each(['mobileVerification', 'emailVerification'])('prove nothing as %s', async (name) => {
    await eachString(async (text) => {
      const answer = await join(company, token, { [name]: text })
      expect([text, [422, 112002].includes(answer.code)]).toEqual([text, true])
    })
  })

  test.each(places)('are kept or refused as $name of a member who is there', async (place) => {
    const { memberCode } = memberIn(await join(company, token))
    let version = 1
    for (const text of strings) {
      const input = { memberCode, version, changes: place.typed(text) }
      const answer = await call(company, updateCustomer, input, { token })
      expectKeptOrRefused(answer, text, place, 'changes.')
      if (answer.code === 0) version = memberIn(answer).version
    }
    const member = await ok(company, getOneCustomer, { code: memberCode }, { token })
    expect(member.version).toBe(version)
  })
})
