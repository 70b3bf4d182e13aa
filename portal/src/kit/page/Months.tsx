import { type ReactNode } from 'react'
import { useLanguage } from '../text/language.ts'

type MonthsProps<T> = {
  /** Newest first. */
  rows: readonly T[]
  /** The company's calendar day of a row, `YYYY-MM-DD`. */
  dayOf: (row: T) => string
  keyOf: (row: T) => string
  children: (row: T) => ReactNode
}

/** A long list in sections by month, with headings that stick while their rows scroll. */
export function Months<T>({ rows, dayOf, keyOf, children }: MonthsProps<T>) {
  const monthName = useMonthName()
  const months = Map.groupBy(rows, (row) => dayOf(row).slice(0, 7))
  return [...months].map(([month, inside]) => (
    <section key={month} aria-label={monthName(month)}>
      <h3
        className={
          'sticky top-28 z-10 bg-canvas py-2 text-small font-semibold text-ink2 ' +
          'max-medium:top-14 medium:top-40 expanded:top-26 low:static narrow:static'
        }
      >
        {monthName(month)}
      </h3>
      <ul className="flex flex-col">
        {inside.map((row) => (
          <li
            key={keyOf(row)}
            className="border-t border-line last:border-b [&>:first-child]:-outline-offset-2"
          >
            {children(row)}
          </li>
        ))}
      </ul>
    </section>
  ))
}

function useMonthName(): (month: string) => string {
  const language = useLanguage()
  const names = new Intl.DateTimeFormat(language, {
    year: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  })
  return (month) => names.format(new Date(`${month}-01T00:00:00Z`))
}
