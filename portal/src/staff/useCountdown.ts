import { useEffect, useState } from 'react'

/** Counts the seconds of a wait down to 0. */
export function useCountdown(): { left: number; start: (seconds: number) => void } {
  const [end, setEnd] = useState(0)
  const [now, setNow] = useState(0)
  const left = Math.max(0, Math.ceil((end - now) / 1000))

  useEffect(() => {
    if (left === 0) return undefined
    // Compares with the clock, because timers are slow in a background tab.
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
