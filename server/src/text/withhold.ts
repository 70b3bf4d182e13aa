import { type FactName, factOf, maySee } from '@tillside/contract/wire/facts'
import type { Permission } from '@tillside/contract/wire/permissions'
import * as z from 'zod/mini'

// The one place that applies the contract's table of facts to an answer.

/** Returns the value with null in place of each fact that the permissions do not allow. */
type Withhold = (value: unknown, permissions: ReadonlySet<Permission>) => unknown

const compiled = new WeakMap<z.core.$ZodType, Withhold | null>()

/**
 * Replaces each fact of an answer that the caller may not see by null.
 * @param schema the answer's schema, whose marks say what the facts are
 * @returns the value itself if the schema has no facts
 */
export function withhold(
  schema: z.core.$ZodType,
  value: unknown,
  permissions: ReadonlySet<Permission>,
): unknown {
  const ofWhole = withholderOf(schema)
  return ofWhole === null || seesAll(schema, permissions) ? value : ofWhole(value, permissions)
}

/** Whether these permissions allow every fact of an answer. */
export function seesAll(schema: z.core.$ZodType, permissions: ReadonlySet<Permission>): boolean {
  // By the set itself: a process keeps the permissions of a remembered session.
  const bySet = seen.get(schema) ?? new WeakMap<ReadonlySet<Permission>, boolean>()
  seen.set(schema, bySet)
  const known = bySet.get(permissions)
  if (known !== undefined) return known
  const all = factsIn(schema).every((fact) => maySee(permissions, fact))
  bySet.set(permissions, all)
  return all
}

const seen = new WeakMap<z.core.$ZodType, WeakMap<ReadonlySet<Permission>, boolean>>()

function factsIn(schema: z.core.$ZodType): FactName[] {
  const own = factOf(schema)
  return [...(own === undefined ? [] : [own]), ...partsOf(schema).flatMap(factsIn)]
}

function partsOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodMiniObject) return Object.values(schema.shape)
  if (schema instanceof z.ZodMiniArray) return [schema.def.element]
  if (schema instanceof z.ZodMiniNullable || schema instanceof z.ZodMiniOptional) {
    return [schema.def.innerType]
  }
  return []
}

function withholderOf(schema: z.core.$ZodType): Withhold | null {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const inner = withholderInside(schema)
  const fact = factOf(schema)
  const whole: Withhold | null =
    fact === undefined
      ? inner
      : (value, permissions) => {
          if (!maySee(permissions, fact)) return null
          return inner === null ? value : inner(value, permissions)
        }
  compiled.set(schema, whole)
  return whole
}

function withholderInside(schema: z.core.$ZodType): Withhold | null {
  if (schema instanceof z.ZodMiniObject) return ofObject(schema.shape)
  if (schema instanceof z.ZodMiniArray) {
    const ofItem = withholderOf(schema.def.element)
    if (ofItem === null) return null
    return (value, permissions) =>
      Array.isArray(value) ? value.map((item) => ofItem(item, permissions)) : value
  }
  if (schema instanceof z.ZodMiniNullable || schema instanceof z.ZodMiniOptional) {
    return withholderOf(schema.def.innerType)
  }
  const others =
    schema instanceof z.ZodMiniUnion
      ? schema.def.options
      : schema instanceof z.ZodMiniRecord
        ? [schema.def.valueType]
        : []
  if (others.some((other) => withholderOf(other) !== null)) {
    throw new Error('a fact within a union or a record is not supported')
  }
  return null
}

function ofObject(shape: Readonly<Record<string, z.core.$ZodType>>): Withhold | null {
  const fields = new Map(
    Object.entries(shape).flatMap(([name, schema]) => {
      const ofField = withholderOf(schema)
      return ofField === null ? [] : [[name, ofField] as const]
    }),
  )
  if (fields.size === 0) return null
  return (value, permissions) => {
    if (typeof value !== 'object' || value === null) return value
    const parts = Object.entries(value).map(([name, part]): [string, unknown] => {
      const ofField = part === undefined ? undefined : fields.get(name)
      return [name, ofField === undefined ? part : ofField(part, permissions)]
    })
    return Object.fromEntries(parts)
  }
}
