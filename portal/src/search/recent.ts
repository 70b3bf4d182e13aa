import { searchHistoryKey } from '@tillside/contract/activity'
import { useEffect, useRef } from 'react'
import { useDayOf, useToday } from '../company/calendar.ts'
import { call } from '../kit/call.ts'
import { session } from '../kit/session.ts'
import { deviceShelf } from '../kit/shelf.ts'
import { createStore, useStore } from '../kit/store.ts'
import type { LookUp } from '../paths.ts'
import { type Entry, type History, openHistory } from './history.ts'

// The history of the clerk at this screen. Whatever goes wrong with it, there is none: nobody's
// search waits for it or fails with it.

type DayOf = (time: number) => string

const none: readonly Entry[] = []
const shown = createStore(none)
let opened: Promise<History> | null = null
let turn: Promise<unknown> = Promise.resolve()
let days: DayOf = String

// Another clerk begins without the last one's key; what is on the device stays, unreadable.
session.watch(() => {
  opened = null
  shown.set(none)
})

function open(): Promise<History> {
  const asked =
    opened ??
    call(searchHistoryKey, {}, { quiet: true }).then(({ key }) =>
      openHistory(key, {
        storage: deviceShelf,
        name: session.keyOf('search-history'),
        // The company's zone may be known only after the history was opened.
        dayOf: (time) => days(time),
        now: Date.now,
      }),
    )
  opened = asked
  asked.catch(() => {
    if (opened === asked) opened = null
  })
  return asked
}

/** One after another: two that write at once would lose one of the two. */
function inTurn(work: (history: History) => Promise<readonly Entry[]>, dayOf: DayOf): void {
  const token = session.token()
  // Only a secure context has the means to encrypt; without it nothing is kept.
  if (globalThis.crypto?.subtle === undefined || token === null) return
  days = dayOf
  const isSame = () => session.token() === token
  const go = async () => {
    // What one clerk has found is none of the next one's.
    const history = isSame() ? await open() : null
    const entries = history !== null && isSame() ? await work(history) : null
    if (entries !== null && isSame()) shown.set(entries)
  }
  turn = turn.then(go).catch(() => undefined)
}

/** Whom this clerk has looked for today, the newest first. */
export function useRecent() {
  const dayOf = useDayOf()
  const today = useToday()
  const entries = useStore(shown)
  const read = useRef((_today: string) => {})
  useEffect(() => {
    read.current = () => inTurn((history) => history.entries(), dayOf)
  })
  // With the next day, what was of today is gone.
  useEffect(() => read.current(today), [today])
  return {
    entries,
    clear: () =>
      inTurn(async (history) => {
        history.clear()
        return none
      }, dayOf),
  }
}

/** Keeps whom the clerk has found and opened. */
export function useRemember(): (by: LookUp) => void {
  const dayOf = useDayOf()
  return (by) => inTurn((history) => history.add(by), dayOf)
}
