import { useLingui } from '@lingui/react/macro'
import { hasNoEnd } from '@tillside/contract/rules/day'
import { useCallback, useSyncExternalStore } from 'react'
import { useShopClock } from '../kit/text/clock.ts'
import { type DateKind, dayOf, formatDate, formatPeriod } from '../kit/text/format.ts'
import { useLanguage } from '../kit/text/language.ts'
import { useConfig } from './config.ts'

/** The company's time zone; undefined, the device's, until it is known. */
function useTimeZone(): string | undefined {
  // A screen that shows a date asks for the settings, which set the clock.
  useConfig()
  return useShopClock().zone
}

const minuteMs = 60_000

function everyMinute(listener: () => void): () => void {
  const timer = setInterval(listener, minuteMs)
  return () => clearInterval(timer)
}

/**
 * The company's calendar day, `YYYY-MM-DD`. It is updated every minute, so it changes at midnight.
 */
export function useToday(): string {
  const zone = useTimeZone()
  return useSyncExternalStore(everyMinute, () => dayOf(new Date(), zone))
}

/** Formats days, and instants as days of the company's time zone, in the current language. */
export function useDates(): (value: string, kind?: DateKind) => string {
  const language = useLanguage()
  const zone = useTimeZone()
  return (value, kind = 'short') => formatDate(value, kind, language, zone)
}

/** Formats a period from its first to its last day, or without an end. */
export function usePeriods(): (from: string, to: string) => string {
  const { t } = useLingui()
  const language = useLanguage()
  return (from, to) => {
    if (!hasNoEnd(to)) return formatPeriod(from, to, language)
    const start = formatDate(from, 'coupon', language)
    return t({ id: 'sys.openPeriod', message: `from ${start}, no end date` })
  }
}

/**
 * The company's calendar day of an instant, `YYYY-MM-DD`. A value that is a day already is returned
 * unchanged.
 */
export function useDays(): (value: string) => string {
  const zone = useTimeZone()
  return useCallback(
    (value) => (value.length === 10 ? value : dayOf(new Date(value), zone)),
    [zone],
  )
}
