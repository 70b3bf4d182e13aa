import * as z from 'zod/mini'

const Level = z._default(z.enum(['short', 'full', 'long']), 'short')

/**
 * How much the tests repeat. `short`: as little as shows the rule (`npm test`). `full`: enough to
 * meet rare timings (`npm run test:all`). `long`: new random seeds, for hours if needed
 * (`npm run test:long`).
 */
export const repetitionLevel = Level.parse(process.env['TEST_LEVEL'] || undefined)

/** The value for the current level. A variable such as PROPERTY_RUNS takes precedence. */
export function atLevel(values: Record<typeof repetitionLevel, number>, variable?: string): number {
  const given = variable === undefined ? undefined : process.env[variable]
  return given === undefined || given === '' ? values[repetitionLevel] : Number(given)
}

/** A random seed at level `long`, otherwise always the same one. `variable` takes precedence. */
export function seedAtLevel(variable: string, same: number): number {
  const drawn = Math.floor(Math.random() * 2 ** 31)
  return atLevel({ short: same, full: same, long: drawn }, variable)
}
