import { searchByName, updateCustomer } from '@tillside/contract/member'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../../database/database.ts'
import { runJob } from '../../jobs/job.ts'
import { namesJob } from '../../jobs/names.ts'
import { tillside } from '../../testing/command.ts'
import { call, logIn, ok, testCompany, type TestCompany } from '../../testing/factories/company.ts'
import { testMember } from '../../testing/factories/member.ts'

const log = pino({ level: 'silent' })
let company: TestCompany
let token: string
const codes: Record<string, string> = {}
beforeAll(async () => {
  const profileFields = { shown: [], editable: ['firstName', 'lastName'] }
  company = await testCompany({ profileFields })
  token = await logIn(company)
  for (const [firstName, lastName] of [
    ['Grace', 'Lee'],
    ['Graham', 'O’Neill'],
    ['美玲', '陳'],
    ['美玲', '陈'],
    ['志強', '歐陽'],
  ] as const) {
    const mobile = { countryCode: '852', mobile: `9${Math.random().toString().slice(2, 9)}` }
    const member = await testMember(company, { firstName, lastName, ...mobile })
    codes[`${firstName} ${lastName}`] = member.memberCode
  }
})
afterAll(() => company.close())

const search = (name: string, of = company, as = token) =>
  call(of, searchByName, { name }, { token: as })
const found = async (name: string) => {
  const { items } = await ok(company, searchByName, { name }, { token })
  return items.map(({ memberCode }) => memberCode)
}
const count = (sql: string, of = company) =>
  of.database.transaction(of.id, async (tx) => {
    const row = await tx.one(statement(sql, z.object({ n: z.int() })), [of.id])
    return row.n
  })
const keys = 'select count(*)::int as n from member_name_key where company_id = $1'
const audits = `select count(*)::int as n from audit
  where company_id = $1 and action = 'member.searchByName'`

describe('a search by name', () => {
  test.each([
    ['gra', ['Grace Lee', 'Graham O’Neill']],
    ['GRACE', ['Grace Lee']],
    ['ｇｒａｃｅ', ['Grace Lee']],
    ['lee', ['Grace Lee']],
    ['Grace Lee', ['Grace Lee']],
    ['lee grace', ['Grace Lee']],
    ['oneill', ['Graham O’Neill']],
    ['美玲', ['美玲 陳', '美玲 陈']],
    ['陈美', ['美玲 陳', '美玲 陈']],
    ['陳美', ['美玲 陳', '美玲 陈']],
    ['cml', ['美玲 陳', '美玲 陈']],
    ['CM', ['美玲 陳', '美玲 陈']],
    ['欧阳', ['志強 歐陽']],
    ['oyzq', ['志強 歐陽']],
    ['race', []],
    ['阳志', []],
  ])('finds by %s', async (typed, names) => {
    expect((await found(typed)).sort()).toEqual(names.map((name) => codes[name] ?? '').sort())
  })

  test('answers masked names and numbers only', async () => {
    const { data } = await search('grace')
    expect(data).toEqual({
      items: [
        {
          memberCode: codes['Grace Lee'],
          name: 'G•••e',
          countryCode: '852',
          mobile: expect.stringMatching(/^•+ ?\d{4}$/),
        },
      ],
      more: false,
    })
  })

  test('writes an audit row for each use, without the name', async () => {
    const shop = await testCompany()
    const amy = await logIn(shop)
    for (const name of ['grace', 'nobody']) await search(name, shop, amy)
    await vi.waitFor(async () => expect(await count(audits, shop)).toBe(2))
    expect(await count(`${audits} and details - 'search' <> '{"found": 0}'`, shop)).toBe(0)
    await shop.close()
  })

  test('answers 20 members at most', async () => {
    for (let n = 0; n < 23; n++) {
      await testMember(company, { firstName: `Ulf${n % 3}`, lastName: 'Quill' })
    }
    const answer = await ok(company, searchByName, { name: 'quill' }, { token })
    expect([answer.items.length, answer.more]).toEqual([20, true])
    expect(new Set(answer.items.map(({ memberCode }) => memberCode)).size).toBe(20)
  })
})

