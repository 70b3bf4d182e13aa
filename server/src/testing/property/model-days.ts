// The calendar of the model: days as text, and months that are as long as they are.

export function addDays(day: string, count: number): string {
  return iso(Date.parse(`${day}T00:00:00Z`) + count * 86_400_000)
}

/** Day 0 of a month is the last of the one before it. */
export function monthEndAfter(day: string, months: number): string {
  return iso(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) + months, 0))
}

/** The first of some yearly days after a day; 29 February is the 28th where there is none. */
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

/** The first day of the year that ends on a day: its calendar year, or twelve months. */
export function yearBefore(day: string, window: 'rolling12Months' | 'calendarYear'): string {
  const [year = '', month = '', date = ''] = day.split('-')
  if (window === 'calendarYear') return `${year}-01-01`
  // Of 29 February, the year before has only the 28th.
  const before = `${month}-${date}` === '02-29' ? '28' : date
  return addDays(`${Number(year) - 1}-${month}-${before}`, 1)
}

function iso(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
