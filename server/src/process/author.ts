import { userInfo } from 'node:os'
import { text } from '@tillside/contract/wire/shapes'

/**
 * The person who runs a command, and the reason. PostgreSQL adds both to every audit row that the
 * command writes: they are settings of its transactions, and defaults of two columns of `audit`.
 */
export type Author = { name: string; reason: string | null }

/** The options of a command that is recorded in the audit log. */
export type ActOptions = { by?: string; reason?: string; json?: boolean }

const Name = text(100)
const Reason = text(200)

/**
 * Returns the author of a command: `--by`, or else TILLSIDE_BY, the person behind sudo, or the
 * login name.
 * @throws Error when the name or the reason is not a short text
 */
export function authorOf(
  { by, reason }: ActOptions,
  environment: Record<string, string | undefined>,
): Author {
  const fromEnvironment = ['TILLSIDE_BY', 'SUDO_USER', 'LOGNAME', 'USER']
    .map((name) => environment[name])
    .find((value) => value !== undefined && value !== '')
  const name = Name.safeParse(by ?? fromEnvironment ?? userInfo().username)
  if (!name.success) throw new Error('--by must be a name of at most 100 characters')
  if (reason === undefined) return { name: name.data, reason: null }
  const given = Reason.safeParse(reason)
  if (!given.success) throw new Error('--reason must be a text of at most 200 characters')
  return { name: name.data, reason: given.data }
}

/** Settings of each transaction of a command, read by the defaults of `audit`. */
export function authorSettings(author: Author | null): Record<string, string> {
  if (author === null) return {}
  return { 'app.author': author.name, ...(author.reason && { 'app.reason': author.reason }) }
}
