import { drive, type Supply } from './client/client.ts'
import { processorTime } from './growth/processor.ts'
import { median } from './load.ts'
import { printFigure } from './report.ts'
import type { Shots } from './shots.ts'
import type { Program, World } from './world.ts'

/** One kind of request, and the lowest ratio to the bare rate that counts as reached. */
export type Comparison = {
  name: string
  target?: number
  shots: Shots
  /** Whether the requests only read, so that they may be repeated. */
  reads: boolean
}

type Turns = {
  rounds: number
  seconds: number
  /** Of the first turn of each side, which is not counted: V8 compiles for some seconds. */
  warmUpSeconds: number
  everywhere: readonly number[]
}

/**
 * One turn of a side. The processor time is that of its server, and of PostgreSQL, in µs for each
 * request; the client's is not in it.
 */
type Turn = { perSecond: number; p50Ms: number; p99Ms: number; server: number; database: number }

/**
 * Compares the product with the bare server, in turns. Prints the ratio of the rates and the ratio
 * of the processor time: the rate contains the client's work and depends on the other load of the
 * machine, processor time hardly.
 */
export async function compareWithBare(
  world: World,
  { name, target, shots, reads }: Comparison,
  { rounds, seconds, warmUpSeconds, everywhere }: Turns,
): Promise<void> {
  const supply: Supply = { next: shots, mayRepeat: reads, prepared: [] }
  for (const side of [world.program, world.bareProgram]) {
    await turn(side, Math.max(...everywhere), warmUpSeconds, supply)
  }
  for (const connections of everywhere) {
    const once = (side: Program): Promise<Turn> => turn(side, connections, seconds, supply)
    // Both warm up: connections open, statements are prepared.
    await once(world.program)
    await once(world.bareProgram)
    const [product, bare]: [Turn[], Turn[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      // Each side is first in turn, so that vacuums and checkpoints concern both.
      if (round % 2 === 1) bare.push(await once(world.bareProgram))
      product.push(await once(world.program))
      if (round % 2 === 0) bare.push(await once(world.bareProgram))
    }
    const ratios = product.map((own, n) => own.perSecond / (bare[n]?.perSecond ?? Number.NaN))
    const of = (side: Turn[], one: (turn: Turn) => number): number => median(side.map(one))
    const busy = ({ server, database }: Turn): number => server + database
    printFigure({
      name: `${name}, ${connections} connections`,
      value: median(ratios),
      unit: 'of bare',
      ...(target === undefined ? {} : { target }),
      from: {
        'per second': of(product, ({ perSecond }) => perSecond),
        bare: of(bare, ({ perSecond }) => perSecond),
        lowest: Math.min(...ratios),
        highest: Math.max(...ratios),
        'p50 ms': of(product, ({ p50Ms }) => p50Ms),
        'p99 ms': of(product, ({ p99Ms }) => p99Ms),
      },
    })
    printFigure({
      name: `${name}, ${connections} connections, processor`,
      value: of(bare, busy) / of(product, busy),
      unit: 'of bare',
      from: {
        'server µs': of(product, ({ server }) => server),
        'PostgreSQL µs': of(product, ({ database }) => database),
        'bare µs': of(bare, ({ server }) => server),
        'its PostgreSQL µs': of(bare, ({ database }) => database),
      },
    })
  }
}

async function turn(
  { origin, child }: Program,
  connections: number,
  seconds: number,
  supply: Supply,
): Promise<Turn> {
  const before = await processorTime(child.pid)
  const { answers, ...rate } = await drive(origin, connections, seconds, supply)
  const after = await processorTime(child.pid)
  const each = (name: 'server' | 'database'): number =>
    ((after[name] - before[name]) * 1e6) / answers
  return { ...rate, server: each('server'), database: each('database') }
}
