import { useEffect, useState } from 'react'
import { Figure } from './Figure.tsx'

const durationMs = 320

type AnimatedNumberProps = { from: number; to: number; write: (value: number) => string }

/** Counts from the old to the new number after a change. Screen readers get only the new one. */
export function AnimatedNumber({ from, to, write }: AnimatedNumberProps) {
  const [value, setValue] = useState(() => (isStill() ? to : from))
  useEffect(() => {
    if (isStill()) return undefined
    const begun = performance.now()
    let frame = requestAnimationFrame(function next(now) {
      const part = Math.min(1, Math.max(0, now - begun) / durationMs)
      setValue(Math.round(from + (to - from) * (1 - (1 - part) ** 3)))
      if (part < 1) frame = requestAnimationFrame(next)
    })
    return () => cancelAnimationFrame(frame)
  }, [from, to])
  return (
    <>
      <span className="sr-only">{write(to)}</span>
      <div aria-hidden="true">
        <Figure size="l">{write(value)}</Figure>
      </div>
    </>
  )
}

function isStill(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}
