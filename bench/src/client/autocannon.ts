// The client where wrk is missing: a process that sends the requests of a file with autocannon and
// prints what it saw as JSON. It is Node too, so its own cost is larger than that of wrk.
import autocannon from 'autocannon'
import { readFile } from 'node:fs/promises'
import * as z from 'zod/mini'
import type { Run } from './client.ts'

const Asked = z.object({
  origin: z.string(),
  connections: z.number(),
  seconds: z.number(),
  mayRepeat: z.boolean(),
  signs: z.array(z.string()),
  shots: z.array(
    z.object({
      method: z.enum(['GET', 'POST']),
      path: z.string(),
      headers: z.record(z.string(), z.string()),
      body: z.optional(z.string()),
    }),
  ),
})

const [, , file = ''] = process.argv
const { origin, connections, seconds, mayRepeat, signs, shots } = Asked.parse(
  JSON.parse(await readFile(file, 'utf8')),
)
let [sent, firstWrong] = [0, '']

const result = await autocannon({
  url: origin,
  connections,
  duration: seconds,
  requests: [{ setupRequest: (request) => ({ ...request, ...nextShot() }) }],
  verifyBody(body) {
    const text = String(body)
    if (signs.some((sign) => text.includes(sign))) return true
    firstWrong ||= text
    return false
  },
})
const { latency } = result
const run: Run = {
  answers: result['2xx'],
  seconds: result.duration,
  p50Ms: latency.p50,
  p99Ms: latency.p99,
  failed: result.errors + result.timeouts,
  sent,
  wrong: result.mismatches + result.non2xx,
  ranOut: sent > shots.length && !mayRepeat,
  firstWrong,
}
process.stdout.write(JSON.stringify(run))

function nextShot() {
  const shot = shots[sent++ % shots.length]
  if (shot === undefined) throw new Error('no request')
  return shot
}
