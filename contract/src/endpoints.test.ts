import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { Endpoint } from './wire/endpoint.ts'
import { endpoints } from './endpoints.ts'
import { implicitFailures } from './wire/failures.ts'

const all = Object.entries<Endpoint>(endpoints)

describe('the endpoints', () => {
  test('have one path each', () => {
    const paths = all.map(([, endpoint]) => endpoint.path)
    expect(new Set(paths).size).toBe(paths.length)
    for (const path of paths) expect(path).toMatch(/^(\/[A-Za-z]+){2,4}$/)
  })

  test.each(all)('%s declares each refusal once, and none that everybody gives', (_name, e) => {
    expect(new Set(e.refusals).size).toBe(e.refusals.length)
    expect(e.refusals.filter((name) => new Set<string>(implicitFailures).has(name))).toEqual([])
  })

  // A new member's fields are the company's, which no schema knows; the verb refuses others.
  const fixed = all.filter(([name]) => name !== 'createCustomer')
  test.each(fixed)('%s refuses fields that it does not know', (_name, endpoint) => {
    const { oneOf, ...only } = z.toJSONSchema(endpoint.input, {
      io: 'input',
      unrepresentable: 'any',
    })
    for (const schema of oneOf ?? [only]) {
      expect(schema).toMatchObject({ type: 'object', additionalProperties: false })
    }
  })

  test('a call that reads moves nothing, so only POST takes a key', () => {
    const wrong = all.filter(([, e]) => e.method === 'GET' && e.idempotent)
    expect(wrong).toEqual([])
  })
})
