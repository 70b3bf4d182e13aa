import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** Seconds from `npm start` to the ready line. */
export type Starts = { coldSeconds: number; warmSeconds: number }

/**
 * Clones the current commit and starts it twice: first without installed packages (npm may use its
 * cache), then again.
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
    let output = ''
    child.stdout.on('data', (part: Buffer) => {
      output += part.toString()
      if (output.includes('Tillside is ready')) done((performance.now() - began) / 1000)
    })
    child.once('exit', () => failed(new Error(`npm start stopped: ${output}`)))
  })
  const gone = new Promise((done) => child.once('exit', done))
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
  await gone
  return seconds
}
