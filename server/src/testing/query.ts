import * as z from 'zod/mini'

/** An input as the query of an address. */
export function queryOf(input: unknown): string {
  const values = z.record(z.string(), z.union([z.string(), z.number()])).parse(input)
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) query.set(name, String(value))
  return query.toString()
}
