import { Theme } from '@tillside/contract/company'
import { Language } from '@tillside/contract/wire/language'
import * as z from 'zod/mini'

/** The data that the server puts into the page, so that the first paint needs no call. */
export const Boot = z.object({
  theme: z.nullable(Theme),
  language: Language,
  /** The build of the program that the page belongs to. */
  version: z.string(),
  /** The address of the API; if absent, the API is on the page's own origin. */
  api: z.optional(z.string()),
})
export type Boot = z.infer<typeof Boot>

/** Reads the page's boot data. Returns null without it, as on the development server. */
export function readBoot(): Boot | null {
  const text = document.getElementById('boot')?.textContent
  if (text === undefined || text === null) return null
  const parsed = z.safeParse(Boot, JSON.parse(text))
  return parsed.success ? parsed.data : null
}
