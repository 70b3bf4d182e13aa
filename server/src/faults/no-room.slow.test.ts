import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { projectRoot } from '../process/config.ts'

// A disk in memory that is too small for a database. no-room.long.test.ts has a disk that gets full
// while a server runs.
const disk = await mkdtemp(join(tmpdir(), 'tillside-small-'))
const mounting = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=20m,mode=0711', 'tmpfs', disk])
const isMounted = mounting.status === 0
if (!isMounted) {
  console.warn('NOT TESTED: a disk without space. Only root can make a small one.')
  await rm(disk, { recursive: true })
}

const { PATH = '', HOME = '' } = process.env
const environment = { PATH, HOME, DATA_DIR: join(disk, 'data'), NODE_ENV: 'production' }

describe.skipIf(!isMounted)('a disk without space', () => {
  afterAll(async () => {
    spawnSync('umount', ['-l', disk])
    await rm(disk, { recursive: true, force: true })
  })

  test('fails a first start in one line, and leaves nothing half made', async () => {
    const program = join(projectRoot, 'tools/tillside.mjs')
    const words = ['company', 'apply', join(projectRoot, 'companies/aurora')]
    const { status, stderr } = spawnSync(process.execPath, [program, ...words], {
      env: environment,
      encoding: 'utf8',
    })
    expect(status).toBe(1)
    expect(stderr).toMatch(
      /^Database: .*\nPostgreSQL could not create a database .*: the disk is full\n$/,
    )
    expect((await readdir(join(disk, 'data/postgres'))).toSorted()).toEqual(['leases', 'start'])
  }, 60_000)
})
