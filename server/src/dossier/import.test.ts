import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getOneCustomer, listConsents } from '@tillside/contract/member'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { projectRoot } from '../process/config.ts'
import { statement } from '../database/database.ts'
import { call, logIn, ok, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { tillside } from '../testing/command.ts'
import { contentsOf } from '../testing/contents.ts'
import { importMembers, type RefusedRow } from './import.ts'
import { MemberMapping, readMemberMapping } from './import-mapping.ts'

let company: TestCompany
let token: string
beforeAll(async () => {
  company = await testCompany()
  token = await logIn(company)
})
afterAll(() => company.close())

const mapping = MemberMapping.parse({
  dates: ['YYYY-MM-DD', 'DD/MM/YYYY'],
  callingCode: '852',
  genders: { 女: 'F', 男: 'M' },
  yes: ['Y'],
  language: 'zh-HK',
  columns: {
    memberCode: 'No',
    firstName: 'First',
    lastName: 'Last',
    gender: 'Gender',
    birthday: 'Birthday',
    mobile: 'Mobile',
    email: 'Email',
    country: 'Country',
    city: 'City',
    registrationDate: 'Joined',
    registrationStore: 'Store',
    marketingOptIn: 'News',
    termsVersion: 'Terms',
  },
  customFields: { petName: 'Pet', likes: 'Likes', children: 'Children', paperless: 'Paperless' },
})
const header =
  'No,First,Last,Gender,Birthday,Mobile,Email,Country,City,Joined,Store,News,Terms,' +
  'Pet,Likes,Children,Paperless'

let files = 0
async function fileOf(lines: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tillside-members-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, `${files++}.csv`)
  await writeFile(file, `${[header, ...lines].join('\n')}\n`)
  return file
}

async function importLines(lines: readonly string[], changes: Partial<MemberMapping> = {}) {
  const refused: RefusedRow[] = []
  const file = await fileOf(lines)
  const { database, identifier } = company
  const summary = await importMembers(
    database,
    identifier,
    file,
    { ...mapping, ...changes },
    {
      reject: async (row) => void refused.push(row),
      progress: () => {},
    },
  )
  const reports = refused.map(({ line, memberCode, reason }) => `${line} ${memberCode} ${reason}`)
  return { summary, reports }
}

const readOrigins = statement(
  'select 1 as one from member_origin where company_id = $1',
  z.object({ one: z.int() }),
)

const find = (code: string) => ok(company, getOneCustomer, { code }, { token })

