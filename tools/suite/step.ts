import { spawn } from 'node:child_process'
import { environment, root } from '../setup.mjs'

/** One program of the test suite. */
export type Step = {
  name: string
  command: string
  args: readonly string[]
  env?: Record<string, string>
}

/**
 * Runs steps in their order, several at a time. The output of a step is kept and printed when the
 * step has ended, so that steps do not mix their lines. After a failure no further step starts.
 * @param atOnce how many may run at the same time
 * @returns whether all of them succeeded
 */
export async function runSteps(steps: readonly Step[], atOnce: number): Promise<boolean> {
  const waiting = [...steps]
  let failed = false
  const work = async (): Promise<void> => {
    for (let step = waiting.shift(); step !== undefined && !failed; step = waiting.shift()) {
      if (!(await runStep(step))) failed = true
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return !failed
}

async function runStep({ name, command, args, env = {} }: Step): Promise<boolean> {
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
  process.stdout.write(`${Buffer.concat(output).toString()}${mark} ${name}: ${seconds} s\n`)
  return code === 0
}
