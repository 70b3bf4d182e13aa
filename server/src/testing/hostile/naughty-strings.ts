import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { atLevel } from '../repetition.ts'

// The Big List of Naughty Strings: strings that have broken programs. naughty-strings.json is
// blns.json of github.com/minimaxir/big-list-of-naughty-strings at db33ec7, with white space
// between the strings changed by our formatter. Its licence is in naughty-strings.license.txt.
const file = join(import.meta.dirname, 'naughty-strings.json')
export const naughtyStrings = z.array(z.string()).parse(JSON.parse(readFileSync(file, 'utf8')))

const every = atLevel({ short: 10, full: 1, long: 1 })

/**
 * The strings to try in one field. Level `short` tries a tenth of them in each field, another tenth
 * in the next field, so that ten fields together try every string.
 * @param place number of the field, from 0
 */
export function naughtyFor(place: number): string[] {
  return naughtyStrings.filter((_, n) => (n + place) % every === 0)
}
