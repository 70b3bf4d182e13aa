import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { projectRoot } from './process/config.ts'
import { withoutWaits } from './process/wait.ts'

// The command line as an operator calls it, in a clone without data.
let folder: string
let owner: pg.Client
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillside-clone-'))
  for (const part of ['server/src', 'server/migrations', 'server/package.json', 'tools']) {
    await cp(join(projectRoot, part), join(folder, part), { recursive: true })
  }
  await symlink(join(projectRoot, 'node_modules'), join(folder, 'node_modules'))
  owner = new pg.Client({ connectionString: inject('ownerUrl') })
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await rm(folder, { recursive: true, force: true })
})

type Environment = { DATABASE_URL?: string; DATA_DIR?: string; PORT?: string }

function tillside(words: string[], environment: Environment) {
  const { PATH = '', HOME = '' } = process.env
  const command = join(folder, 'tools/tillside.mjs')
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...words], {
    cwd: tmpdir(),
    encoding: 'utf8',
    // The clone shares the compiled code of this repository.
    env: { PATH, HOME, NODE_COMPILE_CACHE_PORTABLE: '1', ...environment },
  })
  return { code: status, stdout, stderr: withoutWaits(stderr) }
}

describe('a command', () => {
  test('prints its database without a secret, and its result alone on standard output', () => {
    const { host, pathname, password } = new URL(inject('ownerUrl'))
    const list = ['company', 'list', '--json']
    const { code, stdout, stderr } = tillside(list, { DATABASE_URL: inject('ownerUrl') })
    expect([code, stderr]).toEqual([0, `Database: ${host}${pathname}\n`])
    expect(Array.isArray(JSON.parse(stdout))).toBe(true)
    expect(stderr).not.toContain(password)
  })

  test.each([
    ['doctor'],
    ['company', 'list'],
    ['company', 'apply', join(projectRoot, 'companies/aurora')],
  ])('without a configured database refuses: %s', (...words: string[]) => {
    const stderr = 'no database: set DATABASE_URL or DATA_DIR\n'
    expect(tillside(words, {})).toEqual({ code: 2, stdout: '', stderr })
    expect(existsSync(join(folder, 'data'))).toBe(false)
  })

  test('with a folder that has no database creates none', () => {
    const place = join(folder, 'mistyped')
    const { code, stderr } = tillside(['company', 'list'], { DATA_DIR: place })
    expect(code).toBe(2)
    expect(stderr).toMatch(`there is no database in DATA_DIR=${place}; start Tillside, or`)
    expect(existsSync(place)).toBe(false)
  })

  test('with a wrong value says which values are allowed', () => {
    const stderr = 'PORT is not a valid value: it must be a port number from 0 to 65535\n'
    expect(tillside(['company', 'list'], { PORT: 'http' })).toEqual({ code: 1, stdout: '', stderr })
  })
})

async function withNewDatabase(work: (url: URL, client: pg.Client) => Promise<void>) {
  const name = `new_${randomUUID().replaceAll('-', '')}`
  await owner.query(`create database ${name}`)
  const url = new URL(inject('ownerUrl'))
  url.pathname = `/${name}`
  const client = new pg.Client({ connectionString: url.href })
  try {
    await client.connect()
    await work(url, client)
  } finally {
    await client.end()
    await owner.query(`drop database ${name} with (force)`)
  }
}

describe('an empty database', () => {
  test.each([['doctor'], ['company', 'apply', join(projectRoot, 'companies/aurora'), '--dry-run']])(
    'is named with exit code 2 and stays empty: %s',
    async (...words: string[]) => {
      await withNewDatabase(async (url, client) => {
        const { code, stdout, stderr } = tillside(words, { DATABASE_URL: url.href })
        expect([code, stdout]).toEqual([2, ''])
        expect(stderr).toBe(
          `Database: ${url.host}${url.pathname}\nthe database is empty; ` +
            'start Tillside, or run tillside company apply, to fill it\n',
        )
        const { rowCount } = await client.query(
          `select from pg_class where relnamespace = 'public'::regnamespace`,
        )
        expect(rowCount).toBe(0)
      })
    },
  )
})

describe('a database whose schema is older than the program', () => {
  test('is migrated by no command but database migrate', { timeout: 60_000 }, async () => {
    await withNewDatabase(async (url, client) => {
      const environment = { DATABASE_URL: url.href }
      const line = `Database: ${url.host}${url.pathname}\n`
      const quiet = { code: 0, stdout: '', stderr: line }
      expect(tillside(['database', 'migrate'], environment)).toEqual(quiet)

      const names = 'select name, applied_at from schema_migration order by name'
      const before = (await client.query(names)).rows
      await client.query(
        'delete from schema_migration where name = (select max(name) from schema_migration)',
      )
      const older =
        'the database’s schema is older than this program; ' +
        'start Tillside, or run tillside database migrate, to migrate it\n'
      for (const words of [
        ['doctor'],
        ['company', 'apply', join(projectRoot, 'companies/aurora'), '--dry-run'],
      ]) {
        expect(tillside(words, environment)).toEqual({ code: 1, stdout: '', stderr: line + older })
      }
      expect(tillside(['database', 'url'], environment).stdout).toBe(`${url.href}\n`)
      expect((await client.query(names)).rows).toEqual(before.slice(0, -1))
    })
  })
})
