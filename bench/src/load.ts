import { Agent, request } from 'node:http'

/** A right answer contains one of these texts. A refusal is HTTP 200 as well. */
export const signs = [
  '{"code":0',
  '{"member":{',
  '"status":"USED"',
  '"unchanged":0,"refused":0',
  '"status":"ready"',
]

/** One request to send. */
export type Shot = {
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body?: string
}

/** The results of a run. A wrong answer makes the run invalid, so it throws instead. */
export type Rate = { perSecond: number; p50Ms: number; p99Ms: number }

/**
 * Sends shots over `connections` kept-alive connections for `seconds`, or until `next` returns
 * null. Each connection sends the next shot after the last answer (a closed loop), so both sides of
 * a comparison have the same load.
 * @throws Error if an answer is not 200 or `right` returns false
 */
export async function measure(
  origin: string,
  connections: number,
  seconds: number,
  next: () => Shot | null,
  right: (body: string) => boolean,
): Promise<Rate> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const took: number[] = []
  const end = performance.now() + seconds * 1000
  const started = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (;;) {
        const before = performance.now()
        const shot = before < end ? next() : null
        if (shot === null) return
        const { status, body } = await send(origin, agent, shot)
        if (status !== 200 || !right(body)) throw new Error(`a wrong answer: ${status} ${body}`)
        took.push(performance.now() - before)
      }
    }),
  )
  const duration = (performance.now() - started) / 1000
  agent.destroy()
  const sorted = took.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  return { perSecond: took.length / duration, p50Ms: at(0.5), p99Ms: at(0.99) }
}

function send(origin: string, agent: Agent, shot: Shot): Promise<{ status: number; body: string }> {
  return new Promise((done, failed) => {
    const { method, headers } = shot
    const sent = request(origin + shot.path, { method, headers, agent }, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => (body += part))
      response.on('end', () => done({ status: response.statusCode ?? 0, body }))
    })
    sent.on('error', failed)
    sent.end(shot.body)
  })
}

/** The middle of an odd number of values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
