import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Machine } from './machine.ts'

/** The output of a command, standard error included. The code is null while the command runs. */
export type Ended = { code: number | null; output: string }

/** A shell of bash that keeps its working directory and its exported variables. */
export type Shell = {
  /** @param until for a command that serves: whether its output shows that it is ready */
  execute(command: string, until?: (output: string) => boolean): Promise<Ended>
  /** Ends the commands and services that still run. */
  close(): Promise<void>
}

const timeoutMs = 120_000

export function openShell(machine: Machine, cwd: string, env: Record<string, string>): Shell {
  const state = join(machine.folder, `tmp/shell-${Math.random().toString(36).slice(2)}`)
  const save = `export -p; printf "cd %q\\n" "$PWD"`
  const before = `[ -e ${state} ] && . ${state}
trap 'code=$?; { ${save}; } > ${state}; exit $code' EXIT`
  const serving: ChildProcess[] = []
  return {
    async execute(command, until) {
      const child = spawn('bash', ['-c', `${before}\n${command}`], {
        ...machine.identity,
        cwd,
        env,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let output = ''
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (more: string) => (output += more))
      }
      const end = ended(child).then((code): Ended => ({ code, output }))
      if (until !== undefined) {
        serving.push(child)
        await Promise.race([end, waitUntil(() => until(output))])
        if (child.exitCode === null) return { code: until(output) ? null : 1, output }
        return end
      }
      const kill = setTimeout(() => signal(groupOf(child), 'SIGKILL'), timeoutMs)
      return end.finally(() => clearTimeout(kill))
    },
    async close() {
      for (const child of serving) if (child.exitCode === null) signal(groupOf(child), 'SIGTERM')
      await Promise.all(serving.map((child) => waitUntil(() => hasEnded(child))))
      await stopServices(join(machine.folder, 'run'))
    },
  }
}

/** Ends what systemctl.mjs started; each process id is in a file. */
async function stopServices(folder: string): Promise<void> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.pid'))
  for (const file of files.map((name) => join(folder, name))) {
    const pid = Number(readFileSync(file, 'utf8'))
    signal(pid, 'SIGTERM')
    await waitUntil(() => !signal(pid, 0))
    rmSync(file)
  }
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((done, fail) => {
    child.once('close', (code) => done(code)).once('error', fail)
  })
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

async function waitUntil(isDone: () => boolean): Promise<void> {
  const end = performance.now() + timeoutMs
  while (!isDone() && performance.now() < end) await sleep(50)
}

/** @throws Error when the command did not start: the group 0 is that of this process */
function groupOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error('the command did not start')
  return -pid
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}
