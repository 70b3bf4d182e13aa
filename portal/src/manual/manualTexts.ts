import type { Language, PerLanguage } from '@tillside/contract/wire/language'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useLanguage } from '../kit/text/language.ts'

/** The manual in one language: its pages by file name, and the addresses of its pictures. */
export type Manual = typeof import('virtual:manual/*')

// One file for all pages of a language: they are small, and the next page then opens at once.
const manuals: PerLanguage<() => Promise<Manual>> = {
  'en-US': () => import('virtual:manual/en-US'),
  'zh-CN': () => import('virtual:manual/zh-CN'),
  'zh-HK': () => import('virtual:manual/zh-HK'),
  'zh-TW': () => import('virtual:manual/zh-TW'),
}

/** Loads the manual in the current language. */
export function useManual(): UseQueryResult<Manual> {
  const language: Language = useLanguage()
  return useQuery({
    queryKey: ['manual', language],
    queryFn: () => manuals[language](),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The title of a page, and its body without the title. */
export function readPage(manual: Manual, name: string): { title: string; body: string } | null {
  const text = manual.pages[`${name}.md`]
  if (text === undefined) return null
  const [, title = '', body = ''] = /^# (.+)\n([^]*)$/.exec(text) ?? []
  return { title, body }
}
