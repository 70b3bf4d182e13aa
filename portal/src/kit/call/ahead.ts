import { currentLanguage, watchLanguage } from '../text/language.ts'
import { type Asked, askedName } from './asked.ts'
import type { Request } from './request.ts'
import { session } from './session.ts'

// The script in the page's head asks for what the address names while the page still loads
// (`portal/src/ahead`). Each of its answers is taken once, by the call that would ask the same.

/** An older answer is not shown as new, and one that no call takes is dropped; in ms. */
const keptMs = 15_000

let ahead = globalThis.tillsideAhead
// No other code finds a clerk's answers there.
Reflect.deleteProperty(globalThis, 'tillsideAhead')

if (ahead !== undefined) {
  setTimeout(drop, keptMs)
  // A logout, also one in another tab, and another language end what this clerk asked.
  session.watch((info) => {
    if (info?.token !== ahead?.token) drop()
  })
  watchLanguage((language) => {
    if (language !== ahead?.language) drop()
  })
}

/**
 * The answer that the script asked for, or null. The next call for the same asks the server.
 * @param signal ends the request of the script too
 */
export function takeAhead(
  request: Request,
  token: string | null,
  signal: AbortSignal,
): Promise<Response | null> | null {
  if (ahead?.token !== token || ahead.language !== currentLanguage()) return null
  const name = askedName(request)
  const taken = ahead.asked.get(name)
  if (taken === undefined) return null
  ahead.asked.delete(name)
  return answerOf(taken, signal)
}

/** Null without an answer: the call itself then tries, as it does without the script. */
async function answerOf(taken: Asked, signal: AbortSignal): Promise<Response | null> {
  const stop = () => taken.stop.abort(signal.reason)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  const answer = await taken.answer.catch(() => null)
  if (answer !== null && Date.now() - (taken.at ?? 0) <= keptMs) return answer
  stop()
  return null
}

function drop(): void {
  for (const { stop } of ahead?.asked.values() ?? []) stop.abort()
  ahead = undefined
}
