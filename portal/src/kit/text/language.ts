import { i18n } from '@lingui/core'
import { defaultLanguage, Language, type PerLanguage } from '@tillside/contract/wire/language'
import * as z from 'zod/mini'
import { importAgain } from '../device/importAgain.ts'
import { createStore, useStore } from '../store/store.ts'

type Catalogue = typeof import('*.po')

// A catalogue is loaded only when its language is shown; before login, only a small part of it.
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

/** Each language by its own name; never translated. */
export const languageNames: PerLanguage<string> = {
  'en-US': 'English',
  'zh-CN': '简体中文',
  'zh-HK': '繁體中文（香港）',
  'zh-TW': '繁體中文（台灣）',
}

const current = createStore<Language>(defaultLanguage)
const cookieName = 'tillside-language'
const yearSeconds = 31_536_000

/** The current language, for code outside components. */
export const currentLanguage = current.get

/** The current language. */
export function useLanguage(): Language {
  return useStore(current)
}

/** Sets the current language; the caller loads its catalogue. */
export const setCurrentLanguage = current.set

/** Calls the listener when the language has changed. */
export const watchLanguage = current.watch

let catalogues = firstTexts
let asked: Language | null = null
let bringing: Promise<void> | null = null

/** Shows a language. Input is kept, because no component is mounted again. */
export async function showLanguage(language: Language): Promise<void> {
  asked = language
  const { messages } = await importAgain(catalogues[language], isCatalogue)
  // After two quick changes the later one wins, whichever catalogue is loaded first.
  if (asked !== language) return
  i18n.loadAndActivate({ locale: language, messages })
  setCurrentLanguage(language)
  document.documentElement.lang = language
}

function isCatalogue(exports: unknown): exports is Catalogue {
  return typeof exports === 'object' && exports !== null && 'messages' in exports
}

/** From now on, languages are loaded with all texts, including those for after login. */
export function includeAllTexts(): void {
  catalogues = allTexts
}

/** Loads all texts in advance. */
export async function prefetchAllTexts(): Promise<void> {
  await allTexts[current.get()]()
}

/** Loads all texts of the current language, once. */
export function loadAllTexts(): Promise<void> {
  if (catalogues === allTexts && bringing === null) return Promise.resolve()
  includeAllTexts()
  bringing ??= showLanguage(asked ?? current.get()).catch((error: unknown) => {
    catalogues = firstTexts
    bringing = null
    throw error
  })
  return bringing
}

/**
 * The language that the clerk has chosen on this device; in a cookie, so that the server can render
 * the first page in it.
 */
export function savedLanguage(): Language | null {
  const pairs = document.cookie.split('; ').map((pair) => pair.split('='))
  const value = pairs.find(([name]) => name === cookieName)?.[1]
  const parsed = z.safeParse(Language, value)
  return parsed.success ? parsed.data : null
}

/**
 * Saves the choice for one company's pages.
 * @param identifier null: for the page that asks for a company
 */
export function saveLanguage(language: Language, identifier: string | null): void {
  const path = `/${identifier ?? 'identifier-set'}`
  document.cookie = `${cookieName}=${language}; path=${path}; max-age=${yearSeconds}; samesite=lax`
}
