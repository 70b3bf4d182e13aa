import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { tillside } from '../../testing/command.ts'
import { companyFolder } from '../../testing/factories/folder.ts'

// Company folders as two operators use them: through the command line only.

let home: string
let copy: Awaited<ReturnType<typeof companyFolder>>
const yamlOf = (folder: string) => readFile(join(folder, 'company.yaml'), 'utf8')
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'tillside-revision-'))
})
afterAll(() => rm(home, { recursive: true }))
beforeEach(async () => {
  copy = await companyFolder(home)
  expect(await tillside('company', 'apply', copy.folder)).toMatchObject({ code: 0 })
})

/** Removes a coupon from company.yaml. */
function withoutSaturday(yaml: string): string {
  const at = yaml.indexOf('  - id: SATURDAY\n')
  const end = yaml.slice(at + 4).search(/\n(?= {0,2}\S)/)
  return yaml.slice(0, at) + yaml.slice(at + 4 + end + 1)
}

/** The company as another operator exports it. */
async function exported(name: string): Promise<string> {
  const folder = join(home, name, copy.identifier)
  const { code } = await tillside('company', 'export', copy.identifier, '--to', folder)
  expect(code).toBe(0)
  return folder
}

describe('company export', () => {
  test('leaves nothing when a file of the folder exists already', async () => {
    const folder = join(home, 'existing')
    await mkdir(folder)
    await writeFile(join(folder, 'logo.svg'), 'mine')
    const { code, stderr } = await tillside('company', 'export', copy.identifier, '--to', folder)
    expect(code).toBe(1)
    expect(stderr).toContain('logo.svg')
    expect(await readdir(folder)).toEqual(['logo.svg'])
    expect(await readFile(join(folder, 'logo.svg'), 'utf8')).toBe('mine')
  })

  test('leaves nothing on a full disk', async (context) => {
    const pages = Math.ceil((await yamlOf(await exported('whole'))).length / 4096)
    // The disk is full within company.yaml, and after it.
    for (const size of [pages - 1, pages]) {
      const disk = await mkdtemp(join(home, 'small-'))
      const options = `size=${size * 4}k`
      const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', disk])
      if (status !== 0) return context.skip('Only root can make a small disk.')
      try {
        const folder = join(disk, 'new/folder')
        const full = await tillside('company', 'export', copy.identifier, '--to', folder)
        expect(full).toMatchObject({ code: 1, stdout: '' })
        expect(full.stderr).toContain('ENOSPC')
        expect(await readdir(disk)).toEqual([])
      } finally {
        spawnSync('umount', ['-l', disk])
      }
    }
  })
})

