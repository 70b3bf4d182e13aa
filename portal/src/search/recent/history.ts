import * as z from 'zod/mini'
import type { LookUp } from '../../paths.ts'

// The members this account has searched for today, encrypted on the device (specification, section
// 9). The key is given only to the account's own session, and stays in memory.

/** A different version means a different format, and is deleted. */
const version = '1.0.1'
const maxEntries = 100
const maxUsers = 3

const LookUpShape = z.union([
  z.strictObject({ cardNumber: z.string() }),
  z.strictObject({ countryCode: z.string(), mobile: z.string() }),
  z.strictObject({ code: z.string() }),
  z.strictObject({ uniCustomerNo: z.string() }),
  z.strictObject({ email: z.string() }),
])
const Entry = z.object({ key: LookUpShape, time: z.number() })
/** A look-up, and its time in ms since 1970. */
export type Entry = { key: LookUp; time: number }

const StoredHistory = z.object({
  version: z.literal(version),
  /** The last user is first. `owner` identifies one's own entries without revealing the account. */
  users: z.array(
    z.object({ owner: z.string(), day: z.string(), iv: z.string(), data: z.string() }),
  ),
})
type StoredHistory = z.infer<typeof StoredHistory>

type HistoryOptions = {
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  /** The storage name; entries of another name cannot be decrypted. */
  name: string
  /** The calendar day of a time in ms since 1970. */
  dayOf: (time: number) => string
  now: () => number
}

export type History = {
  /** Today's entries, newest first. */
  entries: () => Promise<readonly Entry[]>
  add: (key: LookUp) => Promise<readonly Entry[]>
  clear: () => void
}

/** @param secret the account's key, 256 bits in base64 */
export async function openHistory(secret: string, place: HistoryOptions): Promise<History> {
  const bytes = fromBase64(secret)
  const key = await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt'])
  const owner = await ownerOf(bytes)
  const { storage, name, dayOf, now } = place
  const today = () => dayOf(now())
  const context = (day: string) => new TextEncoder().encode([version, name, owner, day].join('\n'))

  const write = (users: StoredHistory['users']) => {
    if (users.length === 0) storage.removeItem(name)
    else storage.setItem(name, JSON.stringify({ version, users } satisfies StoredHistory))
  }
  /** Reads the stored entries, and removes those of earlier days. */
  const read = (): StoredHistory['users'] => {
    const text = storage.getItem(name)
    if (text === null) return []
    const all = parse(text)
    const users = all?.filter(({ day }) => day === today()) ?? []
    if (users.length !== all?.length) write(users)
    return users
  }
  const entries = async (): Promise<Entry[]> => {
    const own = read().find((user) => user.owner === owner)
    if (own === undefined) return []
    try {
      const algorithm = {
        name: 'AES-GCM',
        iv: fromBase64(own.iv),
        additionalData: context(own.day),
      }
      const opened = await crypto.subtle.decrypt(algorithm, key, fromBase64(own.data))
      const found = z.parse(z.array(Entry), JSON.parse(new TextDecoder().decode(opened)))
      return found.filter(({ time }) => dayOf(time) === today() && time <= now())
    } catch {
      // The stored data was changed and cannot be decrypted.
      write(read().filter((user) => user.owner !== owner))
      return []
    }
  }
  const keep = async (kept: readonly Entry[]) => {
    const day = today()
    const iv = crypto.getRandomValues(new Uint8Array(12))
    const algorithm = { name: 'AES-GCM', iv, additionalData: context(day) }
    const text = new TextEncoder().encode(JSON.stringify(kept))
    const data = await crypto.subtle.encrypt(algorithm, key, text)
    const own = { owner, day, iv: toBase64(iv), data: toBase64(new Uint8Array(data)) }
    const others = read().filter((user) => user.owner !== owner)
    write([own, ...others].slice(0, maxUsers))
  }
  return {
    entries,
    async add(added) {
      const same = JSON.stringify(added)
      const others = (await entries()).filter((entry) => JSON.stringify(entry.key) !== same)
      const all = [{ key: added, time: now() }, ...others].slice(0, maxEntries)
      await keep(all)
      return all
    },
    clear: () => write(read().filter((user) => user.owner !== owner)),
  }
}

function parse(text: string): StoredHistory['users'] | null {
  try {
    return z.parse(StoredHistory, JSON.parse(text)).users
  } catch {
    return null
  }
}

/** An identifier that only the holder of the key can compute. */
async function ownerOf(secret: Uint8Array<ArrayBuffer>): Promise<string> {
  const label = new TextEncoder().encode('tillside search history owner')
  const mixed = new Uint8Array(label.length + secret.length)
  mixed.set(label)
  mixed.set(secret, label.length)
  return toBase64(new Uint8Array(await crypto.subtle.digest('SHA-256', mixed)).slice(0, 12))
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}
