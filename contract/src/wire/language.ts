import * as z from 'zod/mini'

/** The four interface languages, in the order in which they are offered. */
export const languages = ['en-US', 'zh-CN', 'zh-HK', 'zh-TW'] as const
export const Language = z.enum(languages)
export type Language = z.infer<typeof Language>

/** What every language has a value for; a missing one does not compile. */
export type PerLanguage<T> = Record<Language, T>

export const defaultLanguage: Language = 'en-US'

/** The request header in which the portal says which language it shows. */
export const languageHeader = 'user-language'
