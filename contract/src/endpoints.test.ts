import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { Endpoint } from './wire/endpoint.ts'
import { endpoints } from './endpoints.ts'
import { implicitFailures } from './wire/failures.ts'

const all = Object.entries<Endpoint>(endpoints)

describe('the endpoints', () => {
  test('have unique paths', () => {
    const paths = all.map(([, endpoint]) => endpoint.path)
    expect(new Set(paths).size).toBe(paths.length)
    for (const path of paths) expect(path).toMatch(/^(\/[A-Za-z]+){2,4}$/)
  })

  test.each(all)('%s declares each refusal once, without the implicit ones', (_name, e) => {
    expect(new Set(e.refusals).size).toBe(e.refusals.length)
    expect(e.refusals.filter((name) => new Set<string>(implicitFailures).has(name))).toEqual([])
  })

  // The fields of a new member are defined by the company and unknown to the schema; the verb
  // refuses others.
  const fixed = all.filter(([name]) => name !== 'createCustomer')
  test.each(fixed)('%s refuses unknown fields', (_name, endpoint) => {
    const { oneOf, ...only } = z.toJSONSchema(endpoint.input, {
      io: 'input',
      unrepresentable: 'any',
    })
    for (const schema of oneOf ?? [only]) {
      expect(schema).toMatchObject({ type: 'object', additionalProperties: false })
    }
  })

  test('only POST endpoints take an idempotency key, because GET changes nothing', () => {
    const wrong = all.filter(([, e]) => e.method === 'GET' && e.needsKey)
    expect(wrong).toEqual([])
  })
})
