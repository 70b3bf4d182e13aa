import { options } from 'preact'

// Preact runs effects after a frame, and the user may be faster: a Back that comes right after a
// sheet has appeared must find the listener that closes it. So effects run when React runs them:
// those of a user's event right after its render, and all others in the next task, which is at the
// latest before the next event.

const events = ['pointerdown', 'click', 'keydown', 'input', 'paste', 'popstate'] as const

const task = new MessageChannel()
let waiting: (() => void) | null = null
let isEvent = false

function run(): void {
  const effects = waiting
  waiting = null
  effects?.()
}

function beginEvent(): void {
  run()
  isEvent = true
  task.port2.postMessage(null)
}

function schedule(effects: () => void): void {
  waiting = effects
  if (isEvent) queueMicrotask(run)
  else task.port2.postMessage(null)
}

/** Call it before the first render. */
export function runEffectsBeforeEvents(): void {
  task.port1.addEventListener('message', () => {
    isEvent = false
    run()
  })
  task.port1.start()
  options.requestAnimationFrame = schedule
  for (const event of events) addEventListener(event, beginEvent, { capture: true, passive: true })
}
