import { schemaNames } from '@tillside/contract/integration/names'
import { Problem } from '@tillside/contract/integration/problems'
import * as z from 'zod/mini'

// The JSON schemas of the OpenAPI document, made from the contract's schemas.

export type Json = Record<string, unknown>

const Fields = z.record(z.string(), z.looseObject({}))
export const ObjectSchema = z.looseObject({
  properties: Fields,
  required: z.optional(z.array(z.string())),
})
export type ObjectSchema = z.infer<typeof ObjectSchema>
const Enum = z.looseObject({ enum: z.array(z.string()) })

/** The schemas that have names, and a function that makes others with references to them. */
export type Schemas = ReturnType<typeof namedSchemas>

/** The named schemas, and a function that makes a schema with references to them. */
export function namedSchemas() {
  const all: Record<string, unknown> = {}
  function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
    // A named schema is a reference only inside another one.
    const made = z.toJSONSchema(z.object({ whole: schema }), {
      io,
      metadata: schemaNames,
      unrepresentable: 'any',
      target: 'draft-2020-12',
      override({ zodSchema, jsonSchema }) {
        if (io === 'input') limit(zodSchema, jsonSchema)
        simplify(jsonSchema)
        discriminate(zodSchema, jsonSchema)
      },
    })
    const { properties, $defs = {} } = z
      .object({ properties: z.object({ whole: z.looseObject({}) }), $defs: z.optional(Fields) })
      .parse(pointed(made))
    for (const [name, definition] of Object.entries($defs)) all[name] ??= definition
    return properties.whole
  }
  schemaOf(Problem, 'output')
  return { all, schemaOf }
}

const Parsed = z.looseObject({
  type: z.literal('pipe'),
  out: z.custom<z.core.$ZodType>((one) => one instanceof z.core.$ZodType),
})
const Limits = z.object({
  type: z.enum(['string', 'integer']),
  pattern: z.optional(z.string()),
  minLength: z.optional(z.int()),
  maxLength: z.optional(z.int()),
  minimum: z.optional(z.int()),
  maximum: z.optional(z.int()),
})

/**
 * Gives a value that is parsed in steps the limits of its last step: a text without the spaces
 * around it, and a number that a query has as digits.
 */
function limit(zodSchema: z.core.$ZodType, schema: z.core.JSONSchema.BaseSchema): void {
  const { data } = Parsed.safeParse(zodSchema._zod.def)
  if (data === undefined) return
  const limits = Limits.safeParse(z.toJSONSchema(data.out, { unrepresentable: 'any' }))
  if (!limits.success) return
  if (limits.data.type === 'integer') delete schema.anyOf
  Object.assign(schema, limits.data)
}

/** Formats that say all that their pattern says. */
const formats = new Set(['date', 'date-time', 'email', 'uuid'])

const dayPattern = z.regexes.date.source.slice(0, -1)

/** Makes a JSON schema readable for people and for generators of clients. */
function simplify(schema: z.core.JSONSchema.BaseSchema): void {
  // A day or a time with one more condition, such as no year 0, is still one.
  if (schema.allOf?.[0]?.pattern?.startsWith(dayPattern) === true) {
    if (schema.$ref === undefined) {
      schema.format = schema.allOf[0].pattern.includes('T(') ? 'date-time' : 'date'
    }
    delete schema.allOf
  }
  if (schema.format !== undefined && formats.has(schema.format)) {
    delete schema.pattern
    delete schema.allOf
  }
  // Every integer has these bounds; they say nothing.
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  // A record with these keys is an object with these properties.
  const keys = schema.propertyNames === undefined ? null : Enum.safeParse(schema.propertyNames)
  if (keys?.success === true) {
    const { additionalProperties: value = true } = schema
    schema.properties = Object.fromEntries(keys.data.enum.map((key) => [key, value]))
    schema.additionalProperties = false
    delete schema.propertyNames
  }
}

const Discriminated = z.looseObject({
  type: z.literal('union'),
  discriminator: z.string(),
  options: z.array(z.custom<z.core.$ZodObject>((one) => one instanceof z.core.$ZodObject)),
})

/** Names the field that tells the variants of a union apart, if each variant has a name. */
function discriminate(zodSchema: z.core.$ZodType, schema: z.core.JSONSchema.BaseSchema): void {
  const { data: union } = Discriminated.safeParse(zodSchema._zod.def)
  if (union === undefined) return
  const { discriminator: propertyName, options } = union
  const mapping = options.flatMap((option) => {
    const id = schemaNames.get(option)?.id
    const [value] = option._zod.def.shape[propertyName]?._zod.values ?? []
    return id === undefined ? [] : [[String(value), `#/$defs/${id}`] as const]
  })
  if (mapping.length < options.length) return
  schema['discriminator'] = { propertyName, mapping: Object.fromEntries(mapping) }
}

/** The JSON schema with references into the document's components, and without the names. */
function pointed(schema: unknown): unknown {
  const text = JSON.stringify(schema, (key, value: unknown) =>
    key === 'id' && typeof value === 'string' ? undefined : value,
  )
  return JSON.parse(text.replaceAll('#/$defs/', '#/components/schemas/'))
}
