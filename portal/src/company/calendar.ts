import { useCallback, useSyncExternalStore } from 'react'
import { type DateKind, dayOf, formatDate, isTimeZone } from '../kit/text/format.ts'
import { useLanguage } from '../kit/text/language.ts'
import { useConfig } from './config.ts'

/** The zone of the company's days; the device's until it is known, or where nobody knows it. */
function useTimeZone(): string | undefined {
  const zone = useConfig()?.timeZone
  return zone !== undefined && isTimeZone(zone) ? zone : undefined
}

const minute = 60_000

function everyMinute(listener: () => void): () => void {
  const timer = setInterval(listener, minute)
  return () => clearInterval(timer)
}

/** The company's calendar day, `YYYY-MM-DD`; a page left open over midnight follows. */
export function useToday(): string {
  const zone = useTimeZone()
  return useSyncExternalStore(everyMinute, () => dayOf(new Date(), zone))
}

/** Writes days, and instants as the company's days, in the language on screen. */
export function useDates(): (value: string, kind?: DateKind) => string {
  const language = useLanguage()
  const zone = useTimeZone()
  return (value, kind = 'short') => formatDate(value, kind, language, zone)
}

/** The company's calendar day of an instant, `YYYY-MM-DD`; a day stays what it is. */
export function useDays(): (value: string) => string {
  const zone = useTimeZone()
  return useCallback(
    (value) => (value.length === 10 ? value : dayOf(new Date(value), zone)),
    [zone],
  )
}
