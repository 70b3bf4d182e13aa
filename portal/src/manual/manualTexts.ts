import type { Language, PerLanguage } from '@tillside/contract/wire/language'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useLanguage } from '../kit/text/language.ts'

/** The manual in one language: the texts by file name, and the addresses of its pictures. */
export type Manual = typeof import('virtual:manual/*')

// All pages of a language come together: they are small, and the next one is read without a wait.
const manuals: PerLanguage<() => Promise<Manual>> = {
  'en-US': () => import('virtual:manual/en-US'),
  'zh-CN': () => import('virtual:manual/zh-CN'),
  'zh-HK': () => import('virtual:manual/zh-HK'),
  'zh-TW': () => import('virtual:manual/zh-TW'),
}

/** The manual in the language on screen. */
export function useManual(): UseQueryResult<Manual> {
  const language: Language = useLanguage()
  return useQuery({
    queryKey: ['manual', language],
    queryFn: () => manuals[language](),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** A page without its heading, and the heading. */
export function readPage(manual: Manual, name: string): { title: string; body: string } | null {
  const text = manual.pages[`${name}.md`]
  if (text === undefined) return null
  const [, title = '', body = ''] = /^# (.+)\n([^]*)$/.exec(text) ?? []
  return { title, body }
}
