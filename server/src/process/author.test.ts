import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { tillside } from '../testing/command.ts'
import { testMember } from '../testing/factories/member.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'

let shop: Shop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop.close())
afterEach(() => vi.unstubAllEnvs())

const readAudit = statement(
  `select action, author, reason from audit
   where company_id = $1 and staff_id is null and at > $2 order by audit_id`,
  z.object({ action: z.string(), author: z.nullable(z.string()), reason: z.nullable(z.string()) }),
)
const began = new Date().toISOString()
const audits = () => shop.database.reading(shop.id, (tx) => tx.all(readAudit, [shop.id, began]))

/** The names of the commands in a help text. */
async function commandsOf(...words: string[]): Promise<string[]> {
  const { stdout } = await tillside(...words, '--help')
  const [, list = ''] = stdout.split('\nCommands:\n')
  return [...list.matchAll(/^ {2}([a-z-]+)/gm)].flatMap(([, name = '']) =>
    name === 'help' ? [] : [name],
  )
}

async function everyCommand(...words: string[]): Promise<string[]> {
  const names = await commandsOf(...words)
  if (names.length === 0) return [words.join(' ')]
  const nested = []
  for (const name of names) nested.push(...(await everyCommand(...words, name)))
  return nested
}

// They change nothing in a company and show no personal data.
const unrecorded = [
  'company list',
  'company export',
  'company history',
  'company rules',
  'company schema',
  'store list',
  'staff list',
  'permission list',
  'key list',
  'webhook list',
  'webhook log',
  'webhook test',
  'points report',
  'points closed',
  'jobs run outbox',
  'doctor',
  'database url',
  'database migrate',
  'database distribute',
  'database backup',
  'database restore',
]
const needsReason = [
  'member find',
  'member export',
  'member erase',
  'member merge',
  'member unmerge',
  'member import',
  'coupon void',
  'coupon import',
  'points adjust',
  'transaction import',
]

test('every act takes --by, and acts on value and privacy need a reason', async () => {
  const commands = await everyCommand()
  expect(commands.length).toBeGreaterThan(30)
  expect(commands).toEqual(expect.arrayContaining([...unrecorded, ...needsReason]))
  for (const command of commands) {
    const { stdout } = await tillside(...command.split(' '), '--help')
    expect([command, stdout.includes('--by <name>')]).toEqual([
      command,
      !unrecorded.includes(command),
    ])
  }
  for (const command of needsReason) {
    // Enough words for the arguments of each.
    const { code, stderr } = await tillside(...command.split(' '), ...required(command))
    expect([command, code, stderr]).toEqual([command, 1, expect.stringContaining("'--reason")])
  }
})

/** The arguments and options of a command, without the reason. */
function required(command: string): string[] {
  if (command === 'points adjust') {
    return ['--company=x', '--member=x', '--points=1', '--type=adjustmentUp']
  }
  if (command === 'coupon import' || command === 'member merge') return ['x', 'x', 'x']
  const isImport = command.endsWith(' import')
  return isImport ? ['x', '--company=x', '--mapping=x'] : ['x', 'x']
}

describe('the author of a command', () => {
  test('is --by, or else the person of the environment, and is printed and recorded', async () => {
    const { memberCode } = await testMember(shop)
    const find = ['member', 'find', shop.identifier, memberCode, '--reason', "a call of O'Neill"]
    const named = await tillside(...find, '--by', '陳美玲')
    expect(named).toMatchObject({ code: 0, notices: expect.stringContaining('by 陳美玲\n') })
    vi.stubEnv('SUDO_USER', 'ann')
    expect((await tillside(...find)).notices).toContain('by ann\n')
    vi.stubEnv('TILLSIDE_BY', 'Ann Lee')
    expect((await tillside(...find)).notices).toContain('by Ann Lee\n')
    expect((await audits()).slice(-3)).toEqual(
      ['陳美玲', 'ann', 'Ann Lee'].map((author) => ({
        action: 'member.find',
        author,
        reason: "a call of O'Neill",
      })),
    )
  })

  test.each([
    ['--by', ' '],
    ['--by', 'x'.repeat(101)],
    ['--reason', ' '],
    ['--reason', 'x'.repeat(201)],
  ])('refuses an invalid %s', async (option, value) => {
    const words = ['store', 'deactivate', shop.identifier, 'S2', option, value]
    const { code, stderr } = await tillside(...words)
    expect([code, stderr]).toEqual([1, expect.stringMatching(`^${option} must be a `)])
  })

  test('is in every audit row of every act', async () => {
    const { identifier: it } = shop
    const { memberCode } = await testMember(shop)
    const person = ['--first-name', 'Bo', '--last-name', 'Li', '--store', 'S1', '--group', 'full']
    const acts = [
      ['store', 'deactivate', it, 'S2'],
      ['store', 'activate', it, 'S2'],
      ['permission', 'revoke', it, 'full', 'coupon'],
      ['staff', 'add', it, 'bo', ...person],
      ['staff', 'password', it, 'bo'],
      ['staff', 'promote', it, 'bo', '--group', 'viewer'],
      ['staff', 'move', it, 'bo', '--store', 'S2'],
      ['staff', 'disable', it, 'bo'],
      ['staff', 'enable', it, 'bo'],
      ['link', 'create', '--company', it, '--staff', 'bo'],
      ['key', 'create', it, '--name', 'till', '--scope', 'members:read'],
      ['coupon', 'stop', it, 'TREAT'],
      ['coupon', 'resume', it, 'TREAT'],
      ['points', 'adjust', '--company', it, '--member', memberCode, '--points', '5'].concat([
        '--type',
        'adjustmentUp',
      ]),
      ['member', 'export', it, memberCode],
      ['member', 'erase', it, memberCode, '--yes'],
    ]
    const before = (await audits()).length
    for (const words of acts) {
      const { code, stderr } = await tillside(...words, '--by', 'Ann Lee', '--reason', 'a test')
      expect([words, code, stderr]).toEqual([words, 0, words[1] === 'erase' ? stderr : ''])
    }
    const rows = (await audits()).slice(before)
    expect(rows.length).toBeGreaterThanOrEqual(acts.length)
    for (const row of rows) {
      // The reasons about an erased member go with the member; that of the erasure stays.
      const reason = /^(points|member)\.(adjust|export)$/.test(row.action) ? null : 'a test'
      expect(row).toEqual({ action: row.action, author: 'Ann Lee', reason })
    }
  })
})
