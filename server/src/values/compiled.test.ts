import { endpoints } from '@tillside/contract/endpoints'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { MemberRow } from '../member/member.ts'
import { compiled } from './compiled.ts'

const part = z._default(z.nullable(z.string()), null)
const samples: Record<string, z.ZodMiniType> = {
  plain: z.object({ a: z.string(), b: z.nullable(z.int()) }),
  strict: z.strictObject({ a: z.string(), b: z.optional(z.int()) }),
  loose: z.looseObject({ a: z.string() }),
  defaults: z.object({ a: part, b: z.nullable(z.object({ a: part })) }),
  lists: z.object({ a: z.array(z.object({ a: z.int() })), b: z.optional(z.array(z.string())) }),
  checked: z.object({ a: z.string(), b: z.string() }).check(z.refine(({ a, b }) => a !== b)),
  records: z.object({ a: z.record(z.string(), z.int()), b: z.partialRecord(z.enum(['a']), part) }),
  unions: z.object({ a: z.union([z.string(), z.object({ a: z.int() })]), b: z.unknown() }),
  member: MemberRow,
}
const leaf = fc.constantFrom<unknown>('a', '', 1, 1.5, true, null, undefined, {}, [])
const { value } = fc.letrec<{ value: unknown; node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), tie('node'), { maxKeys: 3 }),
    fc.array(tie('node'), { maxLength: 3 }),
  ),
  value: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('node'), { maxKeys: 3 }),
}))

/** The outcome as text, so that the order of the fields counts. */
const outcome = (schema: z.core.$ZodType, input: unknown): string => {
  const { success, data, error } = z.safeParse(schema, input)
  return JSON.stringify([success, data, error?.issues])
}

describe('a compiled schema', () => {
  test.each(Object.entries(samples))('parses %s as the schema does', (_name, schema) => {
    const copy = compiled(schema)
    fc.assert(
      fc.property(value, (input) => {
        expect(outcome(copy, input)).toBe(outcome(schema, input))
      }),
      { numRuns: 500 },
    )
  })

  test('of each endpoint explains a wrong value as the schema does', () => {
    for (const { data } of Object.values(endpoints)) {
      for (const input of [null, {}, [], '', { items: [{}] }]) {
        expect(outcome(compiled(data), input)).toBe(outcome(data, input))
      }
    }
  })

  test('leaves the schema as it is', () => {
    const schema = z.object({ a: z.string() })
    const before = { ...schema._zod }
    compiled(schema)
    expect({ ...schema._zod }).toEqual(before)
  })

  test('is parsed by generated code', () => {
    const names = new Set(compiled(MemberRow)._zod.traits)
    expect(names).toContain('$ZodObjectJIT')
    expect(MemberRow._zod.traits).not.toContain('$ZodObjectJIT')
  })
})
