import { right } from '../calls.ts'
import { measure, median, type Shot } from '../load.ts'
import { type Form, printFigure } from '../report.ts'
import { receipts, returnOf, saleOf, sales, spendOf, spends, spread } from '../shots.ts'
import { type Build, buildOf, thisBuild } from './build.ts'

const members = 20_000
const connections = 8
const sizes = {
  normal: { rounds: 9, seconds: 1.5, returns: 1000 },
  short: { rounds: 3, seconds: 0.5, returns: 200 },
} as const
const perBatch = 500

/** How one kind of request is sent to a build for one turn. */
type Turn = (build: Build, form: Form) => Promise<{ seconds: number; next: () => Shot | null }>

/** `target`: the least part of the other build's rate. */
const kinds: Record<string, { turn: Turn; target?: number }> = {
  sale: { turn: forSeconds(sales), target: 0.95 },
  spend: { turn: forSeconds(spends), target: 0.95 },
  'return, usual': { turn: (build, form) => prepared(build, form, false) },
  // The sale's points were spent, so the product replays the member's history.
  'return, replayed': { turn: (build, form) => prepared(build, form, true) },
}

/**
 * Measures sales, returns and spending of this build and of another commit in turns. Each build has
 * two processes and a database of its own, which rests during the turn of the other build.
 * @param against the other commit
 */
export async function measureReturns(form: Form, against: string | undefined): Promise<void> {
  if (against === undefined) throw new Error('name the other commit: -- --against COMMIT')
  const before = await buildOf(against, members)
  try {
    const now = await thisBuild(members)
    try {
      for (const [name, { turn, target }] of Object.entries(kinds)) {
        await compare({ name, turn, target }, before, now, form)
      }
    } finally {
      await now.close()
    }
  } finally {
    await before.close()
  }
}

async function compare(
  { name, turn, target }: { name: string; turn: Turn; target: number | undefined },
  before: Build,
  now: Build,
  form: Form,
): Promise<void> {
  const once = async (build: Build): Promise<number> => {
    const { seconds, next } = await turn(build, form)
    return rateOf(build, seconds, next)
  }
  await once(before) // both warm up
  await once(now)
  const pairs: { before: number; now: number }[] = []
  for (let round = 0; round < sizes[form].rounds; round++) {
    const first = round % 2 === 0 ? await once(before) : null
    const own = await once(now)
    pairs.push({ before: first ?? (await once(before)), now: own })
  }
  const ratios = pairs.map((pair) => pair.now / pair.before)
  printFigure({
    name: `${name}, ${connections} connections`,
    value: median(ratios),
    unit: 'of before',
    ...(target === undefined ? {} : { target }),
    from: {
      'per second': median(pairs.map((pair) => pair.now)),
      before: median(pairs.map((pair) => pair.before)),
      lowest: Math.min(...ratios),
      highest: Math.max(...ratios),
    },
  })
}

/** Requests a second of both processes together. */
async function rateOf({ origins }: Build, seconds: number, next: () => Shot | null) {
  const each = connections / origins.length
  const rates = await Promise.all(
    origins.map((origin) => measure(origin, each, seconds, next, right)),
  )
  return rates.reduce((sum, { perSecond }) => sum + perSecond, 0)
}

function forSeconds(shots: typeof sales): Turn {
  return async (build, form) => ({ seconds: sizes[form].seconds, next: shots(build, members) })
}

const nextMember = spread(members)
/** A turn ends with its last return. */
const untilEmpty = 600

/** Records sales that can be returned. @param spent whether their members spend the points */
async function prepared(build: Build, form: Form, spent: boolean): ReturnType<Turn> {
  const sold = Array.from({ length: sizes[form].returns }, () => saleOf(`M${nextMember()}`))
  const batches = Array.from({ length: Math.ceil(sold.length / perBatch) }, (_, n) =>
    receipts(build, sold.slice(n * perBatch, (n + 1) * perBatch)),
  )
  await rateOf(build, untilEmpty, oneByOne(batches))
  const debits = spent ? sold.map(({ memberCode }) => spendOf(build, memberCode)) : []
  await rateOf(build, untilEmpty, oneByOne(debits))
  const returns = sold.map((sale) => receipts(build, [returnOf(sale)]))
  return { seconds: untilEmpty, next: oneByOne(returns) }
}

function oneByOne(shots: readonly Shot[]): () => Shot | null {
  let n = 0
  return () => shots[n++] ?? null
}