describe('a search that cannot be', () => {
  test.each([
    ['one letter', 'g', 111106],
    ['one Chinese character', '陈', 111106],
    ['one letter and punctuation', 'g. -’', 111106],
    ['an emoji', '🎂🎂🎂', 111106],
    ['a wildcard', '%', 111107],
    ['a wildcard in a name', 'gra%', 111107],
    ['an underscore', '__', 111107],
    ['1,000 characters', 'g'.repeat(1000), 111107],
    ['10,000 characters', 'g'.repeat(10_000), 422],
    ['nothing', '', 422],
    ['control characters', 'gra\u0000ce', 422],
  ])('is refused: %s', async (_, name, code) => {
    const before = await count(keys)
    const answer = await search(name)
    expect(answer.code).toBe(code)
    expect(answer.message).not.toBe('')
    expect(await count(keys)).toBe(before)
  })

  test('says what to type', async () => {
    expect((await search('g')).message).toBe('Type at least two characters of the name.')
    expect((await search('%')).message).toMatch(/^Type the beginning of a name: at most 60/)
  })

  test('without the permission is refused', async () => {
    const ben = await logIn(company, 'ben')
    expect((await search('grace', company, ben)).code).toBe(10000)
  })
})

describe('the keys of names', () => {
  test('are of one company', async () => {
    const other = await testCompany()
    await testMember(other, { firstName: 'Gracelyn', lastName: 'Other' })
    const foreign = await logIn(other)
    const { data } = await search('grace', other, foreign)
    expect(data).toMatchObject({ items: [{ name: 'G•••r' }], more: false })
    await other.close()
  })

  test('follow a change of the name', async () => {
    const { memberCode } = await testMember(company, { firstName: 'Petra', lastName: 'Before' })
    expect(await found('before')).toEqual([memberCode])
    const changes = { firstName: 'Petra', lastName: 'Afterwards' }
    const answer = await call(
      company,
      updateCustomer,
      { memberCode, version: 1, changes },
      { token },
    )
    expect(answer.code).toBe(0)
    expect(await found('before')).toEqual([])
    expect(await found('afterw')).toEqual([memberCode])
  })

  test('are gone after an erasure', async () => {
    const { id, memberCode } = await testMember(company, { firstName: 'Xaver', lastName: 'Gone' })
    expect(await found('xaver')).toEqual([memberCode])
    const reason = ['--reason', 'request 1', '--yes']
    const { code } = await tillside('member', 'erase', company.identifier, memberCode, ...reason)
    expect(code).toBe(0)
    expect(await found('xaver')).toEqual([])
    expect(await count(`${keys} and member_id = '${id}'`)).toBe(0)
  })

  test('do not find a member that was merged into another', async () => {
    const kept = await testMember(company, { firstName: 'Ruth', lastName: 'Keeper' })
    const merged = await testMember(company, { firstName: 'Ruth', lastName: 'Keepers' })
    expect(await found('keeper')).toHaveLength(2)
    const reason = ['--by', 'Ann Lee', '--reason', 'one person']
    const of = ['member', 'merge', company.identifier, kept.memberCode, merged.memberCode]
    expect(await tillside(...of, ...reason, '--confirm')).toMatchObject({ code: 0 })
    expect(await found('keeper')).toEqual([kept.memberCode])
    const back = ['member', 'unmerge', company.identifier, merged.memberCode]
    expect(await tillside(...back, ...reason)).toMatchObject({ code: 0 })
    expect(await found('keeper')).toHaveLength(2)
  })

  test('are written by the job after the permission was granted, and deleted with it', async () => {
    const shop = await testCompany({
      groups: [
        { code: 'full', permissions: ['coupon'], menus: ['member'] },
        { code: 'viewer', permissions: [], menus: ['member'] },
        { code: 'empty', permissions: [], menus: [] },
      ],
    })
    const ids = []
    for (let n = 0; n < 3; n++) ids.push(await testMember(shop, { lastName: `Walker${n}` }))
    expect(await count(keys, shop)).toBe(0)
    const run = () => runJob(shop.database, shop.id, namesJob, log, { now: true })
    expect(await run()).toEqual({ done: 0, outcome: 'finished' })
    const grant = (verb: string) =>
      tillside('permission', verb, shop.identifier, 'full', 'homeMemberSearchByName')
    expect(await grant('grant')).toMatchObject({ code: 0 })
    expect(await run()).toEqual({ done: 3, outcome: 'finished' })
    expect(await run()).toEqual({ done: 0, outcome: 'finished' })
    const amy = await logIn(shop)
    expect((await search('walker', shop, amy)).data).toMatchObject({ more: false })
    expect(await count(keys, shop)).toBeGreaterThan(0)
    expect(await grant('revoke')).toMatchObject({ code: 0 })
    await run()
    expect(await count(keys, shop)).toBe(0)
    await shop.close()
  })
})
