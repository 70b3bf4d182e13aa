/**
 * Runs work after the next paint, so that a touch is answered on the screen before a long render
 * starts. @returns a function that cancels it
 */
export function afterPaint(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  // A frame callback runs before its frame is painted, and a task that it starts runs after it.
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(work)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}
