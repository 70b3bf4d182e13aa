import { addDays } from '@tillside/contract/rules/day'

/**
 * The dates of a demo. All of them are relative to the company's current day, so the data stays
 * recent.
 */
export type Clock = {
  today: string
  daysAgo(count: number): string
  /** RFC 3339 in UTC. `minutes`: since midnight of that day in the company's time zone. */
  at(day: string, minutes: number): string
}

export function clockOf(timeZone: string, today: string): Clock {
  let format: Intl.DateTimeFormat | undefined
  /** The zone's offset from UTC in minutes at this moment; positive east of UTC. */
  const offset = (moment: number): number => {
    format ??= new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
    const name = format.formatToParts(moment).find((part) => part.type === 'timeZoneName')?.value
    const [, sign, hours = '0', minutes = '0'] = /([+-])(\d\d):(\d\d)/.exec(name ?? '') ?? []
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
  }
  return {
    today,
    daysAgo: (count) => addDays(today, -count),
    at(day, minutes) {
      const asUtc = Date.parse(`${day}T00:00:00Z`) + minutes * 60_000
      const moment = asUtc - offset(asUtc) * 60_000
      return `${new Date(moment).toISOString().slice(0, 19)}Z`
    },
  }
}
