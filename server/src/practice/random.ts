import { seeded } from '../values/random.ts'

/** A random sequence that is the same in every run, so that documents can describe the demo. */
export type Random = {
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number
  pick<T>(list: readonly T[]): T
  /** True in `percent` of a hundred cases. */
  chance(percent: number): boolean
}

/** The seed is the FNV-1a hash of `name`. */
export function randomOf(name: string): Random {
  let seed = 2_166_136_261
  for (let n = 0; n < name.length; n++) {
    seed = Math.imul(seed ^ name.charCodeAt(n), 16_777_619) // FNV-1a
  }
  const next = seeded(seed)
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    between,
    pick(list) {
      const found = list[between(0, list.length - 1)]
      if (found === undefined) throw new Error('nothing to pick from')
      return found
    },
    chance: (percent) => next() * 100 < percent,
  }
}
