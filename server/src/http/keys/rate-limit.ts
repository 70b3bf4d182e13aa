import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { KeyRefusal } from '../../text/fail.ts'
import type { KeyDependencies, KeyHolder } from './serve-key.ts'

const windowSeconds = 60

/** The headers of an answer about the limit of its key. */
export type RateHeaders = { 'ratelimit-policy': string; ratelimit: string }

/** Counts the requests of each API key in this process. */
export type KeyRates = {
  /**
   * Counts one request.
   * @returns the headers of its answer
   * @throws KeyRefusal `tooManyRequests`; its headers are given to `refused` first
   */
  count(keyId: string, refused: (headers: RateHeaders) => void): Promise<RateHeaders>
}

/**
 * Limits the requests of each API key to a number a minute, by the headers of
 * draft-ietf-httpapi-ratelimit-headers. Each process counts its own, because a shared count would
 * cost a write to the database for each request.
 */
export function keyRates(requestsPerMinute: number): KeyRates {
  const limiter = new RateLimiterMemory({ points: requestsPerMinute, duration: windowSeconds })
  const headersOf = ({ remainingPoints, msBeforeNext }: RateLimiterRes): RateHeaders => ({
    'ratelimit-policy': `"key";q=${requestsPerMinute};w=${windowSeconds}`,
    ratelimit: `"key";r=${remainingPoints};t=${Math.ceil(msBeforeNext / 1000)}`,
  })
  return {
    async count(keyId, refused) {
      try {
        return headersOf(await limiter.consume(keyId))
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error
        refused(headersOf(error))
        throw new KeyRefusal('tooManyRequests', Math.max(1, Math.ceil(error.msBeforeNext / 1000)))
      }
    },
  }
}

/**
 * The dependencies of one request. They count it for its key, once, when the key is known to be
 * valid or was valid in an earlier request.
 * @param set receives the headers of the answer
 */
export function withRates<D extends KeyDependencies>(
  dependencies: D,
  rates: KeyRates,
  set: (headers: RateHeaders) => void,
): D {
  let counted: Promise<void> | undefined
  async function counting(holder: KeyHolder | null): Promise<KeyHolder | null> {
    if (holder === null) return null
    counted ??= rates.count(holder.key.id, set).then(set)
    await counted
    return holder
  }
  const { keyMemory } = dependencies
  return {
    ...dependencies,
    authenticateKey: async (tx, token) => counting(await dependencies.authenticateKey(tx, token)),
    keyMemory: keyMemory && {
      recall: keyMemory.recall,
      // The long way refuses, after it has read the key.
      admit: (held) =>
        counting(held.caller).then(
          () => true,
          () => false,
        ),
      confirm: async (tx, token, held) => counting(await keyMemory.confirm(tx, token, held)),
    },
  }
}
