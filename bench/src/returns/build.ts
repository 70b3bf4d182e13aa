import { execFileSync, type ChildProcess, spawn } from 'node:child_process'
import { chmod, cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod/mini'

const root = join(import.meta.dirname, '../../..')
const server = 'bench/src/returns/serve.ts'
const Ready = z.object({ origins: z.array(z.string()), token: z.string(), key: z.string() })

/** A build that serves its company by two processes. */
export type Build = z.infer<typeof Ready> & { close(): Promise<void> }

/** Serves the company by the build of the working tree. */
export function thisBuild(members: number): Promise<Build> {
  return serve(root, members, async () => {})
}

/**
 * Serves the company by the build of a commit. It is copied to a folder of its own, with the
 * installed packages.
 * @throws Error if there is no such commit
 */
export async function buildOf(commit: string, members: number): Promise<Build> {
  const folder = await mkdtemp(join(tmpdir(), 'tillside-before-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  // PostgreSQL runs as another user when the benchmark is run by root.
  await chmod(folder, 0o755)
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  for (const modules of ['node_modules', 'portal/node_modules']) {
    execFileSync('cp', ['-al', join(root, modules), join(folder, modules)])
  }
  await cp(join(root, server), join(folder, server), { recursive: true })
  return serve(folder, members, remove)
}

async function serve(folder: string, members: number, remove: () => Promise<void>): Promise<Build> {
  const child = spawn(process.execPath, [join(folder, server), String(members)], {
    cwd: folder,
    env: { ...process.env, COMPRESS: '0' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  process.once('exit', () => child.kill())
  const ready = Ready.parse(JSON.parse(await firstLine(child)))
  return {
    ...ready,
    async close() {
      child.stdin?.end()
      await ended
      await remove()
    },
  }
}

function firstLine({ stdout }: ChildProcess): Promise<string> {
  return new Promise((done, failed) => {
    let text = ''
    stdout?.setEncoding('utf8').on('data', (part: string) => {
      text += part
      const end = text.indexOf('\n')
      if (end >= 0) done(text.slice(0, end))
    })
    stdout?.once('end', () => failed(new Error('the build stopped')))
  })
}
