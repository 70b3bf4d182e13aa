import { options } from 'preact'

// Preact runs effects after the paint, and the user may be faster: a Back that comes right after a
// sheet has appeared must find the listener that closes it. As React does, this runs them before
// the next event of the user at the latest.

const events = ['pointerdown', 'click', 'keydown', 'input', 'paste', 'popstate'] as const
/** Later than a frame: the browser paints no frames while the page is hidden. */
const atLatestMs = 35

let waiting: (() => void) | null = null

function run(): void {
  const effects = waiting
  waiting = null
  effects?.()
}

/** Call it before the first render. */
export function runEffectsBeforeEvents(): void {
  options.requestAnimationFrame = (effects) => {
    waiting = effects
    const timer = setTimeout(run, atLatestMs)
    requestAnimationFrame(() => {
      clearTimeout(timer)
      // After the paint of this frame.
      setTimeout(run)
    })
  }
  for (const event of events) addEventListener(event, run, { capture: true, passive: true })
}