describe('company apply', () => {
  test('writes the revision into the folder, and keeps its comments', async () => {
    expect(await yamlOf(copy.folder)).toMatch(/^revision: 1 #/m)
    await copy.rewrite((yaml) => yaml.replace('#00704a', '#123456'))
    const { stdout } = await tillside('company', 'apply', copy.folder)
    expect(stdout).toContain('1 change, applied as revision 2')
    const yaml = await yamlOf(copy.folder)
    expect(yaml).toMatch(/^revision: 2 #/m)
    expect(yaml).toContain('# A coffee roaster in New York')
    expect(await yamlOf(await exported('after'))).toMatch(/^revision: 2 #/m)
  })

  test('refuses a folder that is older than the company, and names the changes since', async () => {
    const theirs = await exported('theirs')
    await copy.rewrite((yaml) => yaml.replace('#00704a', '#123456'))
    await tillside('company', 'apply', copy.folder, '--by', 'Ann Lee', '--reason', 'new colour')
    const before = await tillside('company', 'export', copy.identifier)
    const file = join(theirs, 'company.yaml')
    await writeFile(
      file,
      (await readFile(file, 'utf8')).replace('sessionHours: 12', 'sessionHours: 8'),
    )
    for (const dryRun of [['--dry-run'], []]) {
      const stale = await tillside('company', 'apply', theirs, '--confirm', ...dryRun)
      expect(stale.code).toBe(1)
      expect(stale.stderr).toContain('company.yaml has revision 1, but')
      expect(stale.stderr).toMatch(/revision 2 .*Ann Lee {2}apply {2}\(new colour\)/)
      expect(stale.stderr).toContain('color "#00704a" → "#123456"')
    }
    // A folder that names no revision is as old as the first one.
    const named = await yamlOf(theirs)
    await writeFile(file, named.replace(/^revision: .*\n/m, ''))
    const nameless = await tillside('company', 'apply', theirs, '--confirm')
    expect([nameless.code, nameless.stderr.includes('has revision 1, but')]).toEqual([1, true])
    await writeFile(file, named)
    const after = await tillside('company', 'export', copy.identifier)
    expect(after).toMatchObject({ code: 0, stdout: before.stdout })
    const over = await tillside('company', 'apply', theirs, '--revision', '2')
    expect(over).toMatchObject({ code: 0 })
    expect(await yamlOf(theirs)).toMatch(/^revision: 3 #/m)
  })

  test('refuses a folder that does not know of a store closed by hand', async () => {
    await tillside('store', 'deactivate', copy.identifier, 'NY002', '--by', 'Ann Lee')
    await copy.rewrite((yaml) => yaml.replace('#00704a', '#123456'))
    const stale = await tillside('company', 'apply', copy.folder)
    expect(stale.code).toBe(1)
    expect(stale.stderr).toMatch(/Ann Lee {2}store\n {4}deactivate store NY002/)
  })

  test('lists what vanishes, and needs --confirm for it', async () => {
    const person = [
      '--first-name',
      'Bo',
      '--last-name',
      'Li',
      '--store',
      'NY002',
      '--group',
      'full',
    ]
    await tillside('staff', 'add', copy.identifier, 'bo', ...person)
    await copy.rewrite((yaml) =>
      withoutSaturday(yaml)
        .replace('languages: [en-US, zh-CN, zh-HK, zh-TW]', 'languages: [en-US, zh-CN, zh-HK]')
        .replace(/(code: NY002\n(?: {4}.*\n)*?)(?= {2}- |\S|\n)/, '$1    active: false\n'),
    )
    const losses = [
      `  company ${copy.identifier}: languages zh-TW\n`,
      '  store NY002 (1 staff account)\n',
      '  coupon SATURDAY\n',
    ]
    const shown = await tillside('company', 'apply', copy.folder, '--dry-run')
    expect(shown.code).toBe(0)
    const refused = await tillside('company', 'apply', copy.folder)
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('Nothing was changed. Add --confirm')
    for (const line of losses) {
      expect(shown.stdout).toContain(line)
      expect(refused.stderr).toContain(line)
    }
    expect(await tillside('company', 'apply', copy.folder, '--confirm')).toMatchObject({ code: 0 })
  })

  test('takes a folder from another database only with --revision', async () => {
    await copy.rewrite((yaml) =>
      yaml.replace(/^revision: 1/m, 'revision: 9').replace('#00704a', '#123456'),
    )
    const { code, stderr } = await tillside('company', 'apply', copy.folder)
    expect([code, stderr.includes('belongs to another database')]).toEqual([1, true])
    const taken = await tillside('company', 'apply', copy.folder, '--revision', '1')
    expect(taken).toMatchObject({ code: 0 })
  })
})

describe('company rollback', () => {
  test('restores the revision before, and can be rolled back itself', async () => {
    const first = (await tillside('company', 'export', copy.identifier)).stdout
    await copy.rewrite((yaml) =>
      withoutSaturday(yaml)
        .replace('#00704a', '#123456')
        .replace("threshold: '1200'", "threshold: '1300'"),
    )
    await tillside('company', 'apply', copy.folder, '--confirm')
    const second = (await tillside('company', 'export', copy.identifier)).stdout

    const back = await tillside('company', 'rollback', copy.identifier, '--by', 'Ann Lee')
    expect(back.code).toBe(0)
    expect(back.stdout).toContain('applied as revision 3')
    const third = (await tillside('company', 'export', copy.identifier)).stdout
    expect(third).toBe(first.replace('revision: 1', 'revision: 3'))

    const forth = ['company', 'rollback', copy.identifier, '--to', '2']
    const refused = await tillside(...forth)
    expect([refused.code, refused.stderr.includes('coupon SATURDAY')]).toEqual([1, true])
    expect(await tillside(...forth, '--confirm')).toMatchObject({ code: 0 })
    const fourth = (await tillside('company', 'export', copy.identifier)).stdout
    expect(fourth).toBe(second.replace('revision: 2', 'revision: 4'))

    const { stdout } = await tillside('company', 'history', copy.identifier, '--json')
    expect(JSON.parse(stdout)).toMatchObject([
      { revision: 1, madeBy: 'apply' },
      { revision: 2, madeBy: 'apply' },
      { revision: 3, madeBy: 'rollback', author: 'Ann Lee' },
      { revision: 4, madeBy: 'rollback' },
    ])
  })

  test('refuses a revision that is not recorded', async () => {
    for (const [options, expected] of [
      [[], `${copy.identifier} has no earlier revision\n`],
      [['--to', '7'], 'revision 7 is not recorded\n'],
      [['--to', 'x'], '--to must be the number of a revision\n'],
    ] as const) {
      const { code, stderr } = await tillside('company', 'rollback', copy.identifier, ...options)
      expect([code, stderr]).toEqual([1, expected])
    }
  })
})
