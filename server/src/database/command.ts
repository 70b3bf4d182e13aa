import { createInterface } from 'node:readline'
import type { Command } from 'commander'
import { startFromConfig } from '../embedded/archive.ts'
import { readConfig } from '../process/config.ts'
import { type Database, openDatabase } from './database.ts'
import { migrate } from './migrate.ts'

/** What a command works with. */
export type Console = {
  database: Database
  /** The owner's address, for tools of PostgreSQL's own. */
  ownerUrl: string
}

/**
 * Opens the database that the server would use, sharing an embedded one that already runs, brings
 * it up to date, runs the command and lets go of it again.
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

/** A command that can also answer as JSON. */
export function jsonCommand(parent: Command, usage: string, description: string): Command {
  return parent.command(usage).description(description).option('--json', 'answer as JSON')
}

/** Prints an answer: JSON when asked for, else one line for each of `lines`. */
export function print(json: boolean | undefined, answer: unknown, lines: readonly string[]): void {
  const text = json ? JSON.stringify(answer, null, 2) : lines.join('\n')
  if (text !== '') process.stdout.write(`${text}\n`)
}

/** Rows as columns that stand below each other. */
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

/** The first line of standard input, so that a secret need not stand in the list of processes. */
export async function readSecretFromStdin(): Promise<string> {
  for await (const line of createInterface({ input: process.stdin })) return line
  throw new Error('nothing came on standard input')
}
