import { useEffect, useRef, useState } from 'react'

/** Measures the width of an element in px, now and after each change. */
export function useWidth() {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const watcher = new ResizeObserver(([entry]) => {
      setWidth(Math.floor(entry?.contentRect.width ?? 0))
    })
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [])
  return [box, width] as const
}
