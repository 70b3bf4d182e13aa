import { searchHistoryKey } from '@tillside/contract/activity'
import { useEffect } from 'react'
import { useToday } from '../../company/calendar.ts'
import { configQuery } from '../../company/config.ts'
import { call } from '../../kit/call/call.ts'
import { queryClient } from '../../kit/call/query.ts'
import { session } from '../../kit/call/session.ts'
import { deviceStorage } from '../../kit/store/storage.ts'
import { createStore, useStore } from '../../kit/store/store.ts'
import { shopClock, useShopClock } from '../../kit/text/clock.ts'
import type { LookUp } from '../../paths.ts'
import { type Entry, type History, openHistory } from './history.ts'

// The search history of the current clerk. If it fails, it is empty: searching must not wait for it
// or fail with it.

const none: readonly Entry[] = []
const shown = createStore(none)
let opened: Promise<History> | null = null
let queue: Promise<unknown> = Promise.resolve()

// Another clerk must not use the previous key. The stored entries stay, encrypted.
session.watch(() => {
  opened = null
  shown.set(none)
})

function open(): Promise<History> {
  const asked =
    opened ??
    // The settings have the time zone, which decides the searches of today.
    Promise.all([
      call(searchHistoryKey, {}, { quiet: true }),
      queryClient.ensureQueryData(configQuery),
    ]).then(([{ key }]) =>
      openHistory(key, {
        storage: deviceStorage,
        name: session.keyOf('search-history'),
        dayOf: (time) => shopClock().dayOf(time),
        now: Date.now,
      }),
    )
  opened = asked
  asked.catch(() => {
    if (opened === asked) opened = null
  })
  return asked
}

/** Runs one change after another, because two at once would overwrite each other. */
function enqueue(work: (history: History) => Promise<readonly Entry[]>): void {
  const token = session.token()
  // Web Crypto exists only in secure contexts; without it nothing is stored.
  if (globalThis.crypto?.subtle === undefined || token === null) return
  const isSameSession = () => session.token() === token
  const run = async () => {
    // After a change of clerk, the results are discarded.
    const history = isSameSession() ? await open() : null
    const entries = history !== null && isSameSession() ? await work(history) : null
    if (entries !== null && isSameSession()) shown.set(entries)
  }
  queue = queue.then(run).catch(() => undefined)
}

/** The members this clerk has searched for today, newest first. */
export function useRecent(): { entries: readonly Entry[]; clear: () => void } {
  const today = useToday()
  const { dayOf } = useShopClock()
  const entries = useStore(shown)
  useEffect(() => enqueue((history) => history.entries()), [])
  // Hides yesterday's entries on a page that stays open over midnight.
  return { entries: entries.filter(({ time }) => dayOf(time) === today), clear: clearRecent }
}

function clearRecent(): void {
  enqueue((history) => {
    history.clear()
    return Promise.resolve(none)
  })
}

/** Stores the look-up of a member that was opened. */
export function rememberSearch(by: LookUp): void {
  enqueue((history) => history.add(by))
}
