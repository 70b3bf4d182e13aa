import { hash, randomBytes } from 'node:crypto'
import { LruMap } from 'toad-cache'
import type { KnownMembers, MemberMemory } from '../database/context.ts'

/**
 * The kinds of keys by which a member is found; each is a row of `member_key` with a normalised
 * value.
 */
export type KeyKind = 'code' | 'card' | 'mobile' | 'email' | 'uni'

/** Normalises codes, card numbers and customer numbers: upper case, without spaces and hyphens. */
export function codeKey(code: string): string {
  return code.normalize('NFKC').replaceAll(/[\s-]/g, '').toUpperCase()
}

/** About 250 bytes each. */
const mostMembers = 20_000

/**
 * The ids of members that one process remembers by their codes, those that were used last. Each is
 * kept with the company's epoch that was read before the id was found. The epoch changes in the
 * transaction that gives a code another member or none (`changeEpoch`). So an id is that of the
 * code as long as a statement of the same request reads the same epoch (`staff/held.ts`).
 *
 * Other keys, such as a mobile number, can move without a new epoch, so their ids are only hints.
 * They are kept by a digest with a secret of the process, because memory should hold no contacts.
 * @param most the number of members
 */
export function rememberMembers(most = mostMembers): MemberMemory {
  const kept = new LruMap<string>(most)
  const secret = randomBytes(16).toString('base64')
  return (epoch) => {
    // An epoch belongs to one company.
    const keyOf = (code: string) => `${epoch} ${code}`
    const hintKeyOf = (key: string) => hash('sha256', `${epoch} ${key} ${secret}`, 'base64')
    let recalled: string | undefined
    const known: KnownMembers = {
      recall(code) {
        const memberId = kept.get(keyOf(code))
        if (memberId !== undefined) recalled = code
        return memberId
      },
      learn: (code, memberId) => kept.set(keyOf(code), memberId),
      hint: (key) => kept.get(hintKeyOf(key)),
      keepHint: (key, memberId) => kept.set(hintKeyOf(key), memberId),
      forget() {
        if (recalled === undefined) return false
        kept.delete(keyOf(recalled))
        return true
      },
    }
    return known
  }
}
