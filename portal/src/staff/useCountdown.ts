import { useEffect, useState } from 'react'

/** Seconds left of a wait, counting down to 0. */
export function useCountdown(): { left: number; start: (seconds: number) => void } {
  const [end, setEnd] = useState(0)
  const [now, setNow] = useState(0)
  const left = Math.max(0, Math.ceil((end - now) / 1000))

  useEffect(() => {
    if (left === 0) return undefined
    // By the clock rather than by counting: a sleeping tab would count too slowly.
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [left])

  return {
    left,
    start: (seconds) => {
      setNow(Date.now())
      setEnd(Date.now() + seconds * 1000)
    },
  }
}
