import { spawn } from 'node:child_process'
import { environment, root } from '../setup.mjs'
import type { FailedStep } from './summary.ts'

/** One program of the test suite. */
export type Step = {
  name: string
  command: string
  args: readonly string[]
  env?: Record<string, string>
}

/**
 * Runs steps in their order, several at a time. The output of a step is kept and printed when the
 * step has ended, so that steps do not mix their lines.
 * @param atOnce how many may run at the same time
 * @param afterFailure whether the steps that have not started still run after a failure
 * @returns the steps that failed
 */
export async function runSteps(
  steps: readonly Step[],
  atOnce: number,
  afterFailure: 'stop' | 'continue' = 'continue',
): Promise<FailedStep[]> {
  const waiting = [...steps]
  const failed: FailedStep[] = []
  const work = async (): Promise<void> => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      if (afterFailure === 'stop' && failed.length > 0) return
      const { passed, output } = await runStep(step)
      if (!passed) failed.push({ name: step.name, output })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return failed
}

async function runStep({ name, command, args, env = {} }: Step): Promise<{
  passed: boolean
  output: string
}> {
  const started = performance.now()
  process.stdout.write(`  ${name} …\n`)
  const child = spawn(command, args, {
    cwd: root,
    env: { ...environment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: Buffer[] = []
  child.stdout.on('data', (data: Buffer) => output.push(data))
  child.stderr.on('data', (data: Buffer) => output.push(data))
  const code = await new Promise<number | null>((done) => {
    child.once('error', (error) => {
      output.push(Buffer.from(`${error.message}\n`))
      done(1)
    })
    child.once('close', done)
  })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const mark = code === 0 ? '✓' : '✗'
  const text = Buffer.concat(output).toString()
  process.stdout.write(`${text}${mark} ${name}: ${seconds} s\n`)
  return { passed: code === 0, output: text }
}
