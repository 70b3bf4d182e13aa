import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isVisible } from '@tillside/contract/wire/shapes'
import * as z from 'zod/mini'
import { statement, type Transaction } from '../../database/database.ts'

/** The reason why a new password is not allowed. */
export type PasswordProblem = 'format' | 'tooCommon'

let list: ReadonlySet<string> | undefined

/** The words of the list in this folder, without the lines of its licence, which begin with `#`. */
function commonPasswords(): ReadonlySet<string> {
  list ??= new Set(
    readFileSync(join(import.meta.dirname, 'common-passwords.txt'), 'utf8')
      .split('\n')
      .filter((line) => !line.startsWith('#'))
      .flatMap((line) => line.split(' '))
      .filter((word) => word !== ''),
  )
  return list
}

/**
 * The reason why a new password is not allowed, or null. It needs 8 to 16 visible characters
 * without white space. It is too common when it is on the list; when only a common word is left
 * without context words, years, and digits and symbols at both ends; or when nothing is left.
 * @param context texts that an attacker would try first: names of the company, its stores and the
 *   clerk
 */
export function passwordProblem(
  password: string,
  context: readonly string[],
): PasswordProblem | null {
  const { length } = Array.from(password.normalize('NFC'))
  if (length < 8 || length > 16 || /\s/u.test(password) || !isVisible(password)) return 'format'
  const whole = folded(password)
  if (commonPasswords().has(whole) || new Set(whole).size < 3) return 'tooCommon'
  // `TestCompany(HK)` and `TestCompanyHK` are the same name.
  const plain = whole.replaceAll(/[^\p{L}\p{N}]/gu, '')
  return [whole, plain].some((one) => isCommonBase(one, context)) ? 'tooCommon' : null
}

/** Whether a common word, or nothing but context, is left of a folded password. */
function isCommonBase(password: string, context: readonly string[]): boolean {
  const rest = withoutContext(password, context)
  const base = rest.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  return base === '' ? rest !== password : commonPasswords().has(base)
}

/** The same for full-width letters, capitals and small letters. */
function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

const productName = 'tillside'
/** A year or several, not a part of a longer number. */
const years = /(?<!\d)((19|20)\d\d)+(?!\d)/g

/** Longer words first: `harbourcity` before `harbour`. */
function withoutContext(password: string, context: readonly string[]): string {
  const words = [productName, ...context].flatMap(wordsOf)
  const ordered = words.toSorted((a, b) => b.length - a.length)
  return ordered.reduce((rest, word) => rest.replaceAll(word, ' '), password).replaceAll(years, ' ')
}

/**
 * The words of a name and the whole name without spaces. Words of one or two Latin letters would
 * match parts of other words.
 */
function wordsOf(text: string): string[] {
  const words = folded(text).split(/[^\p{L}\p{N}]+/u)
  return [folded(text), words.join(''), ...words].filter(
    (word) => word.length > (/^[ -~]*$/.test(word) ? 2 : 1),
  )
}

const readNames = statement(
  `select array[identifier] || array(select value from jsonb_each_text(settings -> 'names'))
     as names
   from company where company_id = $1`,
  z.object({ names: z.array(z.string()) }),
)
const readStores = statement(
  'select name, store_code from store where company_id = $1',
  z.object({ name: z.string(), store_code: z.string() }),
)

/** The names of a company and its stores, as context for `passwordProblem`. */
export async function contextNames(tx: Transaction, companyId: string): Promise<string[]> {
  const [{ names }, stores] = await Promise.all([
    tx.one(readNames, [companyId]),
    tx.all(readStores, [companyId]),
  ])
  return [...names, ...stores.flatMap(({ name, store_code: code }) => [name, code])]
}
