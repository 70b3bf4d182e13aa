import { getCustomTheme } from '@tillside/contract/company'
import { login } from '@tillside/contract/auth'
import type { Endpoint, Envelope } from '@tillside/contract/wire/endpoint'
import { failures } from '@tillside/contract/wire/failures'
import * as z from 'zod/mini'
import { failed } from '../../text/envelope.ts'
import { Refusal } from '../../text/fail.ts'
import { networkOf } from '../../values/network.ts'
import { type Call, languageOf } from '../request.ts'

/** Unknown identifiers that one network may try at once; after that, one in each interval. */
export const maxUnknownNames = 30
const intervalSeconds = 30
/** Identifiers that are remembered for each network, of each kind. */
const maxNames = 30
/** Networks that are remembered; when there are more, the oldest is forgotten. */
const maxNetworks = 10_000

/**
 * Limits how many identifiers of companies a network can try. Beyond the limit it gets no answer
 * for a name that it has not tried before, whether a company has the name or not. Names that it
 * knows are still answered, so that one person cannot block the login page for a whole shop with
 * the same address. The counts are in the memory of each process, so strangers write nothing.
 */
export type NameGuesses = {
  /** The seconds to wait before this name is looked up, or null when it may be looked up now. */
  waitOf(address: string, identifier: string): number | null
  /** Records the result of a look-up. */
  record(address: string, identifier: string, exists: boolean): void
}

type Tried = { left: number; at: number; existing: Set<string>; unknown: Set<string> }

/** @param now the clock, in ms */
export function limitNameGuesses(now: () => number = Date.now): NameGuesses {
  const networks = new Map<string, Tried>()

  function triedBy(address: string): Tried {
    const network = networkOf(address)
    const known = networks.get(network)
    if (known !== undefined) {
      const regained = (now() - known.at) / 1000 / intervalSeconds
      known.left = Math.min(maxUnknownNames, known.left + regained)
      known.at = now()
      return known
    }
    keepSmall(networks, maxNetworks)
    const [existing, unknown] = [new Set<string>(), new Set<string>()]
    const tried = { left: maxUnknownNames, at: now(), existing, unknown }
    networks.set(network, tried)
    return tried
  }

  return {
    waitOf(address, identifier) {
      const { left, existing, unknown } = triedBy(address)
      if (left >= 1 || existing.has(identifier) || unknown.has(identifier)) return null
      return Math.ceil((1 - left) * intervalSeconds)
    },
    record(address, identifier, exists) {
      const tried = triedBy(address)
      const names = exists ? tried.existing : tried.unknown
      if (names.has(identifier)) return
      if (!exists) tried.left -= 1
      keepSmall(names, maxNames)
      names.add(identifier)
    },
  }
}

/** Removes the oldest entry of a full collection. */
function keepSmall(names: Set<string> | Map<string, unknown>, max: number): void {
  const [oldest = ''] = names.size < max ? [] : names.keys()
  names.delete(oldest)
}

const Named = z.union([
  z.pipe(
    z.object({ identifier: login.input.shape.identifier }),
    z.transform(({ identifier }: { identifier: string }) => identifier),
  ),
  z.pipe(
    getCustomTheme.input,
    z.transform(({ xcrmIdentifier }: { xcrmIdentifier: string }) => xcrmIdentifier),
  ),
])
/** Answers that only a company gives. */
const provesCompany = new Set([
  0,
  failures.accountUnknown.code,
  failures.passwordWrong.code,
  failures.storeInactive.code,
])

/** Answers a public call that shows whether a company has a name, within the network’s limit. */
export async function answerGuess(
  guesses: NameGuesses,
  endpoint: Endpoint,
  call: Call,
  work: () => Promise<Envelope>,
): Promise<Envelope> {
  const named = Named.safeParse(call.input)
  if (!endpoint.refusals.includes('identifierUnknown') || !named.success) return work()
  const retryAfter = guesses.waitOf(call.address, named.data)
  if (retryAfter !== null) {
    return failed(new Refusal('tooManyAttempts', { retryAfter }), languageOf(call))
  }
  const envelope = await work()
  const isUnknown = envelope.code === failures.identifierUnknown.code
  if (isUnknown || provesCompany.has(envelope.code)) {
    guesses.record(call.address, named.data, !isUnknown)
  }
  return envelope
}
