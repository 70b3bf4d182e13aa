import { useEffect, useRef } from 'react'

/** Closes a layer, unless it waits for an answer. */
type Close = () => void

/** The open layers, the newest last. */
const open: Close[] = []

/** Closes the newest layer. @returns whether a layer was open */
export function closeTopLayer(): boolean {
  open.at(-1)?.()
  return open.length > 0
}

/** Whether a layer is open. */
export function hasLayer(): boolean {
  return open.length > 0
}

/** Registers a layer while it is open, so that the system's Back closes it before the page. */
export function useLayer(isOpen: boolean, onClose: Close): void {
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useEffect(() => {
    if (!isOpen) return undefined
    const layer = () => close.current()
    open.push(layer)
    return () => void open.splice(open.indexOf(layer), 1)
  }, [isOpen])
}
