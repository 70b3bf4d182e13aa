import { z } from 'zod'

// The fields of a request as rows of a table, from its JSON schema.

const Schema = z.looseObject({
  $ref: z.string().optional(),
  type: z.string().optional(),
  pattern: z.string().optional(),
  format: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  maxLength: z.number().optional(),
  const: z.unknown().optional(),
  default: z.unknown().optional(),
  enum: z.array(z.string()).optional(),
  required: z.array(z.string()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
})
type Schema = z.infer<typeof Schema>

export type Field = { name: string; type: string; required: boolean; default?: unknown }
type Schemas = Record<string, unknown>

/** Names of values that are written in a certain way, by the names of their schemas. */
const written: Partial<Record<string, string>> = { Money: 'money', Instant: 'time', Day: 'day' }

/**
 * The fields of an object, with those of inner objects as `items[].price`. An object of several
 * kinds has the fields of all; those that not every kind requires are optional.
 */
export function fieldsOf(schema: unknown, schemas: Schemas, before = ''): Field[] {
  const { properties = {}, required = [], oneOf } = resolved(schema, schemas)
  if (oneOf !== undefined) return ofKinds(oneOf.map((kind) => fieldsOf(kind, schemas, before)))
  return Object.entries(properties).flatMap(([key, value]) => {
    const name = before + key
    const { default: preset } = Schema.parse(value)
    const own = { name, type: typeOf(value, schemas), required: required.includes(key) }
    const field = preset === undefined || preset === null ? own : { ...own, default: preset }
    return [field, inner(value, schemas, name)].flat()
  })
}

function ofKinds(kinds: Field[][]): Field[] {
  const byName = Map.groupBy(kinds.flat(), ({ name }) => name)
  return [...byName].map(([name, same]) => ({
    name,
    type: [...new Set(same.map(({ type }) => type))].join(' or '),
    required: same.length === kinds.length && same.every((one) => one.required),
  }))
}

/** The fields of an object, or of the objects of a list, that may also be null. */
function inner(value: unknown, schemas: Schemas, name: string): Field[] {
  const { anyOf, items, properties } = resolved(value, schemas)
  if (anyOf !== undefined) return anyOf.flatMap((one) => inner(one, schemas, name))
  if (items !== undefined) return inner(items, schemas, `${name}[]`)
  return properties === undefined ? [] : fieldsOf(value, schemas, `${name}.`)
}

function resolved(schema: unknown, schemas: Schemas): Schema {
  const parsed = Schema.parse(schema)
  const name = parsed.$ref?.split('/').at(-1)
  return name === undefined ? parsed : Schema.parse(schemas[name])
}

/** The type of a value, in words. */
export function typeOf(value: unknown, schemas: Schemas): string {
  const schema = Schema.parse(value)
  const known = written[schema.$ref?.split('/').at(-1) ?? '']
  if (known !== undefined) return known
  const { type = 'object', pattern, format, anyOf, items, ...rest } = resolved(value, schemas)
  if (anyOf !== undefined) {
    return [...new Set(anyOf.map((one) => typeOf(one, schemas)))].join(' or ')
  }
  if (rest.enum !== undefined) return rest.enum.map((one) => `\`${one}\``).join(', ')
  if (rest.const !== undefined) return `\`${JSON.stringify(rest.const)}\``
  if (items !== undefined) return listOf(typeOf(items, schemas))
  const name = type === 'string' ? textType(format, pattern) : (types[type] ?? type)
  return name + limitsOf(rest)
}

function limitsOf({ minimum, maximum, maxLength }: Partial<Schema>): string {
  const range = [minimum, maximum].map((bound) => bound?.toLocaleString('en-US'))
  if (minimum !== undefined && maximum !== undefined) return ` (${range.join(' to ')})`
  return maxLength === undefined ? '' : ` (at most ${maxLength})`
}

/** The fields of a listed object are in rows of their own. */
function listOf(item: string): string {
  return item === 'object' ? 'list' : `list of ${item}`
}

const types: Partial<Record<string, string>> = { integer: 'whole number', string: 'text' }

const formats: Partial<Record<string, string>> = { date: 'day', 'date-time': 'time' }

function textType(format = '', pattern = ''): string {
  return formats[format] ?? (pattern.includes('\\.\\d{2') ? 'money' : 'text')
}
