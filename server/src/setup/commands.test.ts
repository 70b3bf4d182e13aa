import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { projectRoot } from '../process/config.ts'
import { type CommandResult, tillside } from '../testing/command.ts'
import { companyFolder } from '../testing/factories/folder.ts'

// The command line as an operator uses it, with the test run's database.

let home: string
let copy: Awaited<ReturnType<typeof companyFolder>>
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'tillside-command-'))
  copy = await companyFolder(home)
})
afterAll(() => rm(home, { recursive: true }))

async function json(...args: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await tillside(...args, '--json')
  expect(stderr).toBe('')
  expect(code).toBe(0)
  return JSON.parse(stdout)
}

test('company, store, staff, permission and member commands in sequence', async () => {
  const { identifier, folder } = copy
  expect(await json('company', 'apply', folder, '--dry-run')).toMatchObject({ dryRun: true })
  expect(await json('company', 'apply', folder)).toMatchObject({ created: true, revision: 1 })
  const again = await tillside('company', 'apply', folder)
  expect(again).toMatchObject({ code: 0, stdout: `${identifier}: nothing to change\n` })
  expect(await json('company', 'list')).toContainEqual(
    expect.objectContaining({ identifier, revision: 1, stores: 3, members: 0 }),
  )
  expect(await json('company', 'export', identifier)).toMatchObject({ identifier })

  const stores = () => json('store', 'list', identifier)
  await json('store', 'deactivate', identifier, 'NY001')
  expect(await stores()).toContainEqual({ code: 'NY001', name: 'Bryant Park', active: false })
  await json('store', 'activate', identifier, 'NY001')
  expect(await stores()).toContainEqual({ code: 'NY001', name: 'Bryant Park', active: true })

  const person = [
    '--first-name',
    'Ann',
    '--last-name',
    'Lee',
    '--store',
    'NY001',
    '--group',
    'full',
  ]
  const added = await json('staff', 'add', identifier, 'ann', ...person)
  expect(added).toMatchObject({ account: 'ann', password: expect.stringMatching(/^\w{14}$/) })
  await json('staff', 'password', identifier, 'ann', '--password', 'Counter#2026')
  await json('staff', 'disable', identifier, 'ann')
  expect(await json('staff', 'list', identifier)).toEqual([
    expect.objectContaining({ account: 'ann', store: 'NY001', group: 'full', disabled: true }),
  ])
  await json('staff', 'enable', identifier, 'ann')

  expect(await json('permission', 'grant', identifier, 'empty', 'point')).toMatchObject({
    permissions: ['point'],
  })
  expect(await json('permission', 'revoke', identifier, 'empty', 'point')).toMatchObject({
    permissions: [],
  })
  expect(await json('permission', 'list', identifier)).toContainEqual({
    group: 'empty',
    permissions: [],
    menus: [],
  })
  expect(await json('database', 'url')).toEqual({ url: inject('ownerUrl') })
})

test('an error is one line on stderr and exit code 1', async () => {
  const failures: [string[], RegExp][] = [
    [['store', 'list', 'nobody'], /^there is no company "nobody"\n$/],
    [['company', 'apply', 'nowhere'], /company\.yaml does not exist or cannot be read\n$/],
    [['permission', 'grant', copy.identifier, 'full', 'fly'], /^permission must be one of .*\n$/],
    [['member', 'find', 'nobody', 'X', '--reason', 'a call'], /^there is no company "nobody"\n$/],
    [
      ['staff', 'password', copy.identifier, 'ann', '--password', 'short'],
      /^a password must have 8 to/,
    ],
    [['fly'], /unknown command 'fly'/],
  ]
  for (const [words, expected] of failures) {
    const { code, stdout, stderr } = await tillside(...words)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(expected)
  }
})

/** Runs the installed program in a process of its own. */
function run(...words: string[]): Promise<CommandResult> {
  return new Promise((done) => {
    const env = { ...process.env, DATABASE_URL: inject('ownerUrl') }
    const file = join(projectRoot, 'tools/tillside.mjs')
    const child = execFile(process.execPath, [file, ...words], { env }, (_, stdout, stderr) =>
      done({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}

test('the installed program passes on arguments and exit code', async () => {
  expect(await run('--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('company') })
  expect(await run('fly')).toMatchObject({ code: 1, stdout: '' })
})
