import { describe, expect, test } from 'vitest'
import { maxPerThousand, proseFiles, rates } from '../prose.ts'

describe('plain English', () => {
  test.each(Object.entries(proseFiles()))('%s', (_group, inside) => {
    const above = Object.entries(rates(inside)).filter(([, rate]) => rate > maxPerThousand)
    expect(above).toEqual([])
  })
})
