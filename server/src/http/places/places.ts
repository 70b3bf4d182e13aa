import { setTimeout as pause } from 'node:timers/promises'
import { hashOfAuthorization } from '../../values/authorization.ts'
import { networkOf } from '../../values/network.ts'
import { HttpRefusal } from '../../text/fail.ts'
import { limitNameGuesses, type NameGuesses } from './guesses.ts'

/**
 * The maximum number of calls of staff and tills that a process has accepted and not yet answered.
 * The slowest machine that we have measured answers this many in a second. One more call would wait
 * longer than a client waits before it retries.
 */
export const maxStaffCalls = 400
/** Tokens and keys that this process remembers as valid. */
const maxProven = 20_000

/** The places of one kind of strangers. */
type Limits = { running: number; all: number; ofOneNetwork: number }

/**
 * Calls that need no session. Few run at once, so that a clerk's statement waits behind few of them
 * for a connection; the others wait in the order of their arrival. The clerks of a shop have one
 * address and may log in together.
 */
export const publicLimits: Limits = { running: 3, all: 300, ofOneNetwork: 100 }
/**
 * Calls whose token or key this process has not yet found valid: guesses, and the first call of
 * each clerk after the login or after a restart. One network cannot keep the clerks of others out.
 */
export const unprovenLimits: Limits = { running: 4, all: 200, ofOneNetwork: 150 }

/**
 * A stranger's refusal is sent after this time; its `Retry-After` says the same. Without the delay,
 * a client that ignores the header would keep the process busy with refusals.
 */
export const refusalDelayMs = 1_000
/**
 * Staff and tills are refused at once, so that a clerk can act. A connection that sends a further
 * request before `Retry-After` has passed is refused after this time, also when a proxy sends it
 * for another client. At ten times its capacity a process otherwise spends most of its processor on
 * refusals.
 */
export const repeatedRefusalDelayMs = 250

/**
 * The places of one process. Calls of staff and tills have other places than those of strangers, so
 * a stranger cannot take a clerk's place.
 */
export type Places = {
  /** The companies' names that strangers have tried. */
  guesses: NameGuesses
  /** Whether the process has found this Authorization header valid before. */
  isProven(authorization: string | undefined): boolean
  /** Whether every call of staff would be refused now. */
  isStaffFull(): boolean
  /** Whether every public call would be refused now. */
  isPublicFull(): boolean
  /**
   * Runs the work of a call of staff or of a till.
   * @throws HttpRefusal 503 before the work begins, when there is no place
   */
  forStaff<T>(caller: Caller, work: () => Promise<T>): Promise<T>
  /**
   * Runs the work of a public call or page.
   * @throws HttpRefusal 503 before the work begins, after a second, when there is no place
   */
  forPublic<T>(caller: Pick<Caller, 'ip'>, work: () => Promise<T>): Promise<T>
}
/** The part of a request that decides its place. */
type Caller = { ip: string; headers: { authorization?: string | undefined } }

export function createPlaces(): Places {
  const proven = provenTokens()
  const [visitors, unproven] = [strangers(publicLimits), strangers(unprovenLimits)]
  let running = 0
  const isStaffFull = (): boolean => running >= maxStaffCalls

  async function runProven<T>(authorization: string | undefined, work: () => Promise<T>) {
    if (isStaffFull()) throw new HttpRefusal('unavailable', true)
    running += 1
    try {
      return await work()
    } catch (error) {
      const isInvalid = error instanceof HttpRefusal && error.failure === 'unauthorized'
      if (isInvalid) proven.delete(authorization)
      throw error
    } finally {
      running -= 1
    }
  }

  return {
    guesses: limitNameGuesses(),
    isProven: proven.has,
    isStaffFull,
    isPublicFull: visitors.isFull,
    async forStaff({ ip, headers: { authorization } }, work) {
      if (proven.has(authorization)) return runProven(authorization, work)
      if (isStaffFull()) throw new HttpRefusal('unavailable', true)
      const guess = { ip, group: hashOfAuthorization(authorization) }
      const turn = await unproven.enter(guess)
      // Another call has proven the token meanwhile.
      if (turn === null) return runProven(authorization, work)
      try {
        const result = await work()
        // Any other answer than 401 proves the token.
        proven.add(authorization)
        unproven.dismiss(guess.group)
        return result
      } finally {
        turn.end()
      }
    },
    async forPublic({ ip }, work) {
      const turn = await visitors.enter({ ip })
      try {
        return await work()
      } finally {
        turn?.end()
      }
    },
  }
}

/**
 * The tokens that were valid last. They only decide which places a call may take: every call still
 * reads its session.
 */
function provenTokens() {
  const hashes = new Set<string>()
  return {
    has: (authorization: string | undefined) => hashes.has(hashOfAuthorization(authorization)),
    add(authorization: string | undefined) {
      const [oldest = ''] = hashes.size < maxProven ? [] : hashes
      hashes.delete(oldest)
      hashes.add(hashOfAuthorization(authorization))
    },
    delete: (authorization: string | undefined) =>
      void hashes.delete(hashOfAuthorization(authorization)),
  }
}

/** A call of a stranger; `group` names the calls that can be dismissed together. */
type Stranger = { ip: string; group?: string }
/** A place where work may begin; `end` gives it to the next call. */
type Turn = { end(): void }

type Waiting = { group: string | undefined; begin(isStranger: boolean): void }

function strangers(limits: Limits) {
  const perNetwork = new Map<string, number>()
  const waiting = new Set<Waiting>()
  let [all, running] = [0, 0]
  const isFull = (): boolean => all >= limits.all

  /** @returns true when the call has its turn, false when it was dismissed before */
  async function waitForTurn(group: string | undefined): Promise<boolean> {
    if (running >= limits.running) {
      return new Promise<boolean>((begin) => waiting.add({ group, begin }))
    }
    running += 1
    return true
  }

  function passTurn(): void {
    const [next] = waiting
    if (next === undefined) running -= 1
    else start(next, true)
  }

  function start(call: Waiting, isStranger: boolean): void {
    waiting.delete(call)
    call.begin(isStranger)
  }

  function leave(network: string): void {
    all -= 1
    const left = (perNetwork.get(network) ?? 1) - 1
    if (left === 0) perNetwork.delete(network)
    else perNetwork.set(network, left)
  }

  return {
    isFull,
    /**
     * Waits until the call may begin.
     * @returns its turn, or null when it was dismissed and needs no place here
     * @throws HttpRefusal 503 after a second, when there is no place
     */
    async enter({ ip, group }: Stranger): Promise<Turn | null> {
      const network = networkOf(ip)
      const same = perNetwork.get(network) ?? 0
      if (isFull() || same >= limits.ofOneNetwork) {
        await pause(refusalDelayMs)
        throw new HttpRefusal('unavailable', true)
      }
      all += 1
      perNetwork.set(network, same + 1)
      if (!(await waitForTurn(group))) {
        leave(network)
        return null
      }
      return {
        end() {
          passTurn()
          leave(network)
        },
      }
    },
    /** Lets the waiting calls of a group go on without a place. */
    dismiss(group: string): void {
      for (const call of waiting) if (call.group === group) start(call, false)
    },
  }
}
