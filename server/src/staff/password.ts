import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * The cost of a new hash: Argon2id with the lowest cost recommended by OWASP's Password Storage
 * Cheat Sheet, which is 19 MiB, 2 passes and 1 lane. Only tests change it.
 */
export const hashCost = { memoryKib: 19 * 1024, passes: 2 }
const parallelism = 1
const tagLength = 32

/**
 * Hashes a password off the event loop. The result contains its cost parameters (PHC string
 * format).
 */
export async function hashPassword(password: string): Promise<string> {
  const { memoryKib, passes } = hashCost
  const nonce = randomBytes(16)
  const tag = await derive(password, nonce, memoryKib, passes)
  const costs = `m=${memoryKib},t=${passes},p=${parallelism}`
  return ['', 'argon2id', 'v=19', costs, encode(nonce), encode(tag)].join('$')
}

/**
 * Whether a password matches a stored hash. @throws Error when the stored text is not a hash of
 * this program
 */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([\w+/]+)\$([\w+/]+)$/.exec(stored)
  const [, memory, time, nonce, tag] = match ?? []
  if (nonce === undefined || tag === undefined)
    throw new Error('a stored password hash cannot be read')
  const expected = Buffer.from(tag, 'base64')
  const actual = await derive(password, Buffer.from(nonce, 'base64'), Number(memory), Number(time))
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

function derive(password: string, nonce: Buffer, memory: number, time: number): Promise<Buffer> {
  const message = Buffer.from(password.normalize('NFC'))
  return new Promise((done, failed) => {
    argon2(
      'argon2id',
      { message, nonce, parallelism, tagLength, memory, passes: time },
      (error, key) => (error === null ? done(key) : failed(error)),
    )
  })
}

function encode(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
