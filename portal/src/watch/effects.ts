import { options } from 'preact'

// Preact runs effects after the next frame, and a user can be faster. Example: a sheet appears and
// the user presses Back at once. The effect that lets Back close the sheet must have run by then.
// So effects run when React would run them:
// - after a render that an event of the user caused: at once;
// - after any other render: in the next task, and in any case before the next event of the user.

const events = ['pointerdown', 'click', 'keydown', 'input', 'paste', 'popstate'] as const

const task = new MessageChannel()
let waiting: (() => void) | null = null
/** True from an event of the user until the next task. */
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

/** Gives the effects of all components these times. Call it before the first render. */
export function runEffectsBeforeEvents(): void {
  task.port1.addEventListener('message', () => {
    isEvent = false
    run()
  })
  task.port1.start()
  options.requestAnimationFrame = schedule
  for (const event of events) addEventListener(event, beginEvent, { capture: true, passive: true })
}
