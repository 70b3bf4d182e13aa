// Calendar functions of the model. Days are ISO 8601 texts.

export function addDays(day: string, count: number): string {
  return iso(Date.parse(`${day}T00:00:00Z`) + count * 86_400_000)
}

/**
 * The last day of the month that is `months` later. In `Date.UTC`, day 0 is the last day of the
 * previous month.
 */
export function monthEndAfter(day: string, months: number): string {
  return iso(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) + months, 0))
}

/** The first of some yearly dates after a day; 29 February is 28 February in other years. */
export function nextOf(dates: readonly string[], after: string): string {
  const year = Number(after.slice(0, 4))
  const days = [0, 1, 2].flatMap((later) =>
    dates.map((date) => {
      const [month = 1, day = 1] = date.split('-').map(Number)
      const end = new Date(Date.UTC(year + later, month, 0)).getUTCDate()
      return iso(Date.UTC(year + later, month - 1, Math.min(day, end)))
    }),
  )
  const next = days.filter((day) => day > after).sort()[0]
  if (next === undefined) throw new Error('no day is given')
  return next
}

/** The first day of the year that ends on a day: its calendar year, or the last twelve months. */
export function yearBefore(day: string, window: 'rolling12Months' | 'calendarYear'): string {
  const [year = '', month = '', date = ''] = day.split('-')
  if (window === 'calendarYear') return `${year}-01-01`
  // The year before a 29 February has only the 28th.
  const before = `${month}-${date}` === '02-29' ? '28' : date
  return addDays(`${Number(year) - 1}-${month}-${before}`, 1)
}

function iso(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
