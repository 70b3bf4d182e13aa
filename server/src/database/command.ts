import { createInterface } from 'node:readline'
import type { Command } from 'commander'
import { startFromConfig } from '../embedded/archive.ts'
import type { Embedded } from '../embedded/embedded.ts'
import { findHome, hasDatabase } from '../embedded/embedded-home.ts'
import { type Config, readConfig } from '../process/config.ts'
import { type ActOptions, authorOf } from '../process/author.ts'
import { sayIfSlow } from '../process/wait.ts'
import { type Database, openForCommand } from './database.ts'
import { migrate, migrating, readSchemaState } from './migrate.ts'
import { locationOf } from './connection/session-settings.ts'

/** There is nothing to work on; the command's exit code is 2. */
export class NoDatabase extends Error {}

type Needs = {
  /** Whether the command may start with an empty database; all others refuse it. */
  mayBeEmpty?: boolean
  /** Whether the command migrates a schema older than this program; all others refuse it. */
  migrates?: boolean
  /** Whether it works as the owner of the database instead of as the program's role. */
  asOwner?: boolean
  /**
   * The options of a command that changes something or shows personal data: its audit rows name the
   * person.
   */
  act?: ActOptions | undefined
}

/**
 * Opens the server's database, runs the command and closes it. Uses an embedded PostgreSQL that is
 * already running, or starts it for the time of the command. Prints on stderr which database it is,
 * and the author of an act.
 *
 * Does not migrate: the release that is running may be an older one, and a backup or a dry run must
 * not change the schema.
 * @throws NoDatabase when none is configured, or it is empty and the command needs data
 * @throws Error with one line when the schema is older than this program
 */
export async function withDatabase<T>(
  work: (opened: { database: Database; ownerUrl: string }) => Promise<T>,
  { mayBeEmpty = false, migrates = false, asOwner = false, act }: Needs = {},
): Promise<T> {
  const author = act === undefined ? null : authorOf(act, process.env)
  return withOwnerUrl(
    async (ownerUrl, { databaseAppUrl }) => {
      const schema = await sayIfSlow(migrating, readSchemaState(ownerUrl))
      if (schema === 'empty' && !mayBeEmpty) {
        throw new NoDatabase(`the database is empty; ${howToFill}`)
      }
      if (schema === 'older' && !migrates) {
        throw new Error(
          'the database’s schema is older than this program; ' +
            'start Tillside, or run tillside database migrate, to migrate it',
        )
      }
      if (author !== null) process.stderr.write(`Recorded as done by ${author.name}\n`)
      const programUrl = await sayIfSlow(migrating, migrate(ownerUrl, databaseAppUrl))
      const database = openForCommand(asOwner ? ownerUrl : programUrl, author)
      try {
        return await work({ database, ownerUrl })
      } finally {
        await database.close()
      }
    },
    { mayBeEmpty },
  )
}

/**
 * The same for a command that works with every schema, or without one.
 * @param work gets the owner's connection URL, for PostgreSQL's own tools
 */
export async function withOwnerUrl<T>(
  work: (ownerUrl: string, config: Config) => Promise<T>,
  { mayBeEmpty = false }: Needs = {},
): Promise<T> {
  const config = readConfig(process.env)
  const embedded = config.databaseUrl === undefined ? await useEmbedded(config, mayBeEmpty) : null
  try {
    const ownerUrl = embedded?.url ?? config.databaseUrl ?? ''
    if (embedded === null) printDatabase(locationOf(ownerUrl))
    return await work(ownerUrl, config)
  } finally {
    await embedded?.release()
  }
}

/** Prints on stderr which database a command works on. */
export function printDatabase(description: string): void {
  process.stderr.write(`Database: ${description}\n`)
}

export const howToFill = 'start Tillside, or run tillside company apply, to fill it'

async function useEmbedded(config: Config, mayBeEmpty: boolean): Promise<Embedded> {
  const home = await findHome(config.dataDir)
  if (!(await hasDatabase(home))) {
    if (!config.isDatabaseNamed) {
      throw new NoDatabase('no database: set DATABASE_URL or DATA_DIR')
    }
    if (!mayBeEmpty) {
      throw new NoDatabase(`there is no database in DATA_DIR=${config.dataDir}; ${howToFill}`)
    }
  }
  printDatabase(`the packaged PostgreSQL in ${home.folder}`)
  return startFromConfig(config)
}

/** Adds a command with a `--json` option. */
export function jsonCommand(parent: Command, usage: string, description: string): Command {
  return parent.command(usage).description(description).option('--json', 'print the result as JSON')
}

/**
 * Adds a command that is recorded in the audit log, with the options of `ActOptions`.
 * @param needsReason for acts that move value or show, change or erase personal data
 */
export function actCommand(
  parent: Command,
  usage: string,
  description: string,
  needsReason = false,
): Command {
  const command = jsonCommand(parent, usage, description).option(
    '--by <name>',
    'who does this, for the audit log (default: TILLSIDE_BY or your login)',
  )
  const reason = ['--reason <text>', 'why, for the audit log'] as const
  return needsReason ? command.requiredOption(...reason) : command.option(...reason)
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
