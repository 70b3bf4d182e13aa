import * as z from 'zod/mini'

/**
 * Returns a copy of a schema whose objects are parsed by code that zod generates for them, three
 * times as fast. `zod/mini` leaves that out for browsers, where a content security policy forbids
 * generated code. Results, errors and the order of fields are the same
 * (docs/decisions/0118-generated-parsers.md).
 */
export function compiled<T extends z.core.$ZodType>(schema: T): T {
  if (schema instanceof z.ZodMiniObject) {
    const { shape, ...def } = schema.def
    const fields = Object.entries(shape).map(([name, field]) => [name, compiled(field)] as const)
    const copy = z.core.clone(schema, { ...def, shape: Object.fromEntries(fields) })
    z.core.$ZodObjectJIT.init(copy, copy.def)
    // Without checks, `run` is the parser that the schema had when it was made.
    const { _zod: internals } = copy
    if ((def.checks ?? []).length === 0) {
      internals.run = (payload, ctx) => internals.parse(payload, ctx)
    }
    return copy
  }
  if (schema instanceof z.ZodMiniNullable) {
    return z.core.clone(schema, { ...schema.def, innerType: compiled(schema.def.innerType) })
  }
  if (schema instanceof z.ZodMiniOptional) {
    return z.core.clone(schema, { ...schema.def, innerType: compiled(schema.def.innerType) })
  }
  if (schema instanceof z.ZodMiniArray) {
    return z.core.clone(schema, { ...schema.def, element: compiled(schema.def.element) })
  }
  return schema
}
