import * as pg from 'pg'
import { setTimeout as pause } from 'node:timers/promises'
import { right } from '../calls.ts'
import { fillMembers, settle } from '../fill.ts'
import { measure, median } from '../load.ts'
import { type Form, printFigure } from '../report.ts'
import { lookUps } from '../shots.ts'
import { childOf, openWorld, type Program, type World } from '../world.ts'
import { processorTime } from './processor.ts'

const members = 20_000
const sizes = {
  normal: { rounds: 15, seconds: 1.3, everywhere: [1, 8, 32] },
  short: { rounds: 3, seconds: 0.5, everywhere: [8] },
} as const
/** Longer than rows wait: at the beginning of a run, rows are being written as at its end. */
const leadSeconds = 0.7

type Run = { perSecond: number; microseconds: number }

/**
 * Measures the cost of the audit row of a look-up: the rate of the product, compared with the same
 * product without the row, and the processor time of server and PostgreSQL for each look-up.
 */
export async function measureAudit(form: Form): Promise<void> {
  const world = await openWorld()
  const owner = new pg.Client({ connectionString: world.ownerUrl })
  try {
    await owner.connect()
    await fillMembers(world.ownerUrl, world.companyId, 0, members)
    await settle(world.ownerUrl, world.companyId)
    const hooks = `--import=${new URL('without.ts', import.meta.url).href}`
    const without = await world.another({ NODE_OPTIONS: hooks })
    for (const connections of sizes[form].everywhere) {
      await compare({ world, owner, without }, connections, form)
    }
  } finally {
    await owner.end()
    await world.close()
  }
}

type Sides = { world: World; owner: pg.Client; without: Program }

async function compare(sides: Sides, connections: number, form: Form): Promise<void> {
  const { world, without } = sides
  const { rounds, seconds } = sizes[form]
  const once = (program: Program): Promise<Run> => runOnce(sides, program, connections, seconds)
  await once(world.program) // both warm up
  await once(without)
  const pairs: { row: Run; none: Run }[] = []
  for (let round = 0; round < rounds; round++) {
    // Each side is first in turn, so that vacuums and checkpoints concern both.
    const first = round % 2 === 0 ? await once(world.program) : null
    const none = await once(without)
    pairs.push({ row: first ?? (await once(world.program)), none })
  }
  const rates = pairs.map(({ row, none }) => row.perSecond / none.perSecond)
  const name = `look-up with an audit row, ${connections} connections`
  printFigure({
    name,
    value: median(rates),
    unit: 'of without',
    target: 0.95,
    from: {
      'per second': median(pairs.map(({ row }) => row.perSecond)),
      without: median(pairs.map(({ none }) => none.perSecond)),
      lowest: Math.min(...rates),
      highest: Math.max(...rates),
    },
  })
  printFigure({
    name: `${name}, processor`,
    value: median(pairs.map(({ row, none }) => row.microseconds / none.microseconds)),
    unit: 'times',
    from: {
      'µs each': median(pairs.map(({ row }) => row.microseconds)),
      without: median(pairs.map(({ none }) => none.microseconds)),
    },
  })
}

async function runOnce(
  { world, owner }: Sides,
  { origin, child }: Program,
  connections: number,
  seconds: number,
): Promise<Run> {
  const pid = await childOf(child.pid)
  let answers = 0
  const seen = (body: string): boolean => {
    answers += 1
    return right(body)
  }
  const shots = lookUps(world, { kind: 'mobile', members })
  const before = await processorTime(pid, owner)
  await measure(origin, connections, leadSeconds, shots, seen)
  const { perSecond } = await measure(origin, connections, seconds, shots, seen)
  await pause(leadSeconds * 1000) // the last rows are written
  const used = (await processorTime(pid, owner)) - before
  return { perSecond, microseconds: used / answers }
}
