import { createInterface } from 'node:readline'
import type { Command } from 'commander'
import { startFromConfig } from '../embedded/archive.ts'
import { readConfig } from '../process/config.ts'
import { type Database, openDatabase } from './database.ts'
import { migrate } from './migrate.ts'

/** The resources of a command. */
export type Console = {
  database: Database
  /** The database owner's connection URL, for PostgreSQL's own tools. */
  ownerUrl: string
}

/**
 * Opens the server's database, migrates it, runs the command and closes it. Uses an embedded
 * PostgreSQL that is already running, or starts it for the time of the command.
 */
export async function withDatabase<T>(work: (console: Console) => Promise<T>): Promise<T> {
  const config = readConfig(process.env)
  const embedded = config.databaseUrl === undefined ? await startFromConfig(config) : null
  try {
    const ownerUrl = embedded?.url ?? config.databaseUrl ?? ''
    const database = openDatabase(await migrate(ownerUrl, config.databaseAppUrl), 10, false)
    try {
      return await work({ database, ownerUrl })
    } finally {
      await database.close()
    }
  } finally {
    await embedded?.release()
  }
}

/** Adds a command with a `--json` option. */
export function jsonCommand(parent: Command, usage: string, description: string): Command {
  return parent.command(usage).description(description).option('--json', 'print the result as JSON')
}

/** Prints the result: as JSON when `json` is true, otherwise as the given lines. */
export function print(json: boolean | undefined, answer: unknown, lines: readonly string[]): void {
  const text = json ? JSON.stringify(answer, null, 2) : lines.join('\n')
  if (text !== '') process.stdout.write(`${text}\n`)
}

/** Formats rows as aligned columns. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, index) => Math.max(widest[index] ?? 0, cell.length)),
    [],
  )
  return rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/**
 * Reads the first line of standard input. A secret passed this way does not appear in the process
 * list.
 */
export async function readSecretFromStdin(): Promise<string> {
  for await (const line of createInterface({ input: process.stdin })) return line
  throw new Error('standard input is empty')
}
