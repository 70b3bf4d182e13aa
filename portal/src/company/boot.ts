import { Theme } from '@tillside/contract/company'
import { Language } from '@tillside/contract/wire/language'
import * as z from 'zod/mini'

/** What the server put into the page, so that the first paint waits for no call. */
export const Boot = z.object({
  theme: z.nullable(Theme),
  language: Language,
  /** Which build of the program the page belongs to. */
  version: z.string(),
  /** Where the API is; absent: beside the page. */
  api: z.optional(z.string()),
})
export type Boot = z.infer<typeof Boot>

/** Reads the page's boot data; null where the page came without (the development server). */
export function readBoot(): Boot | null {
  const text = document.getElementById('boot')?.textContent
  if (text === undefined || text === null) return null
  const parsed = z.safeParse(Boot, JSON.parse(text))
  return parsed.success ? parsed.data : null
}
