import { right } from '../calls.ts'
import { measure, median } from '../load.ts'
import { type Form, printFigure } from '../report.ts'
import { openWorld } from '../world.ts'
import { everything, fillShop } from './mix.ts'

const members = 20_000
const connections = 8
const sliceSeconds = 10

/**
 * Reads and sales without a pause for 30 minutes, or for `SOAK_MINUTES`. The memory at the end must
 * not exceed the limit, nor the memory after the warm-up by more than a tenth.
 */
export async function measureSoak(form: Form): Promise<void> {
  const minutes = Number(process.env['SOAK_MINUTES'] ?? (form === 'short' ? 1 : 30))
  const slices = Math.max(10, Math.round((minutes * 60) / sliceSeconds))
  const world = await openWorld()
  try {
    await fillShop(world, members)
    const next = everything(world, members)
    const [held, rates]: [number[], number[]] = [[], []]
    for (let slice = 0; slice < slices; slice++) {
      const seen = await measure(world.product, connections, sliceSeconds, next, right)
      rates.push(seen.perSecond)
      held.push(await world.productMemoryMib())
    }
    const tenth = Math.ceil(slices / 10)
    const [warm, end] = [held.slice(tenth, 2 * tenth), held.slice(-tenth)]
    printFigure({
      name: `memory after ${minutes} minutes to that when warm`,
      value: median(end) / median(warm),
      unit: 'times',
      target: 1.1,
      better: 'less',
      from: {
        'warm MiB': median(warm),
        'end MiB': median(end),
        'most MiB': Math.max(...held),
        'per second': median(rates),
      },
    })
    printFigure({
      name: 'memory of the server',
      value: median(end),
      unit: 'MiB',
      target: 200,
      better: 'less',
      from: { requests: rates.reduce((sum, rate) => sum + rate * sliceSeconds, 0) },
    })
  } finally {
    await world.close()
  }
}
