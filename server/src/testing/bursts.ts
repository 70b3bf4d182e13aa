import { AsyncLocalStorage } from 'node:async_hooks'
import type { Connection } from 'pg'
import { vi } from 'vitest'
import { Burst } from '../database/connection/burst.ts'

/** Counts the round trips to PostgreSQL of each request. Call `restore` after the tests. */
export function countBursts() {
  // A burst belongs to the request in whose asynchronous context it is sent.
  const asking = new AsyncLocalStorage<{ bursts: number }>()
  const sending: { submit: (this: Burst, connection: Connection) => void } = Burst.prototype
  const { submit } = sending
  const spy = vi.spyOn(sending, 'submit').mockImplementation(function count(
    this: Burst,
    connection,
  ) {
    const request = asking.getStore()
    if (request !== undefined) request.bursts += 1
    submit.call(this, connection)
  })
  return {
    restore: () => spy.mockRestore(),
    counted: <T>(request: () => Promise<T>): Promise<{ answer: T; bursts: number }> =>
      asking.run({ bursts: 0 }, async () => {
        const answer = await request()
        return { answer, bursts: asking.getStore()?.bursts ?? 0 }
      }),
  }
}
