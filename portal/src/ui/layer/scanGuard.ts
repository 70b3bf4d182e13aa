/** A hardware scanner sends its keys faster than a hand can. */
const scanGapMs = 35
const scanLength = 3
/** A sheet that has just opened may still receive the Enter of the previous scan. */
const openingGraceMs = 400

/**
 * Decides for each key in a sheet whether a person or a scanner sent it. Times are in ms, on one
 * clock.
 */
export function scanGuard(openedAt: number) {
  let last = Number.NEGATIVE_INFINITY
  let run = 0
  return (key: string, at: number): 'person' | 'scanner' => {
    const fast = at - last <= scanGapMs
    last = at
    if (key === 'Enter' || key === ' ') {
      const scanned = fast && run >= scanLength
      if (key === 'Enter') run = 0
      return scanned || at - openedAt < openingGraceMs ? 'scanner' : 'person'
    }
    if (key.length === 1) run = fast ? run + 1 : 1
    return 'person'
  }
}
