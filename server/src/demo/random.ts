/** Numbers that look random and are the same in every run, so that a demo can be described. */
export type Random = {
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number
  pick<T>(list: readonly T[]): T
  /** True in `percent` of a hundred cases. */
  chance(percent: number): boolean
}

/** Mulberry32, started by a text. */
export function randomOf(name: string): Random {
  let state = 2_166_136_261
  for (let n = 0; n < name.length; n++) {
    state = Math.imul(state ^ name.charCodeAt(n), 16_777_619) // FNV-1a
  }
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
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
