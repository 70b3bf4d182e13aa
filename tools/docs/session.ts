import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Block, type Command, commandsOf } from './blocks.ts'
import type { Machine } from './machine.ts'
import { compared } from './output.ts'
import { openShell } from './shell.ts'

/** A person at a terminal who follows a page: blocks run one after the other in one shell. */
export type Session = {
  /** @throws Error with page, line and output when a command fails or prints something else */
  run(block: Block): Promise<void>
  /** Ends the programs that still run, services too. */
  close(): Promise<void>
}

/**
 * Values that a person copies from an earlier output or knows: the API key that was printed last,
 * and a moment to restore.
 */
function withGiven(text: string, earlier: string): string {
  const key = [...earlier.matchAll(/^tillside_(?!app)\S+$/gm)].at(-1)?.[0]
  const moment = new Date(Date.now() - 2000).toISOString()
  return text
    .replaceAll('tillside_...', () => key ?? 'tillside_...')
    .replaceAll('2026-11-21T09:30:00+08:00', moment)
}

/** A block of SQL is typed into `psql`, which the block before it starts. */
function typed(block: Block): Command[] {
  if (block.language === 'sh') return commandsOf(block)
  const psql = `psql -Atq "$(tillside database url)" <<'SQL'`
  return [{ line: block.line, text: `${psql}\n${block.text}\nSQL` }]
}

/** The exit code of curl with `fail-with-body` for HTTP 400 and above. */
const httpError = 22

export function openSession(
  machine: Machine,
  cwd: string,
  environment: Record<string, string>,
): Session {
  const shell = openShell(machine, cwd, { ...machine.environment, ...environment })
  let earlier = ''

  async function runCommand(block: Block, command: Command, serves: boolean): Promise<string> {
    const { result } = block
    const isReady = (output: string): boolean =>
      result === null || differenceOf(block, machine.asOnPage(output)) === null
    const text = machine.here(withGiven(command.text, earlier))
    const { code, output } = await shell.execute(text, serves ? isReady : undefined)
    earlier += output
    const shown = machine.asOnPage(output)
    if (code === (serves ? null : block.refused ? httpError : 0)) return shown
    throw new Error(
      `${block.page}:${command.line}: ${command.text}\nexit code ${code}, and it printed\n${shown}`,
    )
  }

  return {
    async run(block) {
      const commands = typed(block)
      let output = ''
      for (const [index, command] of commands.entries()) {
        const serves = block.serves && index === commands.length - 1
        output += await runCommand(block, command, serves)
      }
      const difference = differenceOf(block, output)
      if (difference !== null) throw new Error(difference)
    },
    close: () => shell.close(),
  }
}

/** Null when the page prints no result, or this output. */
function differenceOf({ page, result }: Block, output: string): string | null {
  if (result === null) return null
  const { wanted, got } = compared(result, output)
  if (wanted === got) return null
  return `${page}:${result.line}: the page prints\n${wanted}\nand the commands print\n${got}`
}

/** Writes a file of the reader's own, such as `members.csv`. */
export function giveFile(machine: Machine, path: string, text: string | Uint8Array): void {
  writeFileSync(join(machine.folder, path), text, { mode: 0o644 })
}
