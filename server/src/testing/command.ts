import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { inject, vi } from 'vitest'
import { runCommand } from '../cli.ts'
import { projectRoot } from '../process/config.ts'
import { withoutWaits } from '../process/wait.ts'

export type CommandResult = {
  code: number
  stdout: string
  /** Without the notices. */
  stderr: string
}

/** Lines on stderr in addition to the errors of commands. */
const notice = /^(Database|Recorded as done by).*\n/gm

/**
 * Runs `tillside` against the database of the test run, in this process: a new process would take a
 * second.
 */
export async function tillside(...words: string[]): Promise<CommandResult & { notices: string }> {
  const written = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      written[stream] += String(text)
      return true
    }),
  )
  vi.stubEnv('DATABASE_URL', inject('ownerUrl'))
  try {
    const code = await runCommand(words)
    const stderr = withoutWaits(written.stderr)
    const notices = (stderr.match(notice) ?? []).join('')
    return { code, stdout: written.stdout, stderr: stderr.replace(notice, ''), notices }
  } finally {
    vi.unstubAllEnvs()
    for (const spy of spies) spy.mockRestore()
  }
}

/** Runs the installed program in a process of its own. */
export function tillsideApart(...words: string[]): Promise<CommandResult> {
  return new Promise((done) => {
    const env = { ...process.env, DATABASE_URL: inject('ownerUrl') }
    const file = join(projectRoot, 'tools/tillside.mjs')
    const child = execFile(process.execPath, [file, ...words], { env }, (_, stdout, stderr) =>
      done({ code: child.exitCode ?? -1, stdout, stderr: withoutWaits(stderr) }),
    )
  })
}
