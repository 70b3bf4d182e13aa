import { useEffect, useState } from 'react'

/** True once `on` has been true for `delay` ms; a shorter wait needs no indicator. */
export function useDelayed(on: boolean, delay = 300): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (!on) return undefined
    const timer = setTimeout(() => setLate(true), delay)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [on, delay])
  return on && late
}
