import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { runNginx } from '@tillside/server/testing/servers/nginx-process'
import { median } from '../load.ts'
import { type Form, say, printFigure } from '../report.ts'
import { openWorld, type World } from '../world.ts'
import type { Order, Seen } from './flood.ts'
import { fillShop } from './mix.ts'

const members = 20_000
const sizes = {
  normal: { rounds: 3, peakSeconds: 2, seconds: 6, after: 6 },
  short: { rounds: 1, peakSeconds: 1, seconds: 2, after: 1 },
} as const

/**
 * Measures overload: how many requests the server still answers, how soon it refuses the others,
 * and how soon it recovers. The server and its database use one processor and the clients another,
 * so that neither takes time from the other.
 */
export async function measureOverload(form: Form): Promise<void> {
  keepTo('0')
  const world = await openWorld()
  try {
    await fillShop(world, members)
    await overflow(world, world.product, '', form)
    keepTo('0')
    await behindNginx(world, form)
  } finally {
    keepTo(`0-${availableParallelism() - 1}`)
    await world.close()
  }
}

/** The same with nginx in front, as recommended to operators, on the server's processor. */
async function behindNginx(world: World, form: Form): Promise<void> {
  if (!existsSync('/usr/sbin/nginx')) return say('overload behind nginx: skipped, there is none')
  const port = Number(new URL(world.product).port)
  // Both upstreams are the same process.
  const nginx = await runNginx([port, port], { most: 195, plain: true })
  try {
    await overflow(world, `http://127.0.0.1:${nginx.port}`, 'behind nginx, ', form)
  } finally {
    await nginx.close()
  }
}

async function overflow(world: World, origin: string, name: string, form: Form): Promise<void> {
  const { rounds, peakSeconds, seconds, after } = sizes[form]
  keepTo('1')
  const closed = { perSecond: null, seconds: peakSeconds }
  await flood(world, origin, [closed])
  for (const times of [3, 10]) {
    const floods: Flood[] = []
    for (let round = 0; round < rounds; round++) {
      const [{ goodPerSecond: peak }] = await flood(world, origin, [closed])
      const [during, calm] = await flood(world, origin, [
        { perSecond: times * peak, seconds },
        { perSecond: 0.5 * peak, seconds: after },
      ])
      if (calm === undefined) throw new Error('the flood ended early')
      floods.push({ peak, during, after: calm })
    }
    report(`${name}at ${times} times its capacity`, floods)
  }
}

/** `peak`: the rate in a closed loop just before. */
type Flood = { peak: number; during: Seen; after: Seen }

async function flood(
  { token, key }: World,
  origin: string,
  phases: Order['phases'],
): Promise<[Seen, ...Seen[]]> {
  const order: Order = { origin, token, key, members, phases }
  const worker = new Worker(new URL('./flood.ts', import.meta.url), { workerData: order })
  const seen: Seen[] = []
  worker.on('message', (phase: Seen) => seen.push(phase))
  await new Promise<void>((done, failed) => {
    worker.once('exit', () => done())
    worker.once('error', failed)
  })
  const [first, ...others] = seen
  if (first === undefined) throw new Error('the flood ended early')
  return [first, ...others]
}

function report(name: string, floods: readonly Flood[]): void {
  const middle = (figure: (flood: Flood) => number) => median(floods.map(figure))
  printFigure({
    name: `${name}: answered`,
    value: middle(({ during, peak }) => during.goodPerSecond / peak),
    unit: 'of peak',
    target: 0.8,
    from: {
      'per second': middle(({ during }) => during.goodPerSecond),
      peak: middle(({ peak }) => peak),
      'p99 ms': middle(({ during }) => during.goodP99Ms),
      unsent: middle(({ during }) => during.unsent),
      wrong: middle(({ during, after }) => during.wrong + after.wrong),
    },
  })
  // Two figures: the server delays the refusals of a connection that ignores `Retry-After`.
  printFigure({
    name: `${name}: first refused, p99`,
    value: middle(({ during }) => during.refusedP99Ms),
    unit: 'ms',
    target: 50,
    better: 'less',
    from: {
      'p50 ms': middle(({ during }) => during.refusedP50Ms),
      refusals: middle(({ during }) => during.refused),
    },
  })
  printFigure({
    name: `${name}: refused before Retry-After, p99`,
    value: middle(({ during }) => during.repeatedP99Ms),
    unit: 'ms',
    target: 50,
    better: 'less',
    from: {
      'p50 ms': middle(({ during }) => during.repeatedP50Ms),
      refusals: middle(({ during }) => during.repeated),
    },
  })
  printFigure({
    name: `${name}: as before after`,
    value: middle(({ after }) => after.calmAfterSeconds),
    unit: 's',
    target: 10,
    better: 'less',
    from: { 'p99 ms': middle(({ after }) => after.goodP99Ms) },
  })
}

/** Binds this process and the processes that it starts to these processors. */
function keepTo(processors: string): void {
  if (availableParallelism() < 2) return
  const { status } = spawnSync('taskset', ['-acp', processors, String(process.pid)])
  if (status !== 0) say('overload: without taskset, server and customers share all processors')
}
