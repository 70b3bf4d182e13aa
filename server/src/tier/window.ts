import { addDays, addMonths } from '@tillside/contract/rules/day'
import type { Settings } from '../company/definition.ts'

/** Qualifying spend on a day of the company; money, a decimal string. */
export type Spend = { day: string; amount: string }

/** The first day of the window that ends on `day`, as `windowStart` has it in SQL. */
export function firstDay(day: string, window: Settings['tierRules']['window']): string {
  return window === 'calendarYear' ? `${day.slice(0, 4)}-01-01` : addDays(addMonths(day, -12), 1)
}

/**
 * An SQL expression for the first day of the window that ends on `day` (migration 0075).
 * @param day an expression of type date
 * @param window an expression of type text: `rolling12Months` or `calendarYear`
 */
export function windowStart(day: string, window: string): string {
  return `window_start(${day}, ${window})`
}
