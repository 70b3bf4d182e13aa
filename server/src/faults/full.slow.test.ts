import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Clerks } from './clerks.ts'
import { allWell, embeddedShop, type FaultShop, hookMs, seed, settle } from './counter.ts'
import { takesOneRoundTrip } from '../testing/factories/company.ts'
import { atLevel } from '../testing/repetition.ts'
import { Watch } from './watch.ts'

// A disk of 250 MB, in memory, which the test fills completely.
const fullSeconds = atLevel({ short: 2, full: 5, long: 30 })
const megabyte = 1024 * 1024

const disk = await mkdtemp(join(tmpdir(), 'tillside-disk-'))
const mounting = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=250m', 'tmpfs', disk])
const isMounted = mounting.status === 0
if (!isMounted) {
  console.warn('NOT TESTED: a full disk. Only root can make a small one (mount -t tmpfs).')
  await rm(disk, { recursive: true })
}

describe.skipIf(!isMounted)('a disk', () => {
  let at: FaultShop
  beforeAll(async () => {
    at = await embeddedShop(disk, 1)
  }, hookMs)
  afterAll(async () => {
    await at?.close()
    spawnSync('umount', ['-l', disk])
    await rm(disk, { recursive: true, force: true })
  }, hookMs)

  test(
    `that is full for ${fullSeconds} seconds fails requests and loses nothing (seed ${seed})`,
    async () => {
      const { counter, fleet } = at
      const clerks = new Clerks(counter, () => fleet.addresses())
      void clerks.work(4, seed)
      const watch = new Watch(fleet.addresses()[0] ?? '', counter)
      await watch.works()
      const ballast = join(disk, 'ballast')
      await fill(ballast)
      // PostgreSQL can still use the files that it has allocated.
      const until = performance.now() + 120_000
      while (clerks.tally.away === 0 && performance.now() < until) {
        await sleep(50)
        await fill(ballast)
      }
      const refused = clerks.tally.away
      await sleep(fullSeconds * 1000)
      await rm(ballast)
      const back = Math.round(await watch.works())
      await watch.stop()
      const { figures, findings, isAtOnce } = await settle(at, clerks)
      console.info(
        `a full disk for ${fullSeconds} s, look-ups work ${back} ms after there is room ` +
          `(seed ${seed}): ${figures}`,
      )
      expect(findings).toEqual(allWell)
      expect(isAtOnce).toBe(takesOneRoundTrip)
      expect(refused).toBeGreaterThan(0)
      expect(existsSync(ballast)).toBe(false)
    },
    fullSeconds * 1000 + 300_000,
  )
})

/** Writes to a file until the disk is full. */
async function fill(file: string): Promise<void> {
  for (let size = megabyte; size >= 1; size = Math.floor(size / 2)) {
    const block = randomBytes(size)
    for (;;) {
      const failed = await appendFile(file, block).then(
        () => false,
        () => true,
      )
      if (failed) break
    }
  }
}
