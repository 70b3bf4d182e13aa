import type { Endpoint } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'

// Values that break programs, for every field of the contract. The fields are read from the schema,
// so new fields are tested automatically.

const Property = z.looseObject({
  type: z.optional(z.string()),
  maxLength: z.optional(z.int()),
  anyOf: z.optional(z.array(z.looseObject({ type: z.optional(z.string()) }))),
})
const ObjectSchema = z.object({ properties: z.record(z.string(), Property) })
const OneOf = z.object({ oneOf: z.tuple([ObjectSchema], ObjectSchema) })

/** A field as the OpenAPI document describes it. */
export type Field = {
  name: string
  type: string | null
  maxLength: number | null
  /** Whether the field accepts null. */
  nullable: boolean
}

/** The fields of an endpoint's input. If the input is a union, the fields of its first member. */
export function fieldsOf(endpoint: Endpoint): Field[] {
  const schema = z.toJSONSchema(endpoint.input, { io: 'input', unrepresentable: 'any' })
  const kinds = OneOf.safeParse(schema)
  const { properties } = kinds.success
    ? kinds.data.oneOf[0]
    : ObjectSchema.parse({ properties: {}, ...schema })
  return Object.entries(properties).map(([name, property]) => ({
    name,
    type: property.type ?? null,
    maxLength: property.maxLength ?? null,
    nullable: property.anyOf?.some(({ type }) => type === 'null') ?? false,
  }))
}

/** One bad value. `json`: its text in a body; `query`: its text in a URL. */
export type BadValue = { what: string; json?: string; query?: string }

/** Values that every field refuses. */
export function alwaysRefused(field: Field): BadValue[] {
  const long = 'x'.repeat((field.maxLength ?? 8_000) + 1)
  return [
    { what: 'empty', json: '""', query: '' },
    { what: 'spaces', json: '"   "', query: '%20%20' },
    { what: 'too long', json: JSON.stringify(long), query: long },
    ...(field.nullable ? [] : [{ what: 'null', json: 'null' }]),
    ...(field.type === 'boolean' ? [] : [{ what: 'a boolean', json: 'true' }]),
    { what: 'a number', json: '7.5' },
    { what: 'an infinite number', json: '1e999' },
    { what: 'an empty list', json: '[]' },
    { what: 'a list', json: '[["x"]]' },
    { what: 'an object', json: '{"a":{"b":[{}]}}' },
    // Deeper nesting is refused before the fields are validated (values/depth.ts).
    { what: 'a deep nest', json: `${'['.repeat(28)}${']'.repeat(28)}` },
    { what: 'a key twice', query: `x&${field.name}=y` },
  ]
}

/** Values that every one-line text field refuses; a password may contain them. */
export const refusedInText: BadValue[] = [
  { what: 'a NUL', json: String.raw`"a\u0000b"`, query: 'a%00b' },
  { what: 'an escape', json: String.raw`"a\u001bb"`, query: 'a%1Bb' },
  { what: 'a line feed', json: String.raw`"a\nb"`, query: 'a%0Ab' },
  { what: 'a C1 control', json: String.raw`"a\u0085b"`, query: 'a%C2%85b' },
  {
    what: 'only invisible characters',
    json: String.raw`"\u200b\u2060"`,
    query: '%E2%80%8B%E2%81%A0',
  },
  { what: 'a line separator', json: String.raw`"a\u2028b"`, query: 'a%E2%80%A8b' },
  { what: 'a bidirectional override', json: String.raw`"a\u202eb"`, query: 'a%E2%80%AEb' },
  { what: 'a high surrogate alone', json: String.raw`"a\ud800b"` },
  { what: 'a low surrogate alone', json: String.raw`"a\udc00b"` },
]

/** Values that may be accepted or refused, but must not cause an error. */
export const toleratedValues: BadValue[] = [
  { what: 'SQL', json: `"' or 1=1; --"`, query: '%27%20or%201%3D1%3B%20--' },
  { what: 'markup', json: '"<script>alert(1)</script>"', query: '%3Cscript%3E' },
  { what: 'a path', json: '"../../etc/passwd"', query: '..%2F..%2Fetc%2Fpasswd' },
  { what: 'a surrogate in bytes', query: '%ED%A0%80' },
  { what: 'half an escape', query: '%' },
  { what: 'no UTF-8', query: '%FF%FE' },
  { what: 'a pair of brackets', query: '[]' },
  { what: 'a joined family', json: '"👨‍👩‍👧‍👦"', query: '%F0%9F%91%A8' },
  { what: 'letters that change length', json: '"ßŉǰΐﬃ"', query: '%C3%9F%EF%AC%83' },
  { what: 'a number as text', json: '"-9223372036854775808"', query: '-9223372036854775808' },
  { what: 'a zero date', json: '"0000-00-00"', query: '0000-00-00' },
  { what: 'a far date', json: '"9999-12-31"', query: '9999-12-31' },
]
