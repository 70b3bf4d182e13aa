import { inject, vi } from 'vitest'
import { runCommand } from '../cli.ts'

export type CommandResult = {
  code: number
  stdout: string
  /** Without the line that names the database. */
  stderr: string
}

/**
 * Runs `tillside` against the database of the test run, in this process: a new process would take a
 * second.
 */
export async function tillside(...words: string[]): Promise<CommandResult> {
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
    return { ...written, code, stderr: written.stderr.replace(/^Database: .*\n/, '') }
  } finally {
    vi.unstubAllEnvs()
    for (const spy of spies) spy.mockRestore()
  }
}
