import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { basePath, Envelope } from '@tillside/contract/wire/endpoint'
import { getOneCustomer } from '@tillside/contract/member'
import type { Counter } from './errands.ts'

/**
 * One look-up: when it was sent, its duration, and its status. The status is 0 without a response,
 * and the answer's code when the look-up was refused.
 */
type Look = { at: number; ms: number; status: number }

/** Looks up a member at regular intervals, and records the outcomes. */
export class Watch {
  readonly #looks: Look[] = []
  readonly #ended: Promise<unknown>
  #stopped = false

  constructor(address: string, { token, people }: Counter, everyMs = 250) {
    const [member] = people
    const path = `${basePath}${getOneCustomer.path}?code=${member?.memberCode}`
    const asked: Promise<void>[] = []
    const look = async () => {
      const at = performance.now()
      const headers = { authorization: `Bearer ${token}` }
      const status = await fetch(address + path, { headers })
        .then(async (response) => {
          if (response.status !== 200) return response.status
          const { code } = Envelope.parse(await response.json())
          return code === 0 ? 200 : code
        })
        .catch(() => 0)
      this.#looks.push({ at, ms: performance.now() - at, status })
    }
    this.#ended = (async () => {
      while (!this.#stopped) {
        asked.push(look())
        await sleep(everyMs)
      }
      await Promise.all(asked)
    })()
  }

  /** Resolves when a look-up sent from now on succeeds. @returns milliseconds until then */
  async works(): Promise<number> {
    const from = performance.now()
    for (;;) {
      const worked = this.#looks.find(({ at, status }) => at >= from && status === 200)
      if (worked !== undefined) return worked.at + worked.ms - from
      await sleep(20)
    }
  }

  /** The outcomes of the look-ups sent between two moments. */
  between(from: number, until: number): { statuses: number[]; slowestMs: number; count: number } {
    const looks = this.#looks.filter(({ at }) => at >= from && at < until)
    return {
      statuses: [...new Set(looks.map(({ status }) => status))].sort((a, b) => a - b),
      slowestMs: Math.round(Math.max(0, ...looks.map(({ ms }) => ms))),
      count: looks.length,
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#ended
  }
}
