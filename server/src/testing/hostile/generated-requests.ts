import * as fc from 'fast-check'
import * as z from 'zod/mini'

// Generates requests from the OpenAPI document alone: valid ones, values at the bounds, and invalid
// ones.

const Schema = z.looseObject({
  type: z._default(z.string(), 'any'),
  const: z.optional(z.unknown()),
  enum: z.optional(z.array(z.unknown())),
  anyOf: z.optional(z.array(z.unknown())),
  oneOf: z.optional(z.array(z.unknown())),
  allOf: z.optional(z.array(z.looseObject({ pattern: z.optional(z.string()) }))),
  pattern: z.optional(z.string()),
  format: z.optional(z.string()),
  minLength: z.optional(z.int()),
  maxLength: z.optional(z.int()),
  minimum: z.optional(z.number()),
  maximum: z.optional(z.number()),
  items: z.optional(z.unknown()),
  minItems: z.optional(z.int()),
  maxItems: z.optional(z.int()),
  properties: z.optional(z.record(z.string(), z.unknown())),
  required: z.optional(z.array(z.string())),
})
type Schema = z.infer<typeof Schema>

/** Useful values by field name, such as the code of an existing member. */
export type Hints = Record<string, readonly unknown[]>

/** Values that a schema allows, including its bounds. @param name of the field, for the hints */
export function allowed(schema: unknown, hints: Hints, name = ''): fc.Arbitrary<unknown> {
  const hint = hints[name]
  if (hint === undefined) return free(Schema.parse(schema ?? {}), hints, name)
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...hint) },
    { weight: 1, arbitrary: free(Schema.parse(schema ?? {}), hints, name) },
  )
}

function free(schema: Schema, hints: Hints, name: string): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  const kinds = schema.anyOf ?? schema.oneOf
  if (kinds !== undefined) return fc.oneof(...kinds.map((kind) => allowed(kind, hints, name)))
  switch (schema.type) {
    case 'string':
      return texts(schema)
    case 'integer':
      return numbers(schema, fc.integer)
    case 'number':
      return numbers(schema, (bounds) => fc.double({ ...bounds, noNaN: true }))
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return lists(schema, hints, name)
    case 'object':
      return objects(schema, hints)
    default:
      return fc.jsonValue({ maxDepth: 3 })
  }
}

/** A line of any characters, or of a few problematic ones, with a length in these bounds. */
function line(minLength: number, maxLength: number): fc.Arbitrary<string> {
  return fc.oneof(
    fc.string({ minLength, maxLength, unit: 'binary' }),
    fc.string({ minLength, maxLength, unit: 'grapheme' }),
    fc.string({ minLength, maxLength, unit: fc.constantFrom('a', '0', ' ', '\u0000') }),
  )
}

function texts({ pattern, allOf, format, minLength = 0, maxLength = 200 }: Schema) {
  if (format === 'uuid') return fc.uuid()
  if (format === 'date-time' || format === 'date') {
    const day = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
    return day.map((at) => (format === 'date' ? at.toISOString().slice(0, 10) : at.toISOString()))
  }
  const regex = pattern ?? allOf?.[0]?.pattern
  if (regex !== undefined) return fc.stringMatching(new RegExp(regex))
  return fc.oneof(
    { weight: 3, arbitrary: line(minLength, Math.min(maxLength, Math.max(minLength, 20))) },
    { weight: 1, arbitrary: line(maxLength, maxLength) },
  )
}

function numbers(
  { minimum = -(2 ** 53) + 1, maximum = 2 ** 53 - 1 }: Schema,
  between: (bounds: { min: number; max: number }) => fc.Arbitrary<number>,
) {
  const [min, max] = [Math.max(minimum, -2_147_483_648), Math.min(maximum, 2_147_483_647)]
  return fc.oneof(fc.constantFrom(minimum, maximum), between({ min, max }))
}

function lists({ items, minItems = 0, maxItems = 5 }: Schema, hints: Hints, name: string) {
  const item = allowed(items, hints, name)
  const some = fc.array(item, { minLength: minItems, maxLength: Math.min(maxItems, minItems + 3) })
  // The largest allowed list is generated only while the request stays small enough to send.
  if (maxItems > 60) return some
  const most = fc.array(item, { minLength: maxItems, maxLength: maxItems })
  return fc.oneof({ weight: 4, arbitrary: some }, { weight: 1, arbitrary: most })
}

function objects({ properties = {}, required = [] }: Schema, hints: Hints) {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, allowed(field, hints, name)]),
  )
  return fc.record(fields, { requiredKeys: required, noNullPrototype: true })
}

const wrong = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    '\u0000',
    '\ud800',
    [],
    {},
    [[]],
    -1,
    0,
    1e308,
    -0.5,
    2 ** 53,
    true,
    '__proto__',
    '9'.repeat(400),
    { toString: 1, valueOf: null, constructor: {} },
  ),
  fc.jsonValue({ maxDepth: 4 }),
)

/** The same values with one part invalid, removed or added. */
export function corrupted(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.tuple(values, fc.nat(), wrong, fc.string({ maxLength: 12 })).map(corrupt)
}

function corrupt([value, at, bad, word]: [unknown, number, unknown, string]): unknown {
  if (Array.isArray(value)) {
    const list: unknown[] = value
    return list.length === 0 || at % 5 === 0
      ? [...list, bad]
      : list.with(at % list.length, corrupt([list[at % list.length], at >> 2, bad, word]))
  }
  if (typeof value !== 'object' || value === null) return bad
  const entries = Object.entries(value)
  const place = at % (entries.length + 1)
  const chosen = entries[place]
  if (chosen === undefined) return Object.fromEntries([...entries, [word, bad]])
  if (at % 3 === 0) return Object.fromEntries(entries.filter((_, n) => n !== place))
  const bent = at % 2 === 0 ? bad : corrupt([chosen[1], at >> 2, bad, word])
  return Object.fromEntries(entries.with(place, [chosen[0], bent]))
}
