import { isDeepStrictEqual } from 'node:util'
import { Envelope } from '@tillside/contract/wire/endpoint'
import { setTimeout as sleep } from 'node:timers/promises'
import { integrationBase } from '@tillside/contract/integration/endpoint'
import * as z from 'zod/mini'
import { seeded } from '../values/random.ts'
import { type Counter, drawErrand, type Effects, type Errand, type Person } from './errands.ts'

// Simulated clerks and tills that follow the contract: they repeat a request without an answer,
// with the same key, at any server that is running.

/** The outcomes of all requests. */
export type Tally = {
  requests: number
  acknowledged: number
  /** How often a request was repeated. */
  retried: number
  /** How often a connection ended without an answer. */
  unanswered: number
  /** How often a server answered 503. */
  away: number
  /** How many requests were given up, because a 503 said that nothing had changed. */
  givenUp: number
  /** Outcomes that are wrong under any fault. */
  wrong: string[]
}

export type Answered = { errand: Errand; answer: Envelope }

const patienceMs = 120_000

/** The clerks and tills of one shop. They work until `finish`. */
export class Clerks {
  readonly answered: Answered[] = []
  readonly tally: Tally = {
    requests: 0,
    acknowledged: 0,
    retried: 0,
    unanswered: 0,
    away: 0,
    givenUp: 0,
    wrong: [],
  }
  readonly #counter: Counter
  readonly #addresses: () => readonly string[]
  readonly #inFlight = new Map<string, number>()
  #heard: (() => void)[] = []
  #working: Promise<unknown> = Promise.resolve()
  #stopped = false

  /** @param addresses of the servers that are up */
  constructor(counter: Counter, addresses: () => readonly string[]) {
    this.#counter = counter
    this.#addresses = addresses
  }

  /**
   * Starts this many clerks, which work until the number of errands is reached or `finish` is
   * called. Resolves when every request has its answer.
   */
  async work(count: number, seed: number, errands = Infinity): Promise<void> {
    this.#working = Promise.all(
      Array.from({ length: count }, async (_, n) => {
        const random = seeded(seed + n)
        while (!this.#stopped && this.tally.requests < errands) {
          await this.#run(drawErrand(this.#counter, random), random)
          // A pause, without which starting processes would get no processor time.
          await sleep(20 * random())
        }
      }),
    )
    await this.#working
  }

  /** The number of requests in progress at a server. */
  inFlightAt(address: string): number {
    return this.#inFlight.get(address) ?? 0
  }

  /** Resolves when the next request is sent. */
  nextSent(): Promise<void> {
    return new Promise((heard) => this.#heard.push(heard))
  }

  /**
   * Waits for the requests in progress, then repeats every answered request with the same key and
   * compares the answers.
   */
  async finish(address: string): Promise<void> {
    this.#stopped = true
    await this.#working
    const left = this.answered.values()
    await Promise.all(Array.from({ length: 8 }, () => this.#repeat(left, address)))
  }

  async #repeat(left: IteratorObject<Answered>, address: string): Promise<void> {
    for (const { errand, answer } of left) {
      const again = await send(address, errand)
      const same =
        'answer' in again &&
        (errand.headers['idempotency-key'] === undefined
          ? again.answer.code === answer.code
          : isDeepStrictEqual(again.answer, answer))
      if (!same) this.tally.wrong.push(`${errand.kind}: another answer to the same question`)
    }
  }

  async #run(errand: Errand, random: () => number): Promise<void> {
    const until = performance.now() + patienceMs
    let undecided = false
    this.tally.requests++
    for (;;) {
      const told = await this.#attempt(errand, random)
      if ('answer' in told) return this.#keep(errand, told.answer)
      // Half of them give up after `unchanged`. Such a request must leave no trace.
      const mayGiveUp: boolean = 'away' in told && told.unchanged && !undecided
      undecided ||= !mayGiveUp
      if (mayGiveUp && random() < 0.5) {
        this.tally.givenUp++
        return
      }
      if (performance.now() > until) {
        this.tally.wrong.push(`${errand.kind}: no answer for ${patienceMs} ms`)
        return
      }
      this.tally.retried++
      await sleep(20 + 80 * random())
    }
  }

  async #attempt(errand: Errand, random: () => number): Promise<Told> {
    const addresses = this.#addresses()
    const address = addresses[Math.floor(random() * addresses.length)]
    if (address === undefined) return { cut: true }
    this.#inFlight.set(address, this.inFlightAt(address) + 1)
    const answering = send(address, errand)
    for (const heard of this.#heard.splice(0)) heard()
    const told = await answering
    this.#inFlight.set(address, this.inFlightAt(address) - 1)
    if ('wrong' in told) this.tally.wrong.push(`${errand.kind}: ${told.wrong}`)
    else if ('away' in told) this.tally.away++
    else if ('cut' in told) this.tally.unanswered++
    return told
  }

  #keep(errand: Errand, answer: Envelope): void {
    this.tally.acknowledged++
    this.answered.push({ errand, answer })
    if (answer.code === 0) keep(errand.person, errand.effects(answer.data))
    else if (!errand.refusals.includes(answer.code)) {
      this.tally.wrong.push(`${errand.kind}: refused with ${answer.code}`)
    }
  }
}

/** What the member then has; another clerk may already have seen an undone coupon as valid. */
function keep(person: Person, { issued, redeemed, undone, spent, sold }: Effects): void {
  const { coupons } = person
  person.used.push(...redeemed)
  coupons.push(...issued, ...undone.filter((code) => !coupons.includes(code)))
  person.spent.push(...spent)
  person.sold.push(...sold)
}

/** `unchanged`: the server reports that it did nothing. `cut`: there was no response. */
type Told =
  | { answer: Envelope }
  | { away: true; unchanged: boolean }
  | { cut: true }
  | { wrong: string }

const Unchanged = z.looseObject({ unchanged: z.optional(z.literal(true)) })
const Refused = z.looseObject({ data: z._default(z.unknown(), {}) })

/** A refusal of either interface as an envelope. */
function enveloped(told: unknown): unknown {
  return Envelope.safeParse(told).data ?? { code: -1, message: '', data: Refused.parse(told).data }
}

/** Sends an errand once. */
export async function send(address: string, { path, headers, body }: Errand): Promise<Told> {
  try {
    const response = await fetch(address + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    })
    const told: unknown = await response.json()
    // A till's answer has no envelope; its problem has `data` as an envelope has.
    const isTill = path.startsWith(integrationBase)
    const answer = Envelope.parse(
      isTill && response.status === 200 ? { code: 0, message: '', data: told } : enveloped(told),
    )
    if (response.status === 200) return { answer }
    if (response.status !== 503) return { wrong: `status ${response.status}` }
    if (response.headers.get('retry-after') === null) return { wrong: '503 without Retry-After' }
    const { unchanged = false } = Unchanged.parse(answer.data)
    return { away: true, unchanged }
  } catch {
    return { cut: true }
  }
}
