import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** Seconds from `npm start` to the line that says ready. */
export type Starts = { coldSeconds: number; warmSeconds: number }

/**
 * What a newcomer waits for: a clone of what is committed, `npm start` from nothing (packages from
 * npm's cache where it has them), then a second start.
 */
export async function measureStarts(): Promise<Starts> {
  const folder = await mkdtemp(join(tmpdir(), 'tillside-start-'))
  const clone = join(folder, 'tillside')
  try {
    const made = spawnSync('git', ['clone', '--quiet', root, clone], { stdio: 'inherit' })
    if (made.status !== 0) throw new Error('the clone failed')
    const coldSeconds = await startOnce(clone)
    return { coldSeconds, warmSeconds: await startOnce(clone) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function startOnce(clone: string): Promise<number> {
  const began = performance.now()
  const environment = { ...process.env, PORT: '8731', LOG_LEVEL: 'warn' }
  const child = spawn('npm', ['start'], {
    cwd: clone,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const seconds = await new Promise<number>((done, failed) => {
    let said = ''
    child.stdout.on('data', (part: Buffer) => {
      said += part.toString()
      if (said.includes('Tillside is ready')) done((performance.now() - began) / 1000)
    })
    child.once('exit', () => failed(new Error(`npm start stopped: ${said}`)))
  })
  const gone = new Promise((done) => child.once('exit', done))
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
  await gone
  return seconds
}
