import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { couponCodeDetail } from '@tillside/contract/coupon'
import { getPermission } from '@tillside/contract/company'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { tillside } from '../../testing/command.ts'
import {
  call,
  logIn,
  password,
  testCompany,
  type TestCompany,
} from '../../testing/factories/company.ts'

let company: TestCompany
let home: string
beforeAll(async () => {
  company = await testCompany()
  home = await mkdtemp(join(tmpdir(), 'tillside-roster-'))
})
afterAll(async () => {
  await company.close()
  await rm(home, { recursive: true })
})

const Accounts = z.array(
  z.object({ account: z.string(), store: z.string(), group: z.string(), lastName: z.string() }),
)
async function accounts() {
  const { stdout } = await tillside('staff', 'list', company.identifier, '--json')
  return Accounts.parse(JSON.parse(stdout))
}

/** Adds an account with all permissions at store S1. */
async function clerk(account: string): Promise<void> {
  const names = ['--first-name', 'Eve', '--last-name', 'Wu', '--store', 'S1', '--group', 'full']
  const secret = ['--password', password]
  const { code } = await tillside('staff', 'add', company.identifier, account, ...names, ...secret)
  expect(code).toBe(0)
}

describe('staff move', () => {
  test('moves an account to another store, and ends its sessions', async () => {
    await clerk('eve')
    const token = await logIn(company, 'eve')
    const moved = await tillside('staff', 'move', company.identifier, 'EVE', '--store', 'S2')
    expect(moved).toMatchObject({
      code: 0,
      stdout: `eve of ${company.identifier}: store S1 → S2\n`,
      notices: expect.stringMatching(/^Recorded as done by \S/m),
    })
    expect((await call(company, getPermission, {}, { token })).status).toBe(401)
    expect(await accounts()).toContainEqual(
      expect.objectContaining({ account: 'eve', store: 'S2' }),
    )
    await logIn(company, 'eve')
  })

  test.each([
    ['nobody', 'S1', 'there is no account "nobody"\n'],
    ['amy', 'S77', 'there is no store "S77"\n'],
  ])('refuses %s to %s', async (account, store, message) => {
    const { code, stderr } = await tillside(
      'staff',
      'move',
      company.identifier,
      account,
      '--store',
      store,
    )
    expect([code, stderr]).toEqual([1, message])
  })
})

describe('staff promote', () => {
  test('changes the permissions, which open sessions notice as 10000', async () => {
    await clerk('fay')
    const token = await logIn(company, 'fay')
    const words = ['staff', 'promote', company.identifier, 'fay', '--group']
    expect(await tillside(...words, 'viewer')).toMatchObject({
      code: 0,
      stdout: `fay of ${company.identifier}: group full → viewer\n`,
    })
    const input = { couponCode: 'NONE' }
    expect((await call(company, couponCodeDetail, input, { token })).code).toBe(10000)
    const { data } = await call(company, getPermission, {}, { token })
    const names = getPermission.data.parse(data).appMenus.map(({ identifier }) => identifier)
    expect(names).not.toContain('couponRedeem')
    expect(await tillside(...words, 'none')).toMatchObject({
      code: 1,
      stderr: 'there is no group "none"\n',
    })
  })
})

describe('staff import', () => {
  let file: string
  beforeEach(() => {
    file = join(home, `${crypto.randomUUID()}.csv`)
  })
  const header = 'account,firstName,lastName,store,group'
  async function run(lines: readonly string[], ...options: string[]) {
    await writeFile(file, `${lines.join('\n')}\n`)
    return tillside('staff', 'import', company.identifier, file, ...options)
  }

  test('adds accounts with generated or given passwords, and changes nothing again', async () => {
    const lines = [
      `${header},password`,
      'gil,Gil,Ng,S1,full,',
      'hana,Hana,Sato,S2,viewer,Mount#Fuji7',
    ]
    const { code, stdout } = await run(lines, '--json')
    expect(code).toBe(0)
    const { added } = z
      .object({
        added: z.array(z.object({ account: z.string(), password: z.nullable(z.string()) })),
      })
      .parse(JSON.parse(stdout))
    expect(added.map(({ account }) => account)).toEqual(['gil', 'hana'])
    expect(added[0]?.password).toMatch(/^\w{14}$/)
    expect(added[1]?.password).toBeNull()
    expect(await accounts()).toContainEqual(
      expect.objectContaining({ account: 'hana', lastName: 'Sato', store: 'S2', group: 'viewer' }),
    )
    const again = await run(lines)
    expect(again.stdout).toBe('2 rows: 0 accounts added, 2 unchanged\n')
  })

  test('names every refused line, and then adds nobody', async () => {
    const before = await accounts()
    const { code, stdout, stderr } = await run([
      header,
      'ida,Ida,Lim,S1,full',
      'jon,Jon,Ho,S99,full',
      'kim,Kim,Yu,S1,boss',
      'a b,Lee,Yu,S1,full',
      'IDA,Ida,Lim,S1,full',
      'amy,Other,Name,S1,full',
      'lou,,Chan,S1,full',
    ])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr.split('\n')).toEqual([
      'line 3: there is no store "S99"',
      'line 4: there is no group "boss"',
      'line 5: an account name has 1 to 64 letters, digits and . _ @ -',
      'line 6: the same account as in line 2',
      'line 7: the account "amy" exists already with other data',
      'line 8: first name and last name are needed',
      'Nothing was imported.',
      '',
    ])
    expect(await accounts()).toEqual(before)
  })

  test.each([
    ['a missing column', ['account,store', 'ann,S1'], 'the file has no column firstName, lastName'],
    ['a short row', [header, 'ann,Ann'], 'line 2: '],
    ['a common password', [`${header},password`, 'ann,Ann,Ho,S1,full,password1'], 'too common'],
    ['no rows', [header], 'the file has no rows'],
  ])('refuses %s', async (_, lines, message) => {
    const { code, stderr } = await run(lines)
    expect([code, stderr.includes(message)]).toEqual([1, true])
  })
})
