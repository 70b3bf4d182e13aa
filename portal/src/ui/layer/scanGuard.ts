/** Keys of a hardware scanner follow each other faster than a hand can press. */
const scanGapMs = 35
const scanLength = 3
/** A sheet that has just opened may still receive the Enter that ended the scan before it. */
const openingGraceMs = 400

/** Decides which keys in a sheet come from a person. Times are in ms on one clock. */
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
