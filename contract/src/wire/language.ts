import * as z from 'zod/mini'

/** The four interface languages, in the order in which they are offered. */
export const languages = ['en-US', 'zh-CN', 'zh-HK', 'zh-TW'] as const
export const Language = z.enum(languages)
export type Language = z.infer<typeof Language>

/** One value per language; a missing one is a compile error. */
export type PerLanguage<T> = Record<Language, T>

export const defaultLanguage: Language = 'en-US'

/** The request header with the portal's current language. */
export const languageHeader = 'user-language'
