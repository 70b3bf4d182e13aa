import { searchHistoryKey } from '@tillside/contract/activity'
import { useEffect, useSyncExternalStore } from 'react'
import { call } from '../kit/call/call.ts'
import { dayOf } from '../kit/text/format.ts'
import { session } from '../kit/call/session.ts'
import { deviceStorage } from '../kit/store/storage.ts'
import { createStore, useStore } from '../kit/store/store.ts'
import type { LookUp } from '../paths.ts'
import { type Entry, type History, openHistory } from './history.ts'

// The history of the clerk at this screen. Whatever goes wrong with it, there is none: nobody's
// search waits for it or fails with it.

const none: readonly Entry[] = []
const shown = createStore(none)
let opened: Promise<History> | null = null
let queue: Promise<unknown> = Promise.resolve()

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
        storage: deviceStorage,
        name: session.keyOf('search-history'),
        dayOf: day,
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
function enqueue(work: (history: History) => Promise<readonly Entry[]>): void {
  const token = session.token()
  // Only a secure context has the means to encrypt; without it nothing is kept.
  if (globalThis.crypto?.subtle === undefined || token === null) return
  const isSameSession = () => session.token() === token
  const run = async () => {
    // What one clerk has found is none of the next one's.
    const history = isSameSession() ? await open() : null
    const entries = history !== null && isSameSession() ? await work(history) : null
    if (entries !== null && isSameSession()) shown.set(entries)
  }
  queue = queue.then(run).catch(() => undefined)
}

/** The device's own day: its clock is known before the company is, and it stands in the shop. */
const day = (time: number) => dayOf(new Date(time))

const minute = 60_000

function everyMinute(listener: () => void): () => void {
  const timer = setInterval(listener, minute)
  return () => clearInterval(timer)
}

/** Whom this clerk has looked for today, the newest first. */
export function useRecent(): { entries: readonly Entry[]; clear: () => void } {
  const today = useSyncExternalStore(everyMinute, () => day(Date.now()))
  const entries = useStore(shown)
  useEffect(() => enqueue((history) => history.entries()), [])
  // A page left open over midnight forgets as the device does.
  return { entries: entries.filter(({ time }) => day(time) === today), clear: clearRecent }
}

function clearRecent(): void {
  enqueue((history) => {
    history.clear()
    return Promise.resolve(none)
  })
}

/** Keeps whom the clerk has found and opened. */
export function rememberSearch(by: LookUp): void {
  enqueue((history) => history.add(by))
}
