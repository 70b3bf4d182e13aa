import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'

// Argon2id with the least cost that OWASP's Password Storage Cheat Sheet names: 19 MiB, 2 passes, 1
// lane.
const memoryKib = 19 * 1024
const passes = 2
const parallelism = 1
const tagLength = 32

/** Hashes a password off the event loop; the result names its own costs (PHC string format). */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await derive(password, nonce, memoryKib, passes)
  const costs = `m=${memoryKib},t=${passes},p=${parallelism}`
  return ['', 'argon2id', 'v=19', costs, encode(nonce), encode(tag)].join('$')
}

/**
 * Whether the password is the one that was hashed. @throws Error when the stored text is not a hash
 * of ours
 */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([\w+/]+)\$([\w+/]+)$/.exec(stored)
  const [, memory, time, nonce, tag] = match ?? []
  if (nonce === undefined || tag === undefined)
    throw new Error('a stored password hash is not readable')
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

// The passwords of 8 to 16 characters that every list of leaked ones begins with.
const wellKnown = new Set(
  `password password1 password12 password123 passw0rd p@ssw0rd p@ssword 12345678 123456789
   1234567890 12345678910 123123123 11111111 111111111 00000000 87654321 987654321 88888888 66666666
   1q2w3e4r 1q2w3e4r5t 1qaz2wsx qwertyui qwertyuiop qwerty123 qwerty12 abcd1234 abc12345 a1234567
    a12345678
   aa123456 aa12345678 iloveyou sunshine princess football baseball superman trustno1 welcome1
   welcome123 admin123 admin1234 administrator letmein1 changeme changeme1 starwars whatever
   computer michelle jennifer asdfghjk asdfasdf zxcvbnm1 woaini1314 5201314520`.split(/\s+/),
)

/**
 * Why a new password may not be used, or null: 8 to 16 characters, no white space, not well known.
 */
export function passwordProblem(password: string): 'format' | 'wellKnown' | null {
  const { length } = Array.from(password.normalize('NFC'))
  if (length < 8 || length > 16 || /\s/u.test(password)) return 'format'
  return wellKnown.has(password.toLowerCase()) ? 'wellKnown' : null
}
