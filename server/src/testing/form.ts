import * as z from 'zod/mini'

const Form = z._default(z.enum(['short', 'full', 'long']), 'short')

/**
 * How much the tests repeat. `short`: as little as shows the rule (`npm test`). `full`: enough to
 * meet rare timings (`npm run test:all`). `long`: new random seeds, for hours if needed
 * (`npm run test:long`).
 */
export const form = Form.parse(process.env['TEST_FORM'] || undefined)

/** The value for the form that runs. A single variable, such as PROPERTY_RUNS, goes first. */
export function inForm(values: Record<typeof form, number>, variable?: string): number {
  const given = variable === undefined ? undefined : process.env[variable]
  return given === undefined || given === '' ? values[form] : Number(given)
}

/** A random seed in the long form, otherwise always the same one. `variable` goes first. */
export function seedInForm(variable: string, same: number): number {
  const drawn = Math.floor(Math.random() * 2 ** 31)
  return inForm({ short: same, full: same, long: drawn }, variable)
}
