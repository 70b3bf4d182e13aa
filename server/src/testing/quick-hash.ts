import { argon2Sync, randomBytes } from 'node:crypto'

const [memory, passes] = [64, 1]

/**
 * A hash of a password that is quick to verify. Tests log in more often than they test passwords,
 * and a hash with the costs of production takes about 40 ms of processor time each time.
 */
export function quickHash(password: string): string {
  const nonce = randomBytes(16)
  const terms = { message: password, nonce, parallelism: 1, tagLength: 32, memory, passes }
  const tag = argon2Sync('argon2id', terms)
  const [salt, hash] = [nonce, tag].map((bytes) => bytes.toString('base64').replaceAll('=', ''))
  return `$argon2id$v=19$m=${memory},t=${passes},p=1$${salt}$${hash}`
}