describe('a file of members', () => {
  test('creates complete members, and changes nothing the second time', async () => {
    const lines = [
      'A1,Meiling,Chan,女,28/02/1990,5123 4501,Mei@example.com,HK,810200,2019-05-06,' +
        'S1,Y,1,Wawa,tea|jam,2,Y',
      'A2,志明,陳,男,0000-00-00,+86 139 1234 5678,,,,2020-02-29,,,,,,,',
      'A3,Ann,,,,,ann@example.com,,,2021-01-01,S9,N,2,,,,',
    ]
    const first = await importLines(lines)
    expect(first).toEqual({
      summary: { read: 3, created: 3, unchanged: 0, changed: 0, rejected: 0 },
      reports: [],
    })
    expect(await find('A1')).toMatchObject({
      memberCode: 'A1',
      cardNumber: 'A1',
      firstName: 'Meiling',
      lastName: 'Chan',
      gender: 'F',
      birthday: '1990-02-28',
      countryCode: '852',
      mobile: '51234501',
      email: 'Mei@example.com',
      addressLine: 'Kowloon, Hong Kong',
      registrationDate: '2019-05-06',
      registrationStore: { code: 'S1' },
      tnc: { acceptedVersion: '1', acceptedAt: '2019-05-06T12:00:00Z', needsResign: true },
      marketingOptIn: true,
      customFields: { petName: 'Wawa', likes: ['tea', 'jam'], children: 2, paperless: true },
      tier: { code: 'associate' },
    })
    const { items } = await ok(company, listConsents, { memberCode: 'A1' }, { token })
    expect(items.map(({ kind, agreed, language }) => [kind, agreed, language])).toEqual([
      ['terms', true, 'zh-HK'],
      ['marketing', true, 'zh-HK'],
    ])
    expect(await find('A2')).toMatchObject({
      countryCode: '86',
      mobile: '13912345678',
      birthday: null,
    })
    const before = await contentsOf(company)
    const again = await importLines(lines)
    expect(again.summary).toEqual({ read: 3, created: 0, unchanged: 3, changed: 0, rejected: 0 })
    expect(await contentsOf(company)).toEqual(before)
  })

  test('reports the reason for each rejected row, and imports the others', async () => {
    await importLines(['B0,Ben,,,,51234600,ben@example.com,,,2020-01-01,,,,,,,'])
    const pairs: [row: string, reason: string | null][] = [
      ['B1,Mei,,,,51234601,,,,2020-01-01,,,,,,,', null],
      ['B1,Mei,,,,51234601,,,,2020-01-01,,,,,,,', null],
      [
        'B1,May,,,,51234601,,,,2020-01-01,,,,,,,',
        'the member exists already, with different content',
      ],
      [
        'B0,Bea,,,,51234600,,,,2020-01-01,,,,,,,',
        'the member exists already, with different content',
      ],
      ['B2,Mei,,,,+852 5123 4600,,,,2020-01-01,,,,,,,', 'the mobile belongs to another member'],
      ['B3,Mei,,,,51234601,,,,2020-01-01,,,,,,,', 'the mobile belongs to another member'],
      ['B4,Mei,,,,,BEN@example.com,,,2020-01-01,,,,,,,', 'the email belongs to another member'],
      [',Mei,,,,,,,,2020-01-01,,,,,,,', 'memberCode: is empty'],
      ['B5,,,,,,,,,2020-01-01,,,,,,,', 'firstName: is empty'],
      ['B6,Mei,,,,11112222,,,,2020-01-01,,,,,,,', 'mobile: "11112222" is not a valid number'],
      ['B7,Mei,,,,,nobody,,,2020-01-01,,,,,,,', 'email: "nobody" is not a valid address'],
      [
        'B8,Mei,,,31/02/1990,,,,,2020-01-01,,,,,,,',
        'birthday: "31/02/1990" does not match any date format',
      ],
      ['B9,Mei,,,2990-01-01,,,,,2020-01-01,,,,,,,', 'birthday: 2990-01-01 is in the future'],
      ['C0,Mei,,X,,,,,,2020-01-01,,,,,,,', 'gender: "X" is not in the mapping'],
      ['C1,Mei,,,,,,,,2020-01-01,S7,,,,,,', 'registrationStore: there is no store "S7"'],
      ['C2,Mei,,,,,,,,,,,,,,,', 'registrationDate: is empty'],
      ['C3,Mei,,,,,,,,2020-01-01,,,,,rum,,', 'likes: "rum" is refused: notAllowed'],
      ['C4,Mei,,,,,,,,2020-01-01,,,,,,two,', 'children: "two" is refused: wrongType'],
      ['C-5,Mei,,,,,,,,2020-01-01,,,,,,,', 'memberCode: The format is not correct.'],
      ['D1,Mei,,,,,,Nowhere,,2020-01-01,,,,,,,', 'country: "Nowhere" is refused: notAllowed'],
      ['D2,Mei,,,,,,HK,Atlantis,2020-01-01,,,,,,,', 'city: "Atlantis" is refused: notAllowed'],
      ['D3,Mei,,,,,,,810200,2020-01-01,,,,,,,', 'country: "" is refused: required'],
      [`D4,Mei,,,,,,US,${'x'.repeat(121)},2020-01-01,,,,,,,`, 'address.city: This is too long.'],
      [
        'D5,Mei,,,,,,US,a\u202eb,2020-01-01,,,,,,,',
        'address.city: Some characters can’t be used here.',
      ],
      ['C6,Mei', 'has 2 cells where the header has 17'],
      ['C7,Mei,,,,,,,,2020-01-01,,,,,,,', null],
    ]
    const { summary, reports } = await importLines(pairs.map(([row]) => row))
    expect(reports).toEqual(
      pairs.flatMap(([row, reason], index) =>
        reason === null ? [] : [`${index + 2} ${row.split(',', 1)[0]} ${reason}`],
      ),
    )
    expect(summary).toEqual({ read: 26, created: 2, unchanged: 1, changed: 2, rejected: 21 })
  })

  test('of several packs is imported completely, and once by two concurrent imports', async () => {
    const lines = Array.from(
      { length: 1201 },
      (_, n) => `P${n},Mei,,,,,p${n}@example.com,,,2020-01-01,,,,,,,`,
    )
    const [one, two] = await Promise.all([importLines(lines), importLines(lines)])
    expect(one.summary.created + two.summary.created).toBe(1201)
    expect(one.summary.read + two.summary.read).toBe(2402)
    const again = await importLines(lines)
    expect(again.summary).toMatchObject({ unchanged: 1201, created: 0 })
    expect((await find('P1200')).email).toBe('p1200@example.com')
  })

  test('creates no erased member again, and stores nothing of their row', async () => {
    const line = 'E1,Mei,,,,51234701,,,,2020-01-01,,,,,,,'
    await importLines([line, 'E2,Ann,,,,51234702,,,,2020-01-01,,,,,,,'])
    const { database, id } = company
    const origins = () =>
      database.transaction(id, async (tx) => (await tx.all(readOrigins, [id])).length)
    const before = await origins()
    const { code } = await tillside(
      'member',
      'erase',
      company.identifier,
      'E1',
      '--yes',
      '--reason',
      'asked for',
    )
    expect([code, await origins()]).toEqual([0, before - 1])
    expect(await importLines([line, line.replace('E1', 'e1')])).toEqual({
      summary: { read: 2, created: 0, unchanged: 0, changed: 0, rejected: 2 },
      reports: [
        '2 E1 the member was erased and is not created again',
        '3 e1 the member was erased and is not created again',
      ],
    })
    expect((await call(company, getOneCustomer, { code: 'E1' }, { token })).code).toBe(111102)
  })

  test('names missing columns and fields', async () => {
    const customFields = { shoe: 'Shoe' }
    await expect(importLines([], { customFields })).rejects.toThrow('the file has no column Shoe')
    await expect(importLines([], { customFields: { shoe: 'Pet' } })).rejects.toThrow(
      'the company has no field shoe',
    )
  })

  test('is imported by the command, which writes the rejected rows', async () => {
    const file = await fileOf([
      'D1,Mei,,,,,,,,2020-01-01,,,,,,,',
      'D2,"Mei, the ""second""",,,,nonsense,,,,2020-01-01,,,,,,,',
    ])
    const yaml = `${file}.yaml`
    await writeFile(
      yaml,
      "callingCode: '852'\n" +
        'columns: { memberCode: No, firstName: First, mobile: Mobile, registrationDate: Joined }\n',
    )
    const rejected = `${file}.rejected.csv`
    const words = [
      'member',
      'import',
      file,
      '--company',
      company.identifier,
      '--mapping',
      yaml,
      '--reason',
      'old system',
    ]
    const { code, stdout, stderr } = await tillside(...words, '--rejected', rejected, '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      read: 2,
      created: 1,
      rejected: 1,
      rejectedFile: rejected,
    })
    expect([code, stderr]).toEqual([1, `1 row was not imported; see ${rejected}\n`])
    const wrong = await tillside(
      ...words.slice(0, 5),
      '--mapping',
      join(projectRoot, 'package.json'),
      '--reason',
      'old system',
    )
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('package.json: ')])
    expect((await call(company, getOneCustomer, { code: 'D2' }, { token })).code).toBe(111102)
  })

  test('can use the example mapping in companies/mappings', async () => {
    const file = join(projectRoot, 'companies/mappings/members.yaml')
    expect((await readMemberMapping(file)).columns.memberCode).toBe('MemberNo')
  })
})
