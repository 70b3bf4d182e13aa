import { i18n } from '@lingui/core'
import { defaultLanguage, Language, type PerLanguage } from '@tillside/contract/wire/language'
import * as z from 'zod/mini'
import { createStore, useStore } from '../store/store.ts'

type Catalogue = typeof import('*.po')

// A catalogue travels only when its language is shown, and before login only a small part of it.
const firstTexts: PerLanguage<() => Promise<Catalogue>> = {
  'en-US': () => import('../../locales/en-US.po?first'),
  'zh-CN': () => import('../../locales/zh-CN.po?first'),
  'zh-HK': () => import('../../locales/zh-HK.po?first'),
  'zh-TW': () => import('../../locales/zh-TW.po?first'),
}

const allTexts: PerLanguage<() => Promise<Catalogue>> = {
  'en-US': () => import('../../locales/en-US.po'),
  'zh-CN': () => import('../../locales/zh-CN.po'),
  'zh-HK': () => import('../../locales/zh-HK.po'),
  'zh-TW': () => import('../../locales/zh-TW.po'),
}

/** Each language in its own words; never translated. */
export const languageNames: PerLanguage<string> = {
  'en-US': 'English',
  'zh-CN': '简体中文',
  'zh-HK': '繁體中文（香港）',
  'zh-TW': '繁體中文（台灣）',
}

const current = createStore<Language>(defaultLanguage)
const cookieName = 'tillside-language'
const year = 31_536_000

/** The language on screen, for what runs outside React. */
export const currentLanguage = current.get

/** The language on screen. */
export function useLanguage(): Language {
  return useStore(current)
}

/** Says which language is on screen; its catalogue is the caller's business. */
export const takeLanguage = current.set

let catalogues = firstTexts
let asked: Language | null = null
let bringing: Promise<void> | null = null

/** Shows a language; what was typed stays, because nothing is mounted anew. */
export async function showLanguage(language: Language): Promise<void> {
  asked = language
  const { messages } = await catalogues[language]()
  // Two quick changes: the later one holds, whichever catalogue comes first.
  if (asked !== language) return
  i18n.loadAndActivate({ locale: language, messages })
  takeLanguage(language)
  document.documentElement.lang = language
}

/** From now on a language comes with the texts of what stands behind the login. */
export function wantAllTexts(): void {
  catalogues = allTexts
}

/** Has them at hand before they are wanted. */
export async function prefetchAllTexts(): Promise<void> {
  await allTexts[current.get()]()
}

/** Brings them for the language on screen, once. */
export function bringAllTexts(): Promise<void> {
  if (catalogues === allTexts && bringing === null) return Promise.resolve()
  wantAllTexts()
  bringing ??= showLanguage(asked ?? current.get()).catch((error: unknown) => {
    catalogues = firstTexts
    bringing = null
    throw error
  })
  return bringing
}

/** The clerk's own choice on this device; in a cookie, so that the server's first page knows it. */
export function chosenLanguage(): Language | null {
  const pairs = document.cookie.split('; ').map((pair) => pair.split('='))
  const value = pairs.find(([name]) => name === cookieName)?.[1]
  const parsed = z.safeParse(Language, value)
  return parsed.success ? parsed.data : null
}

/** Keeps the choice for one company's pages. @param identifier null: the page that asks for one */
export function keepLanguage(language: Language, identifier: string | null): void {
  const path = `/${identifier ?? 'identifier-set'}`
  document.cookie = `${cookieName}=${language}; path=${path}; max-age=${year}; samesite=lax`
}
